/** A relay's store with people in it, and its chains: entries are judged and appended as in the routes. */
import { DEFAULT_QUOTAS } from '../../src/protocol/limits.ts';
import type { RosterEntry } from '../../src/protocol/roster/forms.ts';
import type { RosterPart } from '../../src/protocol/roster/part.ts';
import type { PostContext, PostVerdict } from '../../src/protocol/roster/post.ts';
import type { RosterState } from '../../src/protocol/roster/state.ts';
import { judgeBeginning, judgeNext } from '../../src/relay/routes/roster-access.ts';
import { makeId, makeSecret } from '../../src/relay/secrets.ts';
import type { AppendOutcome, FoundOutcome, RosterStep } from '../../src/relay/store/roster-records.ts';
import type { Store } from '../../src/relay/store/store.ts';
import { type OpenStore, openStore } from './relay-store.ts';
import { contextOf, type RosterFixture } from './rosters.ts';

export class RosterKeeper {
  readonly store: Store;
  /** The relay's clock, in milliseconds since 1970. */
  now: number;
  readonly #open: OpenStore;
  readonly #people: readonly RosterFixture[];
  readonly #accounts = new Map<string, number>();
  readonly #newest = new Map<string, number>();

  private constructor(open: OpenStore, people: readonly RosterFixture[], now: number) {
    this.#open = open;
    this.store = open.store;
    this.now = now;
    this.#people = people;
  }

  /** Opens an empty store in which each of these people has published list 1. */
  static async open(people: readonly RosterFixture[], now: number): Promise<RosterKeeper> {
    const keeper = new RosterKeeper(await openStore(), people, now);
    for (const { address } of people) {
      await keeper.#signUp(address);
      await keeper.publish(address, 1);
    }
    return keeper;
  }

  async #signUp(address: string): Promise<void> {
    const { digest } = makeSecret('session');
    const times = { createdAt: this.now, expiresAt: this.now + 60_000 };
    await this.store.createSession(
      {
        id: makeId(),
        digest,
        address,
        ...times,
        renewal: null,
        admission: { policy: 'open', invitation: null },
        reopens: false,
      },
      8,
    );
    const credential = await this.store.findCredential(digest, this.now);
    if (!credential) throw new Error('a session that was just made is missing');
    this.#accounts.set(address, credential.account);
  }

  accountOf(address: string): number {
    const account = this.#accounts.get(address);
    if (account === undefined) throw new Error('nobody has this address');
    return account;
  }

  /** Number of the newest list that someone has published. */
  newest(address: string): number {
    return this.#newest.get(address) ?? 0;
  }

  /** The data for the store's verdict, with published lists only. */
  context(): PostContext {
    const { deviceList } = contextOf(this.#people, this.now);
    return {
      now: this.now,
      deviceList: (address, sequence) =>
        sequence <= this.newest(address) ? deviceList(address, sequence) : null,
      newestList: (address) => this.newest(address),
    };
  }

  /** Publishes someone's list, if it is the next. */
  async publish(address: string, sequence: number): Promise<void> {
    const deviceList = this.#people.find((person) => person.address === address)?.lists[sequence - 1];
    if (!deviceList) throw new Error('nobody has such a list');
    if (sequence !== this.newest(address) + 1) return;
    this.#newest.set(address, sequence);
    await this.store.publishDevices({
      account: this.accountOf(address),
      session: '',
      deviceList,
      after: sequence - 1,
      sealKeys: [],
      now: this.now,
    });
  }

  get judge() {
    return { store: this.store, clock: () => this.now };
  }

  async endAccount(address: string): Promise<void> {
    await this.store.deleteAccount(this.accountOf(address), null, this.now);
  }

  async begin(entries: readonly RosterEntry[], founder: string): Promise<FoundOutcome> {
    const { judged, state } = await judgeBeginning(this.judge, founder, entries);
    const creator = this.accountOf(founder);
    const { now } = this;
    return this.store.createRoster(
      { creator, entries: judged, state, passwordHash: null, listed: true, now },
      DEFAULT_QUOTAS,
    );
  }

  async verdict(groupId: string, entry: RosterEntry): Promise<PostVerdict> {
    return (await judgeNext(this.judge, groupId, entry)).verdict;
  }

  /** The entry to append if it is valid. */
  async step(groupId: string, entry: RosterEntry): Promise<RosterStep> {
    const { group, state, verdict } = await judgeNext(this.judge, groupId, entry);
    if (verdict.verdict !== 'taken') throw new Error(`not taken: ${JSON.stringify(verdict)}`);
    const { entry: folded, state: after } = verdict;
    return { group: group.key, entry, folded, before: state, after, passwordHash: undefined, now: this.now };
  }

  async append(groupId: string, entry: RosterEntry): Promise<AppendOutcome> {
    return this.store.appendEntry(await this.step(groupId, entry), DEFAULT_QUOTAS);
  }

  /** The stored data of a chain's state; null if the group was deleted. */
  async state(
    groupId: string,
    people = this.#people.map(({ address }) => address),
  ): Promise<RosterState | null> {
    const whole: RosterPart = { people, uninvited: 'all', lists: [] };
    return (await this.store.readRoster(groupId, whole, 0))?.state ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open[Symbol.asyncDispose]();
  }
}
