/**
 * Storage of groups: the state of their rosters, and the entries needed for looking back. Implemented by app
 * and library.
 */
import { z } from 'zod';
import { Bytes, WireAddress } from '../../protocol/primitives.ts';
import { RosterEntry } from '../../protocol/roster/forms.ts';
import type { PastEntry } from '../../protocol/roster/history.ts';
import { MAX_ENTRIES } from '../../protocol/roster/limits.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { SetField } from '../../protocol/roster/set-fields.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';

/** Number of newest entries stored completely, for members from whom the relay hides them. */
export const MAX_WHOLE_ENTRIES = 32;
/** Number of rejected entries remembered per group. */
const MAX_DECIDED = 16;

/** Reason why sealing for a group is stopped, from the last read of its chain. */
export const ChainStop = z.union([
  /** The next entry has a later version. */
  z.strictObject({ why: z.literal('newer') }),
  /** The next entry from the relay is invalid. */
  z.strictObject({ why: z.literal('refused'), reason: z.string(), epoch: z.number() }),
  /** The next entry is dated ahead of the clock. */
  z.strictObject({ why: z.literal('clock') }),
  /** The relay does not show a device list named by the next entry or its ticket. */
  z.strictObject({ why: z.literal('list'), address: WireAddress }),
  /** The relay shows less than before, or other members than the chain. */
  z.strictObject({ why: z.literal('behind') }),
  /** The relay shows a different chain than the pinned one. */
  z.strictObject({ why: z.literal('replaced') }),
  /** The relay denies the user access: only its claim that they are no member. */
  z.strictObject({ why: z.literal('shut') }),
]);
export type ChainStop = z.infer<typeof ChainStop>;

/** An entry that a history of another own device names as the newest. Anyone with access to that device could have invented it. */
export const ChainPin = z.strictObject({
  epoch: z.number().int().min(1).max(MAX_ENTRIES),
  hash: Bytes(32),
  /** True if the user was a member according to it. Only used to show an empty chat. */
  joined: z.boolean(),
});
export type ChainPin = z.infer<typeof ChainPin>;

/** Notes about a group beside its chain. Plain data for JSON. */
export const GroupNotes = z.strictObject({
  stop: ChainStop.nullable(),
  /**
   * Proof that the relay shows someone else another chain. Sealing stops until the relay shows one chain with
   * it.
   */
  split: RosterEntry.nullable(),
  /** A valid change from another member that the relay has not stored yet. Sealing stops meanwhile. */
  missing: RosterEntry.nullable(),
  /** Hashes of proofs that the person rejected. */
  decided: z.array(Bytes(32)).max(MAX_DECIDED),
  /** The newest change or ticket by a device that was removed since, without a later confirming change. */
  dropped: z.strictObject({ epoch: z.number().int(), address: WireAddress }).nullable(),
  /** Stored until the chain contains it. Null for none. */
  pin: ChainPin.nullable(),
  /** Acts of such devices up to this epoch were accepted by the person. */
  acceptedUpTo: z.number().int().min(0),
});
export type GroupNotes = z.infer<typeof GroupNotes>;

export const NOTHING_NOTED: GroupNotes = {
  stop: null,
  split: null,
  missing: null,
  decided: [],
  dropped: null,
  pin: null,
  acceptedUpTo: 0,
};

/** The notes after the person chose the relay's chain, and rejected a proof. */
export function decidedAgainst(notes: GroupNotes, hash: string): GroupNotes {
  return { ...notes, split: null, decided: [...notes.decided, hash].slice(-MAX_DECIDED) };
}

/**
 * The notes after the person chose a chain in place of the pinned one: their decisions on that end, except
 * rejected proofs.
 * @param fork epoch of the last common entry
 * @param lost hashes of the lost changes, ascending
 */
export function decidedForOther(notes: GroupNotes, fork: number, lost: readonly string[]): GroupNotes {
  const decided = [...notes.decided, ...lost].slice(-MAX_DECIDED);
  return { ...NOTHING_NOTED, decided, acceptedUpTo: Math.min(notes.acceptedUpTo, fork) };
}

/** One group. */
export interface RememberedGroup {
  groupId: string;
  /** After the newest valid entry: pinned, and never rolled back. */
  state: RosterState;
  notes: GroupNotes;
  /** Last request to the relay, in milliseconds since 1970; 0 forces a new one. */
  fetchedAt: number;
}

/** A folded entry, complete and in its stored form. */
export interface AcceptedEntry {
  /** Null if it is not stored completely: it is older than the newest {@link MAX_WHOLE_ENTRIES}. */
  entry: RosterEntry | null;
  past: PastEntry;
  /** The fields that it sets. */
  sets: readonly SetField[];
}

/** Storage of groups. Every change must be durable when the call returns. */
export interface GroupMemory<G extends RememberedGroup> {
  find(groupId: string): G | null;
  /**
   * Advances a group by some entries, in one transaction. Creates a new group.
   * @throws Failure if there is no room for another group
   */
  advance(state: RosterState, accepted: readonly AcceptedEntry[]): G;
  /**
   * Replaces the chain of a group, in one transaction.
   * @param accepted all entries of the new chain
   */
  replace(state: RosterState, accepted: readonly AcceptedEntry[], notes: GroupNotes): G;
  note(group: G, notes: GroupNotes): G;
  /**
   * Stores a request to the relay.
   * @param at milliseconds since 1970; 0 forces a new one
   * @param view the relay's answer
   */
  fetched(group: G, at: number, view?: GroupView): G;
  /** Hash of the entry with an epoch, in base64url; null for none. */
  hashAt(groupId: string, epoch: number): string | null;
  /** Stored entries after an epoch, ascending. */
  after(groupId: string, epoch: number): readonly PastEntry[];
  /** All stored entries, newest first. */
  newestFirst(groupId: string): Iterable<PastEntry>;
  /** The newest complete entries, ascending: at most {@link MAX_WHOLE_ENTRIES}. */
  whole(groupId: string): readonly RosterEntry[];
}

/**
 * Reports whether someone is in a group, with read access at the relay.
 * @param own null without a known address
 */
export function isJoined({ state, notes }: RememberedGroup, own: string | null): boolean {
  return notes.stop?.why !== 'shut' && (own === null || isMember(state, own));
}

/**
 * Reports whether a group of a history waits for its chain: the user was a member, and the relay has neither shown nor denied
 * it since.
 */
export function isAwaitingChain({ state, notes }: RememberedGroup): boolean {
  return state.epoch === 0 && notes.pin?.joined === true && notes.stop?.why !== 'shut';
}

/** The reference of bodies to the newest entry of a state. */
export function placeOf({ epoch, hash }: RosterState): RosterReference {
  if (hash === null) throw new Error('a group without its first entry');
  return { epoch, hash };
}
