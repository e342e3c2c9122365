/**
 * Handles, the directory of handles, and device keys: the specification's §4.2 to §4.4, the protocol's §6 and §9.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { HandlePage, HandleRecord, Keys, Me, Problem } from '../../interop/by-hand/calls.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const PAIRS = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg'];
const HERONS = PAIRS.map((pair) => `heron_${pair}`);

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let reader: Account;
const owners = new Map<string, Account>();

beforeAll(async () => {
  await relay.start();
  reader = await Account.signUp(relay.url);
  for (const handle of [...HERONS, 'night_heron', 'wagtail']) {
    const owner = await Account.signUp(relay.url);
    await owner.session.expect(200, 'PUT', '/me/handle', { handle });
    owners.set(handle, owner);
  }
});
afterAll(() => relay[Symbol.asyncDispose]());

const get = (path: string) => reader.session.send<Problem>('GET', path);
const search = (query: string) => reader.session.expect<HandlePage>(200, 'GET', `/handles?${query}`);
const namesOf = ({ handles }: HandlePage) => handles.map(({ handle }) => handle);

describe('a handle', () => {
  it('§4.2, §6: resolves to its record, with or without the leading @', async () => {
    const record = await reader.session.expect<HandleRecord>(200, 'GET', '/handles/wagtail');
    expect(record).toEqual({
      handle: 'wagtail',
      address: owners.get('wagtail')?.address,
      displayName: null,
      verified: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await get('/handles/@wagtail')).body).toEqual(record);
    expect((await get('/handles/%40wagtail')).body).toEqual(record);
  });

  it('§6: is 404 if unused', async () => {
    expectProblem(await get('/handles/nobody_has_this'), 404, 'not_found');
  });

  it.each(['Wagtail', 'wa', '1wagtail', 'wag-tail', 'wagt%C3%A4il', `a${'b'.repeat(32)}`])(
    '§9: is 3 to 32 of a-z, 0-9 and _, and begins with a letter, unlike %s',
    async (handle) => {
      expectProblem(await get(`/handles/${handle}`), 400, 'invalid_request');
      const answer = await reader.session.send<Problem>('PUT', '/me/handle', {
        handle: decodeURIComponent(handle),
      });
      expectProblem(answer, 400, 'invalid_request');
    },
  );

  it.each(['abc', `a${'b'.repeat(31)}`, 'a_1'])('§9: may be %s', async (handle) => {
    const { session } = await Account.signUp(relay.url);
    expect((await session.expect<Me>(200, 'PUT', '/me/handle', { handle })).handle).toBe(handle);
  });

  it('§9: is refused with 409 when another address has it; its owner gets the same answer again', async () => {
    expectProblem(await reader.session.send('PUT', '/me/handle', { handle: 'wagtail' }), 409, 'handle_taken');
    await owners.get('wagtail')?.session.expect(200, 'PUT', '/me/handle', { handle: 'wagtail' });
  });

  it('§14: stays reserved for its owner who claims another', async () => {
    const [first, second] = [await Account.signUp(relay.url), await Account.signUp(relay.url)];
    await first.session.expect(200, 'PUT', '/me/handle', { handle: 'dipper' });
    await first.session.expect(200, 'PUT', '/me/handle', { handle: 'dipper_2' });
    expectProblem(await get('/handles/dipper'), 404, 'not_found');
    expectProblem(await second.session.send('PUT', '/me/handle', { handle: 'dipper' }), 409, 'handle_taken');
    await first.session.expect(200, 'PUT', '/me/handle', { handle: 'dipper' });
    expect((await get('/handles/dipper')).body).toMatchObject({ address: first.address });
  });

  it('§9: that is private cannot be looked up or found, is claimed all the same, and its owner sees it', async () => {
    const hidden = await Account.signUp(relay.url);
    const me = await hidden.session.expect<Me>(200, 'PUT', '/me/handle', {
      handle: 'heron_hidden',
      public: false,
    });
    expect(me.handle).toBe('heron_hidden');
    expectProblem(await get('/handles/heron_hidden'), 404, 'not_found');
    expect(namesOf(await search('q=heron_hid'))).toEqual([]);
    const answer = await reader.session.send<Problem>('PUT', '/me/handle', { handle: 'heron_hidden' });
    expectProblem(answer, 409, 'handle_taken');
  });
});

describe('the directory of handles', () => {
  it('§6: finds prefixes first, then substrings', async () => {
    const names = namesOf(await search('q=heron&limit=50'));
    expect(names.slice(0, -1).toSorted()).toEqual(HERONS);
    expect(names.at(-1)).toBe('night_heron');
  });

  it.each([1, 2, 3, 8])('§6: returns every handle once, in pages of %d', async (limit) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: HandlePage = await search(
        `q=heron&limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(page.handles.length).toBeLessThanOrEqual(limit);
      found.push(...namesOf(page));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found.toSorted()).toEqual([...HERONS, 'night_heron'].toSorted());
  });

  it('§6: returns all public handles without a text, 20 a page by default', async () => {
    const { handles } = await search('');
    expect(handles.length).toBeGreaterThanOrEqual(9);
    expect(handles.length).toBeLessThanOrEqual(20);
  });

  it('finds nothing for an unknown text', async () => {
    expect(await search('q=zzz')).toEqual({ handles: [], nextCursor: null });
  });

  it.each([
    'limit=0',
    'limit=51',
    'limit=ten',
    'limit=1.5',
    'cursor=!!!',
    'verified=maybe',
    'q=%00',
    'order=newest',
    'q=aa&q=bb',
  ])('§1: refuses ?%s', async (query) => {
    expectProblem(await get(`/handles?${query}`), 400, 'invalid_request');
  });
});

describe('device keys', () => {
  it('§4.4, §9: are the keys to seal to, with their proofs', async () => {
    const owner = owners.get('wagtail');
    if (!owner) throw new Error('nobody has this handle');
    const keys = await reader.session.expect<Keys>(200, 'GET', `/keys/${owner.address}`);
    expect(keys).toMatchObject({
      address: owner.address,
      deviceKeys: [owner.device.sealKeys.publicKey],
      deviceList: owner.list,
      sealKeys: [{ key: owner.device.sealKeys.publicKey, deviceId: owner.device.listed.deviceId }],
    });
    await reader.keysOf(owner.address);
  });

  it('§9: are 404 for an address without any', async () => {
    expectProblem(await get(`/keys/0x${'ab'.repeat(20)}`), 404, 'not_found');
  });

  it.each(['0x12', 'ab'.repeat(20), `0x${'AB'.repeat(20)}`, `0x${'g'.repeat(40)}`, 'wagtail'])(
    '§1: are refused for %s, an invalid address',
    async (address) => {
      expectProblem(await get(`/keys/${address}`), 400, 'invalid_request');
    },
  );

  it('are only keys in force: none of an expired seal key', async () => {
    await using clocked = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
    const [owner, asking] = [await Account.signUp(clocked.url), await Account.signUp(clocked.url)];
    clocked.ahead = 31 * 86_400_000;
    // The device list is valid for a year, the seal key was for 30 days.
    await asking.login();
    const keys = await asking.session.expect<Keys>(200, 'GET', `/keys/${owner.address}`);
    expect(keys).toMatchObject({ deviceKeys: [], sealKeys: [], deviceList: owner.list });
  });
});
