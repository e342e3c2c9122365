/**
 * The published lists of an address, returned to clients that verify the path from one of them to another.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayApi } from '../../../../src/client/api.ts';
import { RelayHttp } from '../../../../src/client/http.ts';
import { SecretCredential } from '../../../../src/client/session.ts';
import {
  type DeviceList,
  findDeviceListFault,
  followsDeviceList,
} from '../../../../src/protocol/device-list.ts';
import { HISTORY_PAGE, MAX_HISTORY_LISTS, MAX_HISTORY_WANTS } from '../../../../src/protocol/limits.ts';
import { newPerson, Person } from '../../../support/person.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

/** A person with this number of published lists, and these lists. A day passes for every ten. */
async function published(count: number): Promise<{ person: Person; lists: DeviceList[] }> {
  const person = new Person(relay);
  const lists: DeviceList[] = [];
  while (lists.length < count) {
    if (lists.length % 10 === 0) {
      relay.ahead += 25 * 3_600_000;
      await person.login();
    }
    await person.publishDevices();
    if (person.list) lists.push(person.list);
  }
  // Clients stop where the relay's clock is a day from theirs.
  relay.ahead = 0;
  await person.login();
  return { person, lists };
}

function apiOf(person: Person): RelayApi {
  return new RelayApi(new RelayHttp(relay.url), new SecretCredential(person.token));
}

test('a device list two ahead is reached through the stored ones between', async () => {
  const { person, lists } = await published(4);
  const [first] = lists;
  const { body } = await relay.call('getKeyHistory', {
    token: person.token,
    params: { address: person.address },
    query: { after: 1 },
  });
  expect(body).toEqual({ address: person.address, lists: lists.slice(1), more: false });
  let last = first ?? null;
  for (const list of body.lists) {
    expect(followsDeviceList(person.address, last, list)).toBe(true);
    last = list;
  }
  if (last) expect(findDeviceListFault(person.address, last, Date.parse(last.issued))).toBeNull();
  const api = apiOf(person);
  expect(await api.keyHistory(person.address, 0)).toEqual({ address: person.address, lists, more: false });
  expect((await api.keyHistory(person.address, 4)).lists).toEqual([]);
});

test('histories are paged, and a truncated one is marked', async () => {
  const { person, lists } = await published(HISTORY_PAGE + 2);
  const { address } = person;
  const ben = await newPerson(relay);
  const api = apiOf(ben);
  expect(await api.keyHistory(address, 0)).toEqual({
    address,
    lists: lists.slice(0, HISTORY_PAGE),
    more: true,
  });
  const rest = await api.keyHistory(address, HISTORY_PAGE);
  expect(rest).toEqual({ address, lists: lists.slice(HISTORY_PAGE), more: false });

  const stranger = new Person(relay).address;
  expect(
    await api.keyHistories([
      { address, after: 1, upTo: 3 },
      { address: stranger, after: 0, upTo: 9 },
      { address: ben.address, after: 0, upTo: 1 },
      { address, after: 3, upTo: 3 },
    ]),
  ).toEqual([
    { address, lists: lists.slice(1, 3), more: false },
    { address: stranger, lists: [], more: false },
    { address: ben.address, lists: [ben.list], more: false },
    { address, lists: [], more: false },
  ]);

  const wants = Array.from({ length: 5 }, () => ({ address, after: 0, upTo: HISTORY_PAGE }));
  const cut = await api.keyHistories([...wants, { address: stranger, after: 0, upTo: 9 }]);
  expect(cut.map((history) => [history.lists.length, history.more])).toEqual([
    ...Array.from({ length: 4 }, () => [HISTORY_PAGE, false]),
    [0, true],
    [0, false],
  ]);
  expect(cut.flatMap((history) => history.lists)).toHaveLength(MAX_HISTORY_LISTS);
});

test('a question about too many, or about none, is refused; an address without lists has none', async () => {
  const ann = await newPerson(relay);
  const { token, address } = ann;
  const want = { address, after: 0, upTo: 1 };
  const many = Array.from({ length: MAX_HISTORY_WANTS + 1 }, () => want);
  for (const wants of [[], many, [{ ...want, after: -1 }], [{ ...want, upTo: 2 ** 32 }], [{ address }]]) {
    await relay.refuse('invalid_request', 'getKeyHistories', { token, body: { wants } });
  }
  const path = `/api/v1/keys/${address}/history?after=`;
  for (const after of ['-1', '4294967296', 'x']) {
    expect((await relay.fetch(path + after, { token })).status).toBe(400);
  }
  expect((await relay.fetch(`${path}4294967295`, { token })).status).toBe(200);
  const stranger = new Person(relay).address;
  const { body } = await relay.call('getKeyHistory', { token, params: { address: stranger }, query: {} });
  expect(body).toEqual({ address: stranger, lists: [], more: false });
});
