/**
 * The device lists that an address has published: docs/protocol.md §5 and §7.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { Calls, type History, type Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { listHash } from '../../interop/device-list.ts';
import { sendingProblem } from '../../interop/known.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 86_400_000;
const LISTS = 120;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
/** An account with many published lists, of which all but the newest were issued days ago. */
let owner: Account;
let reader: Account;

beforeAll(async () => {
  await relay.start();
  reader = await Account.signUp(relay.url);
  owner = await Account.signUp(relay.url);
  await reader.keysOf(owner.address);
  await publish(owner, LISTS - 1, 3 * DAY);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** Publishes further lists that were issued so long ago. */
async function publish(account: Account, count: number, age: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const issued = new Date(Date.now() - age + index).toISOString();
    await account.certify(index % 2 === 0 ? ['api'] : [], [account.device], issued);
  }
}

const sequences = ({ lists }: History) => lists.map(({ sequence }) => sequence);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const history = (query: string, calls = reader.session) =>
  calls.expect<History>(200, 'GET', `/keys/${owner.address}/history${query}`);

async function histories(wants: object[], calls = reader.session): Promise<History[]> {
  const answer = await calls.expect<{ histories: History[] }>(200, 'POST', '/keys/history', { wants });
  return answer.histories;
}

describe('GET /keys/:address/history', () => {
  it('§14: returns the lists above `after` in ascending order, at most 50, whole', async () => {
    const page = await history('?after=7');
    expect(page).toMatchObject({ address: owner.address, more: true });
    expect(page.lists).toEqual(owner.lists.slice(7, 57));
    expect(sequences(await history('?after=100'))).toEqual(range(101, LISTS));
    expect((await history('?after=100')).more).toBe(false);
  });

  it('§14: begins with the first list by default', async () => {
    expect(sequences(await history(''))).toEqual(range(1, 50));
  });

  it.each([LISTS, LISTS + 5, 0xffffffff])(
    '§14: is empty after %d, and reports that there is no more',
    async (after) => {
      expect(await history(`?after=${after}`)).toEqual({ address: owner.address, lists: [], more: false });
    },
  );

  it('§14: is empty for an address without lists', async () => {
    const nobody = `0x${'ab'.repeat(20)}`;
    const answer = await reader.session.expect<History>(200, 'GET', `/keys/${nobody}/history?after=0`);
    expect(answer).toEqual({ address: nobody, lists: [], more: false });
  });

  it('§14: is for any credential, a group token among them, and needs one', async () => {
    const { calls: key } = await createApiKey(reader, { entitlements: ['inbox:read'] });
    const { calls: token } = await createToken(reader, (await createGroup(reader)).id);
    for (const calls of [key, token])
      expect(sequences(await history('?after=118', calls))).toEqual([119, 120]);
    const anonymous = await new Calls(relay.url, null).send<Problem>('GET', `/keys/${owner.address}/history`);
    expectProblem(anonymous, 401, 'unauthorized');
  });

  it.each(['?after=-1', '?after=1.5', '?after=x', '?after=4294967296', '?upTo=3', '?limit=3'])(
    '§3: refuses %s',
    async (query) => {
      const path = `/keys/${owner.address}/history${query}`;
      expectProblem(await reader.session.send('GET', path), 400, 'invalid_request');
    },
  );

  it('§5: has each list named by the next', async () => {
    const { lists } = await history('');
    for (const [index, list] of lists.entries()) {
      expect(list.previous).toBe(index === 0 ? null : listHash(owner.address, lists[index - 1] ?? list));
    }
  });

  it('§5: leads a client from its known list to the newest, over several pages', async () => {
    const remembered = reader.remembered(owner.address);
    expect(remembered.pin?.sequence).toBe(1);
    await reader.keysOf(owner.address);
    expect(remembered.pin).toEqual(owner.list);
    expect(sendingProblem(remembered)).toBeNull();
  });
});

describe('POST /keys/history', () => {
  it('§14: answers each want in order, up to and with `upTo`', async () => {
    const { address } = owner;
    const wants = [
      { address, after: 3, upTo: 5 },
      { address: reader.address, after: 0, upTo: 9 },
      { address, after: 119, upTo: 130 },
      { address, after: 8, upTo: 8 },
    ];
    const answer = await histories(wants);
    expect(answer.map((each) => [each.address, sequences(each), each.more])).toEqual([
      [address, [4, 5], false],
      [reader.address, [1], false],
      [address, [120], false],
      [address, [], false],
    ]);
  });

  it('§14: returns at most 200 in total, and marks a truncated answer', async () => {
    const want = { address: owner.address, after: 10, upTo: 100 };
    const answer = await histories(Array(5).fill(want));
    expect(answer.map(({ lists, more }) => [lists.length, more])).toEqual([
      [90, false],
      [90, false],
      [20, true],
      [0, true],
      [0, true],
    ]);
    expect(sequences(answer[2] ?? only([]))).toEqual(range(11, 30));
  });

  it('§14: accepts 200 wants, and no more', async () => {
    const want = { address: owner.address, after: 4_294_967_294, upTo: 4_294_967_295 };
    expect(await histories(Array(200).fill(want))).toHaveLength(200);
    const answer = await reader.session.send<Problem>('POST', '/keys/history', {
      wants: Array(201).fill(want),
    });
    expectProblem(answer, 400, 'invalid_request');
  });

  it('§14: is for any credential', async () => {
    const { calls } = await createToken(reader, (await createGroup(reader)).id);
    const answer = await histories([{ address: owner.address, after: 118, upTo: 120 }], calls);
    expect(sequences(only(answer))).toEqual([119, 120]);
  });

  it.each<[string, object]>([
    ['without wants', {}],
    ['with no want', { wants: [] }],
    ['without upTo', { wants: [{ address: `0x${'ab'.repeat(20)}`, after: 1 }] }],
    ['of an address in capitals', { wants: [{ address: `0x${'AB'.repeat(20)}`, after: 1, upTo: 2 }] }],
    ['with an unknown field', { wants: [{ address: `0x${'ab'.repeat(20)}`, after: 1, upTo: 2, limit: 1 }] }],
  ])('§3: refuses a body %s', async (_, body) => {
    expectProblem(await reader.session.send('POST', '/keys/history', body), 400, 'invalid_request');
  });
});

describe('the limit of new lists', () => {
  it('§5: is 20 in a day by their `issued`; one more is 429', async () => {
    const busy = await Account.signUp(relay.url);
    await publish(busy, 19, 0);
    const deviceList = await busy.nextList(['api']);
    const answer = await busy.session.send<Problem>('PUT', '/me/devices', { deviceList, sealKeys: [] });
    expectProblem(answer, 429, 'rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await busy.session.expect(200, 'PUT', '/me/devices', { deviceList: busy.list, sealKeys: [] });
  });

  it('§5: is 200 for lists with an earlier `issued`', async () => {
    const back = await Account.signUp(relay.url);
    await publish(back, 200, 2 * DAY);
    const issued = new Date(Date.now() - DAY * 2).toISOString();
    const deviceList = await back.nextList(['api'], [back.device], issued);
    const answer = await back.session.send<Problem>('PUT', '/me/devices', { deviceList, sealKeys: [] });
    expectProblem(answer, 429, 'rate_limited');
  });
});
