/** The person's recent emoji and their skin tone, on this computer. */
import { type SkinTone, skinTones } from './emoji.ts';

const RECENT = 'waxwing.emoji';
const TONE = 'waxwing.skinTone';
const FIRST = ['👍', '❤️', '😂', '😮', '😢', '🙏'];
export const QUICK_COUNT = FIRST.length;
const MOST = 24;

/** The most recent first; at least six. */
export function recentEmoji(): string[] {
  const known = stored();
  return [...known, ...FIRST.filter((emoji) => !known.includes(emoji))].slice(
    0,
    Math.max(QUICK_COUNT, known.length),
  );
}

/** The six quick ones. A recent one among them keeps its place: buttons stay at their places. */
export const quickEmoji = (): string[] => recentEmoji().slice(0, QUICK_COUNT);

/** Adds one at the front, unless it is among the six. */
export function rememberEmoji(emoji: string): void {
  if (quickEmoji().includes(emoji)) return;
  const next = [emoji, ...recentEmoji().filter((each) => each !== emoji)].slice(0, MOST);
  localStorage.setItem(RECENT, JSON.stringify(next));
}

export function rememberedTone(): SkinTone {
  return skinTones.find((tone) => String(tone) === localStorage.getItem(TONE)) ?? 0;
}

export function rememberTone(tone: SkinTone): void {
  localStorage.setItem(TONE, String(tone));
}

/** An invalid stored value counts as empty. */
function stored(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    if (!Array.isArray(found)) return [];
    return found.filter((each) => typeof each === 'string' && each.length <= 32).slice(0, MOST);
  } catch {
    return [];
  }
}
