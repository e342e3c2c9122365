/**
 * What is remembered of groups: what the entries of their rosters come to, and as much of the entries as looking back
 * takes. App and library store it, each in its own way.
 */
import { z } from 'zod';
import { Bytes, WireAddress } from '../../protocol/primitives.ts';
import { RosterEntry } from '../../protocol/roster/forms.ts';
import type { PastEntry } from '../../protocol/roster/history.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';

/** Of the newest entries so many are kept whole, to be handed to members from whom the relay hides them. */
export const MOST_WHOLE_ENTRIES = 32;
/** Entries that the person decided against: so many are remembered of a group. */
const MOST_DECIDED = 16;

/** Why nothing is sealed for a group, as it was found when its chain was read last. */
export const ChainStop = z.union([
  /** A later version wrote the next entry. */
  z.strictObject({ why: z.literal('newer') }),
  /** The next entry that the relay shows does not hold. */
  z.strictObject({ why: z.literal('refused'), reason: z.string(), epoch: z.number() }),
  /** The next entry lies ahead of the clock. */
  z.strictObject({ why: z.literal('clock') }),
  /** A device list that the next entry, or its ticket, names is not shown. */
  z.strictObject({ why: z.literal('list'), address: WireAddress }),
  /** The relay shows less than it did, or members who are not those of the chain. */
  z.strictObject({ why: z.literal('behind') }),
  /** The relay shows another chain than the one that is pinned. */
  z.strictObject({ why: z.literal('replaced') }),
  /** The relay does not let the user read the group any more: only its word that they are no member. */
  z.strictObject({ why: z.literal('shut') }),
]);
export type ChainStop = z.infer<typeof ChainStop>;

/** What is noted of a group beside its chain. Plain data that goes into JSON. */
export const GroupNotes = z.strictObject({
  stop: ChainStop.nullable(),
  /** The proof that the relay shows someone else another chain. Nothing is sealed until it shows one chain with it. */
  split: RosterEntry.nullable(),
  /** A change that was handed over and follows, and that the relay has not taken yet. Nothing is sealed meanwhile. */
  missing: RosterEntry.nullable(),
  /** Hashes of such proofs that the person decided against. */
  decided: z.array(Bytes(32)).max(MOST_DECIDED),
  /** The newest change or ticket of a device that its owner has removed since, and that no other change has confirmed. */
  dropped: z.strictObject({ epoch: z.number().int(), address: WireAddress }).nullable(),
  /** Acts of such devices up to this epoch that the person let stand. */
  stoodUpTo: z.number().int().min(0),
});
export type GroupNotes = z.infer<typeof GroupNotes>;

export const NOTHING_NOTED: GroupNotes = {
  stop: null,
  split: null,
  missing: null,
  decided: [],
  dropped: null,
  stoodUpTo: 0,
};

/** The notes after the person decided for the chain that the relay shows, and against a proof. */
export function decidedAgainst(notes: GroupNotes, hash: string): GroupNotes {
  return { ...notes, split: null, decided: [...notes.decided, hash].slice(-MOST_DECIDED) };
}

/**
 * The notes after the person decided for another chain than the one that was pinned: what they said of that is over, but for
 * proofs that they decided against.
 * @param fork epoch of the last entry that both have
 * @param lost hashes of the changes that are lost, ascending
 */
export function decidedForOther(notes: GroupNotes, fork: number, lost: readonly string[]): GroupNotes {
  const decided = [...notes.decided, ...lost].slice(-MOST_DECIDED);
  return { ...NOTHING_NOTED, decided, stoodUpTo: Math.min(notes.stoodUpTo, fork) };
}

/** One group. */
export interface RememberedGroup {
  groupId: string;
  /** After the newest entry that was seen and holds: it is pinned, and never goes back. */
  state: RosterState;
  notes: GroupNotes;
  /** When the relay was asked for it last, in milliseconds since 1970; 0 where it has to be asked again. */
  fetchedAt: number;
}

/** An entry that was folded, whole and as it is remembered. */
export interface TakenEntry {
  /** Null of one that is not kept whole: it is not among the newest {@link MOST_WHOLE_ENTRIES}. */
  entry: RosterEntry | null;
  past: PastEntry;
}

/** Where groups are kept. Every change must be durable when the call returns. */
export interface GroupMemory<G extends RememberedGroup> {
  find(groupId: string): G | null;
  /**
   * Goes on to the state after some more entries, all at once or not at all. A group that is new is made.
   * @throws Failure if there is no room for another group
   */
  advance(state: RosterState, taken: readonly TakenEntry[]): G;
  /** Puts another chain of a group in the place of what is remembered, all at once or not at all. @param taken all its entries */
  replace(state: RosterState, taken: readonly TakenEntry[], notes: GroupNotes): G;
  note(group: G, notes: GroupNotes): G;
  /** The relay was asked. @param at milliseconds since 1970; 0: it has to be asked again @param view what it showed */
  fetched(group: G, at: number, view?: GroupView): G;
  /** Hash of the entry with an epoch, in base64url; null if there is none. */
  hashAt(groupId: string, epoch: number): string | null;
  /** What is remembered of the entries after an epoch, ascending. */
  after(groupId: string, epoch: number): readonly PastEntry[];
  /** The same of all entries, from the last one back. */
  newestFirst(groupId: string): Iterable<PastEntry>;
  /** The newest entries, those that are kept whole, ascending: at most {@link MOST_WHOLE_ENTRIES}. */
  whole(groupId: string): readonly RosterEntry[];
}

/** Whether someone is in a group, and the relay lets them read it. @param own null where nobody's address is known */
export function isJoined({ state, notes }: RememberedGroup, own: string | null): boolean {
  return notes.stop?.why !== 'shut' && (own === null || isMember(state, own));
}

/** How bodies name the newest entry of a state. */
export function placeOf({ epoch, hash }: RosterState): RosterReference {
  if (hash === null) throw new Error('a group without its first entry');
  return { epoch, hash };
}
