/** The emoji that the person reacted with last, for as long as the window is open. */
const COUNT = 6;
let recent: readonly string[] = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** Six of them, the newest first. */
export const recentReactions = (): readonly string[] => recent;

/** Puts one in front, unless it is among them: buttons stay where the hand knows them. */
export function rememberReaction(emoji: string): void {
  if (!recent.includes(emoji)) recent = [emoji, ...recent].slice(0, COUNT);
}
