/** Invite links as texts from outside, and the failures that a person can act on. */
import { Failure } from '../../base/failure.ts';
import { inviteIn } from '../../base/invite-in.ts';
import { RelayRefusal } from '../../client/http.ts';
import { type Invite, InviteError, type InviteFault, parseInvite } from '../../protocol/invite.ts';

const FAULTS = {
  form: 'invite_unknown',
  code: 'invite_damaged',
  relay: 'invite_damaged',
  another_relay: 'invite_damaged',
  version: 'invite_newer',
} as const satisfies Record<InviteFault, string>;

/**
 * Reads an invite link, also with other text around it.
 * @throws Failure 'invite_unknown', 'invite_damaged', 'invite_newer'; 'invite_own_certificate' for a server with its own
 * certificate, which this version cannot verify
 */
export function readInvite(text: string): Invite {
  const invite = parse(text);
  if (invite.relayKey !== null) throw new Failure('invite_own_certificate');
  return invite;
}

function parse(text: string): Invite {
  try {
    return parseInvite(inviteIn(text) ?? text);
  } catch (error) {
    if (error instanceof InviteError) throw new Failure(FAULTS[error.fault]);
    throw error;
  }
}

/** Reports whether an invite is for the server with a URL. */
export function isAt(invite: Invite, relayUrl: string): boolean {
  return new URL(relayUrl).origin === invite.relay;
}

/**
 * An invite link to the server of the account. No other server is called.
 * @throws Failure 'invite_elsewhere'; those of {@link readInvite}
 */
export function readInviteTo(relayUrl: string, text: string): Invite {
  const invite = readInvite(text);
  if (!isAt(invite, relayUrl)) throw new Failure('invite_elsewhere', { server: new URL(invite.relay).host });
  return invite;
}

/** Converts a refusal of a link into a failure with a sentence. Other errors are returned unchanged. */
export function linkFailure(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const reason = reasonOf(error);
  if (reason === 'link_expired') return new Failure('invite_expired');
  // The relay does not confirm an unlisted group to a person with an invalid link.
  if (error.code === 'not_found' || reason === 'unknown_link' || reason === 'wrong_link_signature')
    return new Failure('invite_over');
  // For example too many members, or a removal: with its own sentence.
  if (error instanceof RelayRefusal && error.code === 'roster_refused')
    return new Failure('roster_act_refused', { reason });
  return error;
}

function reasonOf({ parameters }: Failure): string {
  return 'reason' in parameters ? String(parameters.reason) : '';
}
