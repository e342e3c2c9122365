/**
 * A relay in memory that keeps chains by the rules of the protocol, and can be made to lie: for tests of
 * clients that follow.
 */
import { type GroupSource, RelayRefusal } from '../../src/messaging/relay.ts';
import { decodeBase64Url } from '../../src/protocol/encoding.ts';
import { entryHash, groupIdOf } from '../../src/protocol/roster/entry.ts';
import { foldRoster } from '../../src/protocol/roster/fold.ts';
import type { RosterEntry } from '../../src/protocol/roster/forms.ts';
import { judgePost } from '../../src/protocol/roster/post.ts';
import { emptyRoster, membersOf, type RosterState } from '../../src/protocol/roster/state.ts';
import type { AddressKeys } from '../../src/protocol/schemas/directory.ts';
import type { GroupView } from '../../src/protocol/schemas/groups.ts';
import { contextOf, type RosterFixture } from './rosters.ts';

export class ChainRelay implements GroupSource {
  readonly people: readonly RosterFixture[];
  readonly entries: RosterEntry[] = [];
  /** Number of published lists of each person. */
  readonly published = new Map<string, number>();
  /** Entries up to this epoch are shown; all unless set. */
  shownUpTo = Number.POSITIVE_INFINITY;
  /** Addresses whose older lists are not shown. */
  readonly withoutHistory = new Set<string>();
  /** Entries in one page. */
  page = 2;
  /** Called once, before an entry is judged. */
  beforePost: (() => void) | null = null;
  now: number;
  calls = 0;

  constructor(people: readonly RosterFixture[], now: number) {
    this.people = people;
    this.now = now;
    for (const { address } of people) this.published.set(address, 1);
  }

  get shown(): RosterEntry[] {
    return this.entries.slice(0, Math.min(this.entries.length, this.shownUpTo));
  }

  state(entries: readonly RosterEntry[] = this.entries): RosterState {
    const [first] = entries;
    if (!first) throw new Error('no group');
    const id = groupIdOf(decodeBase64Url(first.body));
    return foldRoster(emptyRoster(id), entries, contextOf(this.people, this.now + 1_000_000_000)).state;
  }

  keys(address: string): AddressKeys | null {
    const person = this.people.find((each) => each.address === address);
    const deviceList = person?.lists[(this.published.get(address) ?? 1) - 1];
    return deviceList
      ? ({ address, deviceList, sealKeys: [], profile: null } as unknown as AddressKeys)
      : null;
  }

  async keyHistories(wants: { address: string; after: number; upTo: number }[]) {
    return wants.map(({ address, after, upTo }) => {
      const person = this.people.find((each) => each.address === address);
      const lists = this.withoutHistory.has(address)
        ? []
        : (person?.lists ?? [])
            .slice(0, this.published.get(address))
            .filter(({ sequence }) => sequence > after && sequence <= upTo);
      return { lists: [...lists], more: false };
    });
  }

  async group(): Promise<GroupView> {
    this.calls++;
    const state = this.state(this.shown);
    const members = membersOf(state);
    return {
      id: state.groupId,
      name: state.name,
      verified: false,
      memberCount: members.length,
      hasPassword: state.join === 'password',
      join: state.join,
      creator: state.creator,
      description: state.description,
      roster: { epoch: state.epoch, hash: state.hash ?? '' },
      createdAt: '2026-11-20T20:00:00.000Z',
      members,
      memberDeviceKeys: Object.fromEntries(members.map((address) => [address, []])),
      memberDevices: Object.fromEntries(
        members.flatMap((address) => {
          const keys = this.keys(address);
          return keys ? [[address, { deviceList: keys.deviceList, sealKeys: [] }]] : [];
        }),
      ),
      memberProfiles: {},
    };
  }

  async foundGroup({ entries }: { entries: RosterEntry[] }): Promise<GroupView> {
    for (const entry of entries) this.#post(entry);
    return this.group();
  }

  async admit(): Promise<{ epoch: number; hash: string }> {
    const { epoch, hash } = this.state(this.shown);
    return { epoch, hash: hash ?? '' };
  }

  async roster(_groupId: string, after: number) {
    this.calls++;
    const rest = this.shown.slice(after);
    return { entries: rest.slice(0, this.page), more: rest.length > this.page };
  }

  /** @param poster who brings it; its signer unless given */
  async appendEntry(_groupId: string, entry: RosterEntry, poster?: string): Promise<void> {
    const before = this.beforePost;
    this.beforePost = null;
    before?.();
    this.#post(entry, poster);
  }

  #post(entry: RosterEntry, poster?: string): void {
    const shown = this.shown;
    const state = shown.length > 0 ? this.state(shown) : emptyRoster(groupIdOf(decodeBase64Url(entry.body)));
    const hashAt = (epoch: number) => entryHash(shown[epoch - 1] as RosterEntry);
    const newestList = (address: string) => this.published.get(address) ?? 0;
    const verdict = judgePost(state, entry, hashAt, {
      ...contextOf(this.people, this.now),
      newestList,
      ...(poster && { poster }),
    });
    if (verdict.verdict === 'conflict') throw new RelayRefusal(409, 'roster_conflict', '');
    if (verdict.verdict === 'refused')
      throw new RelayRefusal(422, 'roster_refused', '', null, verdict.reason);
    if (verdict.verdict === 'taken') this.entries.splice(shown.length, this.entries.length, entry);
  }
}
