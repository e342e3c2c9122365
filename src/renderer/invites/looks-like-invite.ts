import { inviteIn } from '../../base/invite-in.ts';

/** Reports whether a typed or pasted text has an invite link. The engine reads it. */
export function looksLikeInvite(text: string): boolean {
  return inviteIn(text) !== null;
}
