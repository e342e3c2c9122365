/**
 * Links of first run, until the main window opens them. Only in the memory of the page: the storage of a browser is a file that is not
 * encrypted, and the link of a person contains a secret.
 */
import { isSameInvite } from '../../base/invite-in.ts';
import type { FirstLink } from './step.ts';

export interface FirstLinks {
  /** The agreed one. It is opened first. */
  invite: FirstLink | null;
  /** Opened from outside meanwhile. */
  other: FirstLink | null;
}

export const NO_LINKS: FirstLinks = { invite: null, other: null };

/** Reports whether both are the same invite link, which is opened once. */
export function isSameLink(one: FirstLink | null, other: FirstLink | null): boolean {
  return one?.kind === 'invite' && other?.kind === 'invite' && isSameInvite(one.text, other.text);
}
