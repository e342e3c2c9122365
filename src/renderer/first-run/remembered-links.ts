/**
 * Links of first run, kept over reloading and locking until the main window opens them. In the storage of this window's session, which
 * ends with the window. The token of a link to a person is in it: it works once, and only for a first message to its maker.
 */
import { isSameInvite } from '../../base/invite-in.ts';
import type { FirstLink } from './step.ts';

const KEY = 'waxwing-first-links';

export interface FirstLinks {
  /** The agreed one. It is opened first. */
  invite: FirstLink | null;
  /** Opened from outside meanwhile. */
  other: FirstLink | null;
}

/** The links that are not opened yet. */
export function rememberedLinks(): FirstLinks {
  const stored = parsed(sessionStorage.getItem(KEY) ?? 'null');
  return { invite: linkIn(stored, 'invite'), other: linkIn(stored, 'other') };
}

export function rememberLinks(links: FirstLinks): void {
  if (links.invite || links.other) sessionStorage.setItem(KEY, JSON.stringify(links));
  else sessionStorage.removeItem(KEY);
}

/** Reports whether both are the same invite link, which is opened once. */
export function isSameLink(one: FirstLink | null, other: FirstLink | null): boolean {
  return one?.kind === 'invite' && other?.kind === 'invite' && isSameInvite(one.text, other.text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function linkIn(stored: unknown, name: keyof FirstLinks): FirstLink | null {
  const link = (stored as Partial<Record<string, Record<string, unknown> | null>> | null)?.[name];
  if (link?.kind === 'contact' && typeof link.address === 'string')
    return { kind: 'contact', address: link.address };
  if (link?.kind === 'invite' && typeof link.text === 'string')
    return { kind: 'invite', text: link.text, isAgreed: link.isAgreed === true };
  return null;
}
