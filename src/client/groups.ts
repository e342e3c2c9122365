/**
 * What a program remembers of its groups: in an identity's journal, or for as long as the program runs. The rules are
 * those of src/messaging/groups.
 */
import type { GroupMemory, RememberedGroup, ShownLists } from '../messaging/groups/memory.ts';
import { type MembersMemory, unconfirmedIn } from '../messaging/trust/members.ts';
import { membersHash } from '../protocol/members-hash.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { GroupView } from '../protocol/schemas/groups.ts';
import { IdentityError } from './errors.ts';
import type { Journal } from './identity/journal.ts';

/** Groups whose members one program remembers. To forget the oldest would let a relay wash out what is remembered. */
const MOST_GROUPS = 1_000;
/** A list of members named this long after the newest one was seen is no older one, in milliseconds. */
const SETTLED_AFTER = 10 * 60_000;

/** Groups of which it is remembered what the relay showed last; of others it is asked again. */
const MOST_SHOWN = 200;

/** What the relay showed last, while the program runs. */
interface Shown {
  unconfirmed: readonly string[];
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** Hashes of the lists of members that others may have been shown. */
  hashes(): ReadonlySet<string>;
}

export class ProgramGroups implements GroupMemory<RememberedGroup> {
  readonly #journal: Journal;
  readonly #own: () => string | null;
  readonly #shown = new RecentMap<string, Shown>(MOST_SHOWN);

  /** @param own the user's address; null before it is known */
  constructor(journal: Journal, own: () => string | null) {
    this.#journal = journal;
    this.#own = own;
  }

  find(groupId: string): RememberedGroup | null {
    const stored = this.#journal.membersOf(groupId);
    if (!stored) return null;
    const { creator, believed } = stored;
    const { unconfirmed = [], fetchedAt = 0 } = this.#shown.get(groupId) ?? {};
    const own = this.#own();
    const joined = own === null || believed.includes(own);
    const members = [...believed, ...unconfirmed];
    return { groupId, creator, members, unconfirmed, joined, joinedAt: 0, fetchedAt };
  }

  members({ groupId }: RememberedGroup): MembersMemory {
    return this.#journal.membersOf(groupId) ?? { believed: [], departed: [] };
  }

  /** @throws IdentityError if there is no room for another group */
  save(
    view: GroupView,
    members: MembersMemory,
    _own: string | null,
    { current }: ShownLists,
  ): RememberedGroup {
    if (!this.#journal.membersOf(view.id) && this.#journal.groupCount >= MOST_GROUPS) {
      throw new IdentityError('identity_groups_full', { most: MOST_GROUPS });
    }
    return this.#keep(view.id, view.creator, view.members, members, current, Date.now());
  }

  setMembers(
    { groupId, creator, members: shown, fetchedAt }: RememberedGroup,
    members: MembersMemory,
    _own: string | null,
    { current }: ShownLists,
  ): RememberedGroup {
    return this.#keep(groupId, creator, shown, members, current, fetchedAt);
  }

  #keep(
    groupId: string,
    creator: string | null,
    shown: readonly string[],
    { believed, departed }: MembersMemory,
    current: () => string[],
    fetchedAt: number,
  ): RememberedGroup {
    const before = this.#journal.membersOf(groupId);
    if (!before || !isSame(before.believed, believed) || !isSame(before.departed, departed)) {
      const first = before?.creator ?? creator;
      this.#journal.saveMembers(groupId, { creator: first, believed, departed, changedAt: Date.now() });
    }
    let hashes: Set<string> | null = null;
    this.#shown.set(groupId, {
      unconfirmed: unconfirmedIn({ believed, departed }, shown),
      fetchedAt,
      hashes() {
        hashes ??= new Set(current());
        return hashes;
      },
    });
    return this.#get(groupId);
  }

  forgetShown({ groupId }: RememberedGroup, address: string): void {
    const shown = this.#shown.get(groupId);
    if (!shown) return;
    const unconfirmed = shown.unconfirmed.filter((member) => member !== address);
    this.#shown.set(groupId, { ...shown, unconfirmed });
  }

  /** What was written before the newest list was seen may name any older one: those are not remembered. */
  hasShown({ groupId }: RememberedGroup, hash: string, namedAt: number): boolean {
    const stored = this.#journal.membersOf(groupId);
    if (!stored || namedAt < stored.changedAt + SETTLED_AFTER) return true;
    const shown = this.#shown.get(groupId);
    return shown ? shown.hashes().has(hash) : membersHash([...stored.believed]) === hash;
  }

  expire({ groupId }: RememberedGroup): void {
    const shown = this.#shown.get(groupId);
    if (shown) this.#shown.set(groupId, { ...shown, fetchedAt: 0 });
  }

  /** Each line of the journal is durable by itself. */
  transaction<T>(work: () => T): T {
    return work();
  }

  #get(groupId: string): RememberedGroup {
    const group = this.find(groupId);
    if (!group) throw new Error('a group that was just kept is missing');
    return group;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return one.length === other.length && other.every((address) => members.has(address));
}
