/** Reports whether a typed or pasted text has the form of an invite link. The engine reads it. */
export function looksLikeInvite(text: string): boolean {
  return /^(?:waxwing:i\/|https?:\/\/[^\s/?#]+\/i#)/i.test(text.trim());
}
