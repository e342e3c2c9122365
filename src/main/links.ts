/**
 * `waxwing:` links, from wherever the system brings them. They are data: what one asks for is shown to the person,
 * who confirms it; nothing else is done.
 */

export interface ContactLink {
  address: string;
}

const LONGEST = 2_048;
const CONTACT = /^waxwing:contact\/(0x[0-9a-fA-F]{40})$/;

/** Whether a text claims to be one of our links. */
export function isLink(text: string): boolean {
  return /^"?waxwing:/i.test(text);
}

/** What a link asks for; null if it is none of ours. */
export function parseLink(text: string): ContactLink | null {
  if (text.length > LONGEST) return null;
  const [, address] = CONTACT.exec(text) ?? [];
  return address === undefined ? null : { address };
}

/** The link in the arguments that the app was started with. */
export function linkIn(args: readonly string[]): ContactLink | null {
  const texts = args.filter(isLink);
  return texts.length === 1 ? parseLink(texts[0] ?? '') : null;
}
