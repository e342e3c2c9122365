/** Many people who join a group between two reads of it: events, transactions and requests are counted. */
import { expect, test } from 'vitest';
import type { RelayApi } from '../../../src/client/api.ts';
import { AppGroups } from '../../../src/engine/app-groups.ts';
import { CollectedEvents } from '../../../src/engine/collected-events.ts';
import { Directory } from '../../../src/engine/directory.ts';
import { openAccount } from '../../support/cached-account.ts';
import { ChainRelay } from '../../support/chain-relay.ts';
import {
  BEGINNING,
  DAY,
  RosterChain,
  type RosterFixture,
  rosterFixture,
  signerOf,
} from '../../support/rosters.ts';

const NEW = 20;
const NOW = BEGINNING + 10 * DAY;
const ann = rosterFixture('ann', 0x04);
/** People of a test. @param first seed */
const peopleFrom = (first: number) =>
  Array.from({ length: NEW }, (_, index) => rosterFixture(`person ${index}`, 4 * index + first));

const profileOf = ({ address, name }: RosterFixture, index: number) => ({
  ...{
    address,
    handle: `person_${index}`,
    displayName: name,
    verified: false,
    createdAt: '2026-11-20T20:00:00.000Z',
  },
});

/** A group of Ann's in her cache, before she reads the joins of these people. */
async function openGroup(joining: readonly RosterFixture[], { haveHandles = false } = {}) {
  const events: { name: string; payload: unknown }[] = [];
  const due: (() => void)[] = [];
  const collected = new CollectedEvents(
    (name, payload) => void events.push({ name, payload }),
    (_, call) => {
      due.push(call);
      return () => undefined;
    },
  );
  const account = openAccount(
    ann.address,
    () => NOW,
    collected.emit as (name: string, payload: unknown) => void,
  );
  const { context } = account;
  const relay = new ChainRelay([ann, ...joining], NOW);
  relay.page = 2 * NEW;
  const chain = new RosterChain(relay.people, ann).add(ann, { kind: 'change', join: 'open' });
  relay.entries.push(...chain.entries);
  const view = relay.group.bind(relay);
  if (haveHandles)
    relay.group = async () => ({
      ...(await view()),
      memberProfiles: Object.fromEntries(
        joining.map((person, index) => [person.address, profileOf(person, index)]),
      ),
    });
  const requests: PropertyKey[] = [];
  const source = new Proxy(relay, {
    get(target, name) {
      if (['group', 'roster', 'keyHistories', 'keys'].includes(String(name))) requests.push(name);
      const value = Reflect.get(target, name);
      // Its own calls of itself are no requests.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as unknown as RelayApi;
  const groups = new AppGroups({
    ...{ context, relay: source, own: ann.address },
    directory: new Directory(context, source, ann.address),
    signer: () => signerOf(ann, 1),
    renewSigner: async () => undefined,
    talk: () => null,
    onJoined: () => undefined,
    onChanged: () => undefined,
  });
  const read = () => groups.known(chain.groupId, 0);
  await read();
  for (const person of joining) relay.entries.push(...chain.add(person, { kind: 'join' }).entries.slice(-1));
  for (const call of due.splice(0)) call();
  for (const call of due.splice(0)) call();
  events.splice(0);
  requests.splice(0);
  return { account, read, requests, events, due };
}

test('many joins lead to two events about people, and the last one has the rest', async () => {
  const joining = peopleFrom(0x08);
  const { account, read, events, due } = await openGroup(joining);
  await using _ = account;
  await read();
  for (const call of due.splice(0)) call();
  const counts = Map.groupBy(events, ({ name }) => name);
  expect([...counts].map(([name, { length }]) => [name, length])).toEqual([
    ['messages.changed', 1],
    ['conversations.changed', 1],
    ['groups.changed', 1],
    ['people.changed', 2],
  ]);
  const addresses = events.flatMap(({ name, payload }) =>
    name === 'people.changed' ? (payload as { addresses: string[] }).addresses : [],
  );
  expect(addresses.map((address) => address.toLowerCase()).toSorted()).toEqual(
    joining.map(({ address }) => address).toSorted(),
  );
});

test('the names of many new members lead to one more event about the messages of the group', async () => {
  const joining = peopleFrom(0x08);
  const { account, read, events, due } = await openGroup(joining, { haveHandles: true });
  await using _ = account;
  await read();
  for (const call of due.splice(0)) call();
  const counts = Map.groupBy(events, ({ name }) => name);
  expect([...counts].map(([name, { length }]) => [name, length])).toEqual([
    ['messages.changed', 2],
    ['conversations.changed', 2],
    ['groups.changed', 2],
    ['people.changed', 2],
  ]);
});

test('the keys of many new members are requested together, and stored in one transaction', async () => {
  const { account, read, requests } = await openGroup(peopleFrom(0x80));
  await using _ = account;
  const { context, db } = account;
  const alone: string[] = [];
  for (const name of ['saveTrust', 'saveSealKeys'] as const) {
    const save = context.contacts[name].bind(context.contacts) as (...values: unknown[]) => void;
    context.contacts[name] = (...values: unknown[]) => {
      if (!db.inTransaction) alone.push(name);
      save(...values);
    };
  }
  const { members } = await read();
  expect(members).toHaveLength(NEW + 1);
  expect(requests).toEqual(['group', 'roster', 'keyHistories']);
  expect(alone).toEqual([]);
});
