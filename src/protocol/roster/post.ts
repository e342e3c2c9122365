/**
 * The relay's rules for a chain: it accepts entries that fold by its own clock, and nothing else
 * (docs/protocol.md, 'Rosters').
 */

import { decodeTime } from '../encoding.ts';
import { CLOCK_SKEW } from '../figures.ts';
import { openEntry } from './entry.ts';
import { type FoldedEntry, foldRoster } from './fold.ts';
import type { LinkProof, RosterEntry, Ticket } from './forms.ts';
import { judgeLink, needsTicket } from './join.ts';
import { admissionBytes } from './proofs.ts';
import { isCreatorOrAdmin, isMember, type RosterState } from './state.ts';
import { judgeTicket } from './tickets.ts';
import { type RosterContext, type RosterEnd, type RosterRefusal, refuse } from './verdict.ts';

/**
 * Time in which a join or a creation must reach the relay after its `issued`, in milliseconds: for different
 * clocks and slow calls.
 */
export const JOIN_DELAY = 10 * 60_000;

/** Reason for refusing an entry at the relay. */
export type PostRefusal =
  | RosterRefusal
  /** `issued` lies ahead of the relay's clock. */
  | 'issued_in_future'
  /**
   * A join that was issued too long ago: an old date would make expired links and tickets valid. Or a
   * creation: a deleted group does not start again.
   */
  | 'issued_long_ago'
  /** Not the newest published list of the signer, or an unpublished list of a ticket. */
  | 'list_not_newest'
  /** Written by a later version. */
  | 'unknown_kind';

export type PostVerdict =
  | { verdict: 'taken'; state: RosterState; entry: FoldedEntry }
  /** Already in the chain. */
  | { verdict: 'repeated' }
  /** Another entry has this place: `roster_conflict`. The caller fetches the chain, checks it and signs again. */
  | { verdict: 'conflict' }
  /** Answered as `roster_refused`. */
  | { verdict: 'refused'; reason: PostRefusal };

export interface PostContext extends RosterContext {
  /** Number of the newest device list that is published for an address; 0 if there is none. */
  newestList(address: string): number;
  /** The poster of the entry; by default its signer. */
  poster?: string;
}

/**
 * Verdict on an entry posted to a chain.
 * @param hashAt hash of the entry with an epoch, from 1 to the state's, in base64url
 */
export function judgePost(
  state: RosterState,
  entry: RosterEntry,
  hashAt: (epoch: number) => string,
  context: PostContext,
): PostVerdict {
  const opened = openEntry(entry);
  if (!opened) return { verdict: 'refused', reason: 'malformed' };
  const { epoch, previous } = opened.json;
  if (epoch <= state.epoch && hashAt(epoch) === opened.hash) return { verdict: 'repeated' };
  if (epoch !== state.epoch + 1 || previous !== state.hash) return { verdict: 'conflict' };

  const { state: next, entries, end } = foldRoster(state, [entry], context);
  const [folded] = entries;
  if (!folded) return { verdict: 'refused', reason: end ? refusalOf(end) : 'unknown_kind' };
  const { by, list, kind, issued } = folded.body;
  // After a restore from a backup, a relay accepts lost joins from people with the right to admit that
  // person.
  const { poster = by } = context;
  const isVouched = kind === 'join' && poster !== by && isCreatorOrAdmin(state, poster);
  if (isVouched) return { verdict: 'taken', state: next, entry: folded };
  if (list !== context.newestList(by)) return { verdict: 'refused', reason: 'list_not_newest' };
  const isLate = decodeTime(issued) < context.now - JOIN_DELAY;
  if ((kind === 'join' || kind === 'create') && isLate)
    return { verdict: 'refused', reason: 'issued_long_ago' };
  return { verdict: 'taken', state: next, entry: folded };
}

/** The relay's refusal for the end of a fold. It does not wait: an entry that cannot be judged is refused. */
export function refusalOf(end: RosterEnd): PostRefusal {
  if (end.end === 'refused') return end.reason;
  if (end.end === 'wait') return end.for === 'clock' ? 'issued_in_future' : 'list_not_newest';
  return 'unknown_kind';
}

/** Proof for reading a group before joining it. */
export interface AdmissionProof {
  /** True if the given password is the group's: the relay compares hashes. */
  readonly passwordMatches?: boolean;
  /** Its signature is over {@link admissionBytes}. */
  readonly link?: LinkProof;
  readonly ticket?: Ticket;
}

/** Reason why an address may not read a group; null if it may: it is a member, or could join now. */
export function judgeAdmission(
  state: RosterState,
  address: string,
  { passwordMatches, link, ticket }: AdmissionProof,
  context: RosterContext,
): RosterEnd | null {
  if (isMember(state, address)) return null;
  if (ticket) {
    // Its signer's clock may be ahead. The join will be issued no earlier than the ticket.
    const at = Math.max(context.now, Math.min(decodeTime(ticket.issued), context.now + CLOCK_SKEW));
    return judgeTicket(state, ticket, address, at, context);
  }
  if (needsTicket(state, address)) return refuse('ticket_needed');
  if (link) return judgeLink(state, link, admissionBytes(state.groupId, address), context.now);
  if (state.join === 'open') return null;
  if (state.join === 'password' && passwordMatches !== undefined) {
    return passwordMatches ? null : refuse('wrong_password');
  }
  return refuse('proof_needed');
}
