/**
 * A relay that is killed at any moment stores each entry together with its changes, or neither.
 */
import type { ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';
import { decodeUtf8 } from '../../../src/protocol/encoding.ts';
import { foldRoster } from '../../../src/protocol/roster/fold.ts';
import type { RosterEntry } from '../../../src/protocol/roster/forms.ts';
import { nextEntry } from '../../../src/protocol/roster/making.ts';
import { emptyRoster, membersOf, type RosterState } from '../../../src/protocol/roster/state.ts';
import type { GroupView } from '../../../src/protocol/schemas/groups.ts';
import { openSqliteStore } from '../../../src/relay/store/sqlite/store.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { startProcess } from '../../support/relay-child.ts';
import { signerOf, TestRoster } from '../../support/relay-rosters.ts';

const KILLS = 3;
/** Number of answered changes before each kill. */
const CHANGES = 8;

test('after a kill -9 at any moment each answered entry exists, and the state matches the folded chain', async () => {
  await using relay = await new TestRelay().start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { name: '0' });
  const { params } = roster;
  await roster.admit(ben);
  const people = new Map([ann, ben].map((person) => [person.address, person]));
  const fold = (entries: readonly RosterEntry[]): RosterState => {
    const deviceList = (address: string) => people.get(address)?.list ?? null;
    const folded = foldRoster(emptyRoster(roster.id), entries, { now: relay.now(), deviceList });
    expect(folded.end).toBeNull();
    return folded.state;
  };
  const readChain = async () =>
    (await relay.call('getRoster', { token: ann.token, params, query: { limit: 100 } })).body.entries;

  /** Ann changes the group until the relay is killed, soon after it has answered some changes. */
  async function carryOn(state: RosterState, child: ChildProcess): Promise<string[]> {
    const answered: string[] = [];
    const deviceList = (address: string) => people.get(address)?.list ?? null;
    try {
      for (;;) {
        const content = {
          kind: 'change' as const,
          name: `After ${state.epoch}`,
          uninvite: [ben.address],
        };
        const entry = nextEntry(state, signerOf(ann), content, relay.now());
        expect((await roster.post(ann.token, entry)).status).toBe(200);
        answered.push(entry.body);
        state = foldRoster(state, [entry], { now: relay.now(), deviceList }).state;
        if (answered.length === CHANGES) setTimeout(() => child.kill('SIGKILL'), 20 * Math.random());
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // The connection is closed.
    }
    return answered;
  }

  const port = new URL(relay.url).port;
  await relay.stop();
  const answered: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await startProcess(relay.folder.path, port);
    answered.push(...(await carryOn(fold(await readChain()), child)));
  }
  await relay.start();
  const entries = await readChain();
  await relay.stop();
  const bodies = new Set(entries.map(({ body }) => body));
  expect(answered.length).toBeGreaterThanOrEqual(KILLS * CHANGES);
  expect(answered.filter((body) => !bodies.has(body))).toEqual([]);

  const whole = fold(entries);
  const store = await openSqliteStore({
    dataDirectory: relay.folder.path,
    queueBytes: 1e6,
    onBroken: (reason) => expect.unreachable(reason),
  });
  const part = { people: [...people.keys()], uninvited: 'all', lists: [] } as const;
  const stored = await store.readRoster(roster.id, part, whole.epoch);
  expect(stored?.state).toEqual(whole);
  expect(stored?.hash).toBe(whole.hash);
  const view = stored && (await store.groupAsJson(stored.group.key, relay.now(), 1));
  const { members }: GroupView = JSON.parse(decodeUtf8(view ?? new Uint8Array()));
  expect(members).toEqual(membersOf(whole));
  await store.close();
});
