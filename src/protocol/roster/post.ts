/**
 * A relay as the keeper of a chain: it takes what folds by its own clock, and nothing else (docs/protocol.md, 'Rosters').
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
 * How long after its `issued` a join or a creation may reach the relay, in milliseconds: clocks may differ, and calls take
 * time.
 */
export const JOIN_DELAY = 10 * 60_000;

/** Why a relay does not take an entry. */
export type PostRefusal =
  | RosterRefusal
  /** `issued` lies ahead of the relay's clock. */
  | 'issued_in_future'
  /**
   * A join that was issued too long ago: with an old date, links and tickets that have expired would still serve. Or a
   * creation: a group that is gone does not begin again.
   */
  | 'issued_long_ago'
  /** Not the newest list that is published for the signer, or a ticket's list that is not published. */
  | 'list_not_newest'
  /** A later version wrote it. */
  | 'unknown_kind';

export type PostVerdict =
  | { verdict: 'taken'; state: RosterState; entry: FoldedEntry }
  /** The entry is in the chain already. */
  | { verdict: 'repeated' }
  /** Another entry has this place: `roster_conflict`. The caller fetches the chain, checks it and signs again. */
  | { verdict: 'conflict' }
  /** `roster_refused` */
  | { verdict: 'refused'; reason: PostRefusal };

export interface PostContext extends RosterContext {
  /** Number of the newest device list that is published for an address; 0 if there is none. */
  newestList(address: string): number;
  /** Who brings the entry; its signer unless given. */
  poster?: string;
}

/**
 * What becomes of an entry that is posted to a chain.
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
  // A relay that went back to a backup is given joins back by those who could let the person in anyway.
  const { poster = by } = context;
  const isVouched = kind === 'join' && poster !== by && isCreatorOrAdmin(state, poster);
  if (isVouched) return { verdict: 'taken', state: next, entry: folded };
  if (list !== context.newestList(by)) return { verdict: 'refused', reason: 'list_not_newest' };
  const isLate = decodeTime(issued) < context.now - JOIN_DELAY;
  if ((kind === 'join' || kind === 'create') && isLate)
    return { verdict: 'refused', reason: 'issued_long_ago' };
  return { verdict: 'taken', state: next, entry: folded };
}

/** Why a relay does not take what ends a fold. Nothing waits there: what cannot be judged is refused. */
export function refusalOf(end: RosterEnd): PostRefusal {
  if (end.end === 'refused') return end.reason;
  if (end.end === 'wait') return end.for === 'clock' ? 'issued_in_future' : 'list_not_newest';
  return 'unknown_kind';
}

/** What proves to the relay that an address may read a group that it is not in yet. */
export interface AdmissionProof {
  /** True if the password that was told is the group's: the relay compares hashes. */
  readonly passwordHolds?: boolean;
  /** Its signature is over {@link admissionBytes}. */
  readonly link?: LinkProof;
  readonly ticket?: Ticket;
}

/** Why an address may not read a group, or null if it may: it is a member, or could join now. */
export function judgeAdmission(
  state: RosterState,
  address: string,
  { passwordHolds, link, ticket }: AdmissionProof,
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
  if (state.join === 'password' && passwordHolds !== undefined) {
    return passwordHolds ? null : refuse('wrong_password');
  }
  return refuse('proof_needed');
}
