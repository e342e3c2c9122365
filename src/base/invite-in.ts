/** A link of either form with its code. It ends before a period or bracket of the text around it. */
const INVITE = /(?<!\w)(?:waxwing:i\/|https?:\/\/[^\s/?#]+\/i#)([\w-]*(?:\.inv_[\w-]*)?)/i;

/** The first invite link in a text, such as a pasted message; null for none. Its code is not verified. */
export function inviteIn(text: string): string | null {
  return INVITE.exec(text)?.[0] ?? null;
}

/** Reports whether two texts have the same invite link, in either of its forms, or are equal. */
export function isSameInvite(one: string, other: string): boolean {
  const codeIn = (text: string) => INVITE.exec(text)?.[1] ?? text.trim();
  return codeIn(one) === codeIn(other);
}
