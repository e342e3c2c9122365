/**
 * `waxwing:` links from the system. They are data: the request is shown to the person for confirmation, and
 * nothing else happens.
 */

export interface ContactLink {
  address: string;
}

const LONGEST = 2_048;
const CONTACT = /^waxwing:contact\/(0x[0-9a-fA-F]{40})$/;

/** Reports whether a text looks like one of our links. */
export function isLink(text: string): boolean {
  return /^"?waxwing:/i.test(text);
}

/** The request in a link; null for other links. */
export function parseLink(text: string): ContactLink | null {
  if (text.length > LONGEST) return null;
  const [, address] = CONTACT.exec(text) ?? [];
  return address === undefined ? null : { address };
}

/** The link in the app's arguments at start. */
export function linkIn(args: readonly string[]): ContactLink | null {
  const texts = args.filter(isLink);
  return texts.length === 1 ? parseLink(texts[0] ?? '') : null;
}
