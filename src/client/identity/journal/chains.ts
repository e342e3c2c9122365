/**
 * The groups of an identity in its journal: the folded states of their chains, past entries, and notes. A line
 * contains only changes, so that a join into a large group is a short one.
 */
import { z } from 'zod';
import {
  type AcceptedEntry,
  type GroupMemory,
  GroupNotes,
  MAX_WHOLE_ENTRIES,
  NOTHING_NOTED,
  type RememberedGroup,
} from '../../../messaging/groups/chain-memory.ts';
import { Bytes, OpaqueId, WireAddress, WireTime } from '../../../protocol/primitives.ts';
import { JoinMode, RosterBot, RosterEntry, RosterLink } from '../../../protocol/roster/forms.ts';
import { LINK_ACTS, type PastEntry } from '../../../protocol/roster/history.ts';
import { MAX_ADMINS, MAX_BOTS, MAX_ENTRIES } from '../../../protocol/roster/limits.ts';
import { ROSTER_ROLES } from '../../../protocol/roster/roles.ts';
import { emptyRoster, type RosterState } from '../../../protocol/roster/state.ts';
import { IdentityError } from '../../errors.ts';
import type { Table } from './table.ts';

/** The most groups that a program remembers. Forgetting the oldest would let a relay roll it back. */
const MAX_GROUPS = 1_000;
/** The most past entries of all groups, and bots that ended with them: about 300 bytes each in memory. */
const MAX_PAST = 4 * MAX_ENTRIES;

const Person = z.strictObject({
  list: z.number(),
  since: z.number().nullable(),
  joins: z.array(z.number()),
  departed: z.number().nullable(),
  removed: z.boolean(),
  signed: z.number(),
});

/** A state without current and former members. */
const Head = z.strictObject({
  groupId: OpaqueId,
  epoch: z.number().int(),
  hash: Bytes(32).nullable(),
  issued: z.number(),
  name: z.string(),
  description: z.string(),
  creator: WireAddress.nullable(),
  admins: z.array(WireAddress),
  join: JoinMode,
  joinKey: Bytes(32).nullable(),
  bots: z.array(RosterBot),
  links: z.array(RosterLink),
  timer: z.number(),
  unsignedBots: z.boolean(),
  memberCount: z.number(),
  ticketsAfter: z.number(),
});

const Past = z.strictObject({
  body: z.strictObject({
    epoch: z.number().int(),
    issued: WireTime,
    by: WireAddress,
    kind: z.enum(['create', 'join', 'leave', 'change']),
    remove: z.array(WireAddress).optional(),
    ticket: z.strictObject({ by: WireAddress, deviceId: Bytes(16) }).optional(),
    timer: z.number().optional(),
  }),
  hash: Bytes(32),
  deviceId: Bytes(16),
  endedBots: z.array(RosterBot).max(MAX_BOTS).optional(),
  roles: z
    .array(z.strictObject({ address: WireAddress, role: z.enum(ROSTER_ROLES) }))
    .max(2 * MAX_ADMINS + 2)
    .optional(),
  links: z.array(z.enum(LINK_ACTS)).max(LINK_ACTS.length).optional(),
});

/** A change of a group. */
export const ChainLine = z.union([
  z.strictObject({
    roster: z.strictObject({
      head: Head,
      /** People with changes. */
      people: z.record(WireAddress, Person),
      /** Null for no change. */
      uninvited: z.record(WireAddress, z.number()).nullable(),
      past: z.array(Past),
      whole: z.array(RosterEntry).max(MAX_WHOLE_ENTRIES),
      /** The notes of a group whose stored data this line replaces; absent if it continues. */
      anew: GroupNotes.optional(),
    }),
  }),
  z.strictObject({ rosterOf: OpaqueId, notes: GroupNotes }),
]);
export type ChainLine = z.infer<typeof ChainLine>;
type ChainOnward = Extract<ChainLine, { roster: unknown }>;

interface KeptGroup extends RememberedGroup {
  past: PastEntry[];
  whole: RosterEntry[];
}

export class JournalChains implements GroupMemory<RememberedGroup>, Table<ChainLine> {
  readonly schema = ChainLine;
  readonly #add: (line: ChainLine) => void;
  readonly #groups = new Map<string, KeptGroup>();
  #pastCount = 0;

  /** @param add makes a line durable, then applies it here */
  constructor(add: (line: ChainLine) => void) {
    this.#add = add;
  }

  find(groupId: string): RememberedGroup | null {
    const kept = this.#groups.get(groupId);
    return kept ? shownOf(kept) : null;
  }

  /** Every stored group. */
  all(): RememberedGroup[] {
    return [...this.#groups.values()].map(shownOf);
  }

  /** @throws IdentityError if there is no room for another group, or for more entries */
  advance(state: RosterState, added: readonly AcceptedEntry[]): RememberedGroup {
    const before = this.#groups.get(state.groupId);
    if (!before && this.#groups.size >= MAX_GROUPS) throw full();
    this.#requireRoom(added);
    this.#add(lineOf(before?.state ?? emptyRoster(state.groupId), state, added));
    return shownOf(this.#get(state.groupId));
  }

  /** @throws IdentityError if there is no room for more entries */
  replace(state: RosterState, added: readonly AcceptedEntry[], notes: GroupNotes): RememberedGroup {
    const { groupId } = state;
    this.#requireRoom(added, this.#get(groupId).past);
    const { roster } = lineOf(emptyRoster(groupId), state, added);
    this.#add({ roster: { ...roster, anew: notes } });
    return shownOf(this.#get(groupId));
  }

  /** @param freed entries to be deleted */
  #requireRoom(added: readonly AcceptedEntry[], freed: readonly PastEntry[] = []): void {
    const count = this.#pastCount - countOf(freed) + countOf(added.map(({ past }) => past));
    if (count > MAX_PAST) throw full();
  }

  note({ groupId }: RememberedGroup, notes: GroupNotes): RememberedGroup {
    const kept = this.#get(groupId);
    if (JSON.stringify(kept.notes) !== JSON.stringify(notes)) this.#add({ rosterOf: groupId, notes });
    return shownOf(kept);
  }

  fetched({ groupId }: RememberedGroup, at: number): RememberedGroup {
    const kept = this.#get(groupId);
    kept.fetchedAt = at;
    return shownOf(kept);
  }

  hashAt(groupId: string, epoch: number): string | null {
    return this.#groups.get(groupId)?.past[epoch - 1]?.hash ?? null;
  }

  after(groupId: string, epoch: number): readonly PastEntry[] {
    return this.#groups.get(groupId)?.past.slice(epoch) ?? [];
  }

  *newestFirst(groupId: string): Generator<PastEntry> {
    const { past } = this.#get(groupId);
    for (let index = past.length - 1; index >= 0; index--) {
      const entry = past[index];
      if (entry) yield entry;
    }
  }

  whole(groupId: string): readonly RosterEntry[] {
    return this.#groups.get(groupId)?.whole ?? [];
  }

  apply(line: ChainLine): void {
    if ('rosterOf' in line) {
      const kept = this.#groups.get(line.rosterOf);
      if (kept) kept.notes = line.notes;
      return;
    }
    const { head, people, uninvited, past, whole, anew } = line.roster;
    const before = this.#groups.get(head.groupId);
    if (before && anew) this.#pastCount -= countOf(before.past);
    const kept = (!anew && before) || {
      groupId: head.groupId,
      state: emptyRoster(head.groupId),
      notes: anew ?? NOTHING_NOTED,
      fetchedAt: 0,
      past: [],
      whole: [],
    };
    kept.state = {
      ...head,
      people: { ...kept.state.people, ...people },
      uninvited: uninvited ?? kept.state.uninvited,
    };
    for (const entry of past) kept.past.push(entry);
    kept.whole = [...kept.whole, ...whole].slice(-MAX_WHOLE_ENTRIES);
    this.#pastCount += countOf(past);
    this.#groups.set(head.groupId, kept);
  }

  entries(): ChainLine[] {
    return [...this.#groups.values()].flatMap(({ groupId, state, notes, past, whole }): ChainLine[] => {
      const { people, uninvited, ...head } = state;
      return [
        {
          roster: { head: headOf(head), people: { ...people }, uninvited: { ...uninvited }, past, whole },
        } as ChainLine,
        { rosterOf: groupId, notes },
      ];
    });
  }

  #get(groupId: string): KeptGroup {
    const kept = this.#groups.get(groupId);
    if (!kept) throw new Error('a group that was just there is missing');
    return kept;
  }
}

function full(): IdentityError {
  return new IdentityError('identity_groups_full', { most: MAX_GROUPS });
}

function countOf(past: readonly PastEntry[]): number {
  return past.reduce((count, { endedBots = [] }) => count + 1 + endedBots.length, 0);
}

/** The current state; the stored record is still updated. */
function shownOf({ groupId, state, notes, fetchedAt }: KeptGroup): RememberedGroup {
  return { groupId, state, notes, fetchedAt };
}

type StateHead = Omit<RosterState, 'people' | 'uninvited'>;

function headOf(head: StateHead): z.infer<typeof Head> {
  const { admins, bots, links } = head;
  return { ...head, admins: [...admins], bots: [...bots], links: [...links] };
}

function lineOf(before: RosterState, after: RosterState, added: readonly AcceptedEntry[]): ChainOnward {
  const { people, uninvited, ...head } = after;
  // The fold creates a new object for each changed person.
  const changed = Object.entries(people).filter(([address, person]) => before.people[address] !== person);
  const isSame = JSON.stringify(before.uninvited) === JSON.stringify(uninvited);
  return {
    roster: {
      head: headOf(head),
      people: Object.fromEntries(
        changed.map(([address, person]) => [address, { ...person, joins: [...person.joins] }]),
      ),
      uninvited: isSame ? null : { ...uninvited },
      past: added.map(({ past }) => past as z.infer<typeof Past>),
      whole: added.slice(-MAX_WHOLE_ENTRIES).flatMap(({ entry }) => entry ?? []),
    },
  };
}
