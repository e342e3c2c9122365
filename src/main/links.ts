/**
 * `waxwing:` links from the system. They are data: the request is shown to the person for confirmation, and
 * nothing else happens.
 */

import type { OpenedLink } from '../bridge/shapes/app.ts';

const LONGEST = 2_048;
const CONTACT = /^waxwing:contact\/(0x[0-9a-fA-F]{40})$/;
/** Base64url, and an invitation code after a period. The engine reads it, and reports faults to the person. */
const INVITE = /^waxwing:i\/[\w.-]+$/;

/** Reports whether a text looks like one of our links. */
export function isLink(text: string): boolean {
  return /^"?waxwing:/i.test(text);
}

/** The request in a link; null for other links. */
export function parseLink(text: string): OpenedLink | null {
  if (text.length > LONGEST) return null;
  if (INVITE.test(text)) return { kind: 'invite', text };
  const [, address] = CONTACT.exec(text) ?? [];
  return address === undefined ? null : { kind: 'contact', address };
}

/** The link in the app's arguments at start. */
export function linkIn(args: readonly string[]): OpenedLink | null {
  const texts = args.filter(isLink);
  return texts.length === 1 ? parseLink(texts[0] ?? '') : null;
}
