/**
 * People who follow the chain of one group at a relay in memory, each with their own memory: for tests of their
 * accepted entries and their reactions.
 */
import { Journal } from '../../src/client/identity/journal/journal.ts';
import type { RememberedGroup } from '../../src/messaging/groups/chain-memory.ts';
import { GroupDirectory } from '../../src/messaging/groups/directory.ts';
import { KeyDirectory } from '../../src/messaging/trust/directory.ts';
import type { RosterEntry } from '../../src/protocol/roster/forms.ts';
import { ChainRelay } from './chain-relay.ts';
import { BEGINNING, type RosterFixture, signerOf } from './rosters.ts';

/** A relay and the common clock of all people, in milliseconds since 1970. */
export class GroupWorld {
  readonly relay: ChainRelay;
  now = BEGINNING;

  constructor(people: readonly RosterFixture[]) {
    this.relay = new ChainRelay(people, this.now);
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.relay.now = this.now;
  }
}

/** A person who follows the chains of a relay. */
export class Follower {
  readonly own = { list: 1 };
  readonly journal: Journal;
  /** Messages that they sent to others. */
  readonly sent = {
    requests: [] as string[],
    answered: [] as string[],
    spread: [] as RosterEntry[],
    informed: [] as RosterEntry[],
    passedOn: [] as RosterEntry[],
  };
  /** The signer of each reported departure. */
  readonly causes = new Map<string, string | null>();
  /** Reported joins (`+`) and departures (`-`). */
  readonly changes: string[] = [];
  /** The reason of the stop at each reported change; undefined without a stop. */
  readonly noted: (string | undefined)[] = [];
  /** Calls about device lists. */
  listCalls = 0;
  readonly keys: KeyDirectory;
  readonly groups: GroupDirectory<RememberedGroup>;

  constructor(world: GroupWorld, person: RosterFixture) {
    const { relay } = world;
    const { own, sent, changes, causes, noted } = this;
    const now = () => world.now;
    this.journal = new Journal(null, world.now);
    const keyHistories: ChainRelay['keyHistories'] = (wants) => {
      this.listCalls++;
      return relay.keyHistories(wants);
    };
    const keys = async (address: string) => {
      this.listCalls++;
      return relay.keys(address);
    };
    const source = { keys, keyHistories, pqKeys: async () => ({}) };
    this.keys = new KeyDirectory({ source, memory: this.journal, now, own: null });
    this.groups = new GroupDirectory<RememberedGroup>({
      source: {
        group: () => relay.group(),
        foundGroup: (request) => relay.foundGroup(request),
        admit: () => relay.admit(),
        roster: (id, after) => relay.roster(id, after),
        appendEntry: (id, entry) => relay.appendEntry(id, entry, person.address),
        keyHistories,
      },
      keys: this.keys,
      memory: this.journal.chains,
      own: () => person.address,
      signer: () => signerOf(person, own.list),
      async renewSigner() {
        own.list = relay.published.get(person.address) ?? 1;
      },
      now,
      provesEarly: true,
      onTimeline(_, { joined, left }) {
        for (const { address, by } of left) causes.set(address, by);
        changes.push(...joined.map((each) => `+${each}`), ...left.map(({ address }) => `-${address}`));
      },
      onChanged: ({ notes }) => void noted.push(notes.stop?.why),
      talk: () => ({
        requestEntry: (_, sender) => void sent.requests.push(sender),
        answer: (_, sender) => void sent.answered.push(sender),
        spread: (_, entry) => void sent.spread.push(entry),
        inform: (_, entry) => void sent.informed.push(entry),
        passOn: (_, entry) => void sent.passedOn.push(entry),
      }),
    });
  }

  /** The reason why nothing is sent to a group, after a read; null if sending is possible. */
  async problem(id: string): Promise<string | null> {
    try {
      await this.groups.now(id, 0);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  known(id: string): RememberedGroup {
    const group = this.journal.chains.find(id);
    if (!group) throw new Error('the group is not known');
    return group;
  }
}
