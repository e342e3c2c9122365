import { expect, test } from 'vitest';
import { RememberedChain } from '../../../../src/messaging/groups/chain.ts';
import { ChainHistories } from '../../../../src/messaging/groups/chain-history.ts';
import type { GroupMemory, RememberedGroup } from '../../../../src/messaging/groups/chain-memory.ts';
import { NOTHING_NOTED } from '../../../../src/messaging/groups/chain-memory.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { PastEntry } from '../../../../src/protocol/roster/history.ts';
import { judgeGroupMessage } from '../../../../src/protocol/roster/messages.ts';
import type { RosterRole } from '../../../../src/protocol/roster/roles.ts';
import { emptyRoster, type RosterPerson } from '../../../../src/protocol/roster/state.ts';

const MINUTE = 60_000;
const BEGINNING = Date.parse('2026-11-20T20:00:00.000Z');
const GROUP = 'group';

/** A stored chain, and the number of its entries that were read. */
class Remembered {
  past: PastEntry[] = [];
  read = 0;
  readonly histories: ChainHistories;
  readonly #memory: Pick<GroupMemory<RememberedGroup>, 'after' | 'hashAt'>;

  constructor() {
    this.#memory = {
      hashAt: (_, epoch) => this.past[epoch - 1]?.hash ?? null,
      after: (_, epoch) => {
        const entries = this.past.slice(epoch);
        this.read += entries.length;
        return entries;
      },
    };
    this.histories = new ChainHistories(this.#memory);
  }

  /** The next entry gives someone a role. */
  give(by: string, address: string, role: RosterRole): this {
    this.add(by, 'change');
    const last = this.past.pop() as PastEntry;
    this.past.push({ ...last, roles: [{ address, role }] });
    return this;
  }

  add(by: string, kind: PastEntry['body']['kind'], remove?: string[], name = 'entry'): this {
    const epoch = this.past.length + 1;
    const issued = encodeTime(BEGINNING + epoch * MINUTE);
    const body = { epoch, issued, by, kind, ...(remove && { remove }) };
    this.past.push({ body, hash: `${name} ${epoch}`, deviceId: 'device' });
    return this;
  }

  get chain(): RememberedChain<RememberedGroup> {
    const members = new Map<string, number>();
    for (const { body } of this.past) {
      if (body.kind === 'create' || body.kind === 'join') members.set(body.by, body.epoch);
      if (body.kind === 'leave') members.delete(body.by);
      for (const address of body.remove ?? []) members.delete(address);
    }
    const people = Object.fromEntries(
      [...members].map(([address, since]) => [address, { since } as RosterPerson]),
    );
    const hash = this.past.at(-1)?.hash ?? null;
    const state = { ...emptyRoster(GROUP), people, epoch: this.past.length, hash };
    const group = { groupId: GROUP, state, notes: NOTHING_NOTED, fetchedAt: 0 };
    return new RememberedChain(this.#memory as GroupMemory<RememberedGroup>, this.histories, group);
  }

  /** Reports whether someone was a member after an entry, by applying the entries one by one. */
  wasMember(address: string, epoch: number): boolean {
    return this.past.slice(0, epoch).reduce((is, { body }) => {
      if ((body.kind === 'create' || body.kind === 'join') && body.by === address) return true;
      const goes = (body.kind === 'leave' && body.by === address) || body.remove?.includes(address);
      return is && !goes;
    }, false);
  }
}

/** Ann's group, which people join and which every second of them leaves. */
function longChain(length: number): Remembered {
  const remembered = new Remembered().add('ann', 'create').add('ben', 'join');
  for (let index = 0; remembered.past.length < length; index++) {
    const name = `person ${index % 500}`;
    remembered.add(name, 'join');
    if (index % 3 === 0) remembered.add(name, 'leave');
    else remembered.add('ann', 'change', [name]);
  }
  return remembered;
}

test('reads a long chain once for messages that name an old entry', () => {
  const remembered = longChain(4_000);
  const judge = (sender: string, epoch: number) =>
    judgeGroupMessage(remembered.chain, {
      sender,
      authorship: { by: 'member' },
      roster: { epoch, hash: `entry ${epoch}` },
      sentAt: BEGINNING,
      receivedAt: BEGINNING + 3 * MINUTE,
      isRequested: false,
    });
  for (let times = 0; times < 50; times++) expect(judge('ben', 2 + times).verdict).toBe('shown');
  expect(remembered.read, 'each entry was read once').toBe(4_000);
  remembered.add('cat', 'join');
  expect(judge('cat', 5).verdict).toBe('not_a_member');
  expect(remembered.read, 'what is new is read alone').toBe(4_001);
});

test('membership over time equals that of folding entry by entry', () => {
  const remembered = longChain(1_200);
  remembered.add('ben', 'leave').add('ben', 'join');
  const { chain } = remembered;
  const addresses = ['ann', 'ben', 'nobody', ...Array.from({ length: 20 }, (_, index) => `person ${index}`)];
  for (const address of addresses) {
    for (let epoch = 1; epoch <= remembered.past.length; epoch += 7) {
      expect([address, epoch, chain.wasMember(address, epoch)]).toEqual([
        address,
        epoch,
        remembered.wasMember(address, epoch),
      ]);
    }
  }
});

test('reads a replaced chain again', () => {
  const remembered = longChain(100);
  expect(remembered.chain.wasMember('ben', 50)).toBe(true);
  remembered.past = remembered.past.slice(0, 1);
  remembered.add('cat', 'join', undefined, 'other').add('dan', 'join', undefined, 'other');
  while (remembered.past.length < 120) remembered.add('ann', 'change', undefined, 'other');
  const { chain } = remembered;
  expect([chain.wasMember('ben', 50), chain.wasMember('cat', 50)]).toEqual([false, true]);
});

test('a message from before many removals names some of the removed members', () => {
  const { chain } = longChain(1_000);
  const verdict = judgeGroupMessage(chain, {
    sender: 'ann',
    authorship: { by: 'member' },
    roster: { epoch: 2, hash: 'entry 2' },
    sentAt: BEGINNING + 10_000 * MINUTE,
    receivedAt: BEGINNING + 10_000 * MINUTE,
    isRequested: false,
  });
  expect(verdict).toMatchObject({ verdict: 'shown' });
  expect(verdict.verdict === 'shown' && verdict.unaware).toHaveLength(20);
});

test('a message has the rights of the entry that it names, and lost ones for ten minutes more', () => {
  const remembered = new Remembered().add('ann', 'create').add('ben', 'join').add('cat', 'join');
  remembered.give('ann', 'ben', 'admin').add('dan', 'join').give('ann', 'ben', 'none').add('eve', 'join');
  const { chain } = remembered;
  const manages = (sender: string, epoch: number, minutes: number) =>
    chain.manages({
      sender,
      authorship: { by: 'member' },
      roster: { epoch, hash: `entry ${epoch}` },
      sentAt: BEGINNING,
      receivedAt: BEGINNING + minutes * MINUTE,
      isRequested: false,
    });
  // Ben became an admin with entry 4, in minute 4, and lost the role with entry 6, in minute 6.
  expect(manages('ben', 3, 5), 'held back until he became one').toBe(false);
  expect(manages('ben', 5, 5)).toBe(true);
  expect(manages('ben', 5, 15)).toBe(true);
  expect(manages('ben', 5, 16), 'dated back').toBe(false);
  expect(manages('ben', 6, 7)).toBe(false);
  expect([manages('ann', 2, 60), manages('cat', 5, 5), manages('nobody', 5, 5)]).toEqual([
    true,
    false,
    false,
  ]);
});
