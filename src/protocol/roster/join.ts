/** Conditions for joining. */
import { decodeTime } from '../encoding.ts';
import type { RosterDraft } from './draft.ts';
import { changePerson } from './draft.ts';
import type { JoinBody } from './forms.ts';
import { JOIN_WINDOW, MAX_ENTRIES_FOR_EVERYBODY, MAX_JOINS, MAX_MEMBERS } from './limits.ts';
import { isProof, joinProofBytes } from './proofs.ts';
import { isMember, personOf, type RosterState } from './state.ts';
import { judgeTicket } from './tickets.ts';
import { type RosterContext, type RosterEnd, refuse } from './verdict.ts';

/** Reason why a join is invalid; null if valid. */
export function judgeJoin(state: RosterState, body: JoinBody, context: RosterContext): RosterEnd | null {
  const at = decodeTime(body.issued);
  if (isMember(state, body.by)) return refuse('already_member');
  if (state.memberCount >= MAX_MEMBERS) return refuse('too_many_members');
  if (recentJoins(state, body.by, at).length >= MAX_JOINS) return refuse('too_many_joins');
  if (body.ticket) return judgeTicket(state, body.ticket, body.by, at, context);
  if (needsTicket(state, body.by)) return refuse('ticket_needed');
  if (body.link) return judgeLink(state, body.link, bytesOf(state, body), at);
  if (body.password !== undefined) return judgePassword(state, body.password, bytesOf(state, body));
  return state.join === 'open' ? null : refuse('proof_needed');
}

/** Reports whether an address needs a ticket: it was removed, or the chain has many entries. */
export function needsTicket(state: RosterState, address: string): boolean {
  return (personOf(state, address)?.removed ?? false) || state.epoch >= MAX_ENTRIES_FOR_EVERYBODY;
}

/**
 * Reason why a link's proof is invalid; null if valid.
 * @param at milliseconds since 1970
 */
export function judgeLink(
  state: Pick<RosterState, 'links'>,
  proof: { key: string; signature: string },
  bytes: Uint8Array,
  at: number,
): RosterEnd | null {
  const link = state.links.find(({ key }) => key === proof.key);
  if (!link) return refuse('unknown_link');
  if (at >= decodeTime(link.expires)) return refuse('link_expired');
  return isProof(proof.key, bytes, proof.signature) ? null : refuse('wrong_link_signature');
}

function judgePassword(state: RosterState, signature: string, bytes: Uint8Array): RosterEnd | null {
  if (state.join !== 'password' || state.joinKey === null) return refuse('no_password');
  return isProof(state.joinKey, bytes, signature) ? null : refuse('wrong_password');
}

function bytesOf(state: RosterState, body: JoinBody): Uint8Array {
  return joinProofBytes(state.groupId, state.hash ?? '', body.by);
}

function recentJoins(state: RosterState, address: string, at: number): number[] {
  return (personOf(state, address)?.joins ?? []).filter((time) => time > at - JOIN_WINDOW);
}

/** Makes `by` a member. */
export function applyJoin(draft: RosterDraft, body: JoinBody): void {
  const at = decodeTime(body.issued);
  const before = personOf(draft, body.by);
  draft.people[body.by] = {
    list: body.list,
    since: body.epoch,
    joins: [...recentJoins(draft, body.by, at), at],
    departed: before?.departed ?? null,
    removed: false,
    signed: body.epoch,
  };
  draft.memberCount += 1;
  const signer = body.ticket && personOf(draft, body.ticket.by);
  if (body.ticket && signer) {
    changePerson(draft, body.ticket.by, { list: Math.max(signer.list, body.ticket.list) });
  }
}
