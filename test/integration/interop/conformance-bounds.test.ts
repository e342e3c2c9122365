/**
 * Sizes and numbers: bodies, values of JSON, quotas and pages. docs/protocol.md §14 and §11.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { ApiKey, Group, Inbox, Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { rawRequest } from '../../interop/by-hand/raw.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const KIB = 1024;
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ada: Account;

beforeAll(async () => {
  await relay.start();
  ada = await Account.signUp(relay.url);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** Sends a body of exactly that many bytes: JSON with trailing white space. */
async function sendBytes(method: string, path: string, bytes: number, body: object = {}): Promise<string> {
  const response = await fetch(`${relay.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ada.session.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body).padEnd(bytes),
  });
  const text = await response.text();
  return text === '' ? '' : ((JSON.parse(text) as Partial<Problem>).code ?? 'fine');
}

describe('a body', () => {
  it.each([
    ['PUT', '/me/devices', 64 * KIB],
    ['POST', '/inbox/ack', 160 * KIB],
    ['POST', '/keys/history', 32 * KIB],
    ['POST', '/groups', 64 * KIB],
    ['POST', '/groups/no_such_group/roster', 32 * KIB],
    ['POST', '/groups/no_such_group/admission', 4 * KIB],
    ['POST', '/auth/session', 4 * KIB],
    ['PUT', '/me/profile', 4 * KIB],
    ['POST', '/me/api-keys', 4 * KIB],
  ])('§15: of %s %s has at most %d bytes', async (method, path, bytes) => {
    expect(await sendBytes(method, path, bytes)).not.toBe('too_large');
    expect(await sendBytes(method, path, bytes + 1)).toBe('too_large');
  });

  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1]));
  it.each<[string, object]>([
    ['an object with 33 fields', fields(33)],
    ['a field whose name has 257 bytes', { ['n'.repeat(257)]: 1 }],
    ['17 levels', nested(17)],
  ])('§15: with %s is 400', async (_, body) => {
    expectProblem(await ada.session.send('PUT', '/me/devices', body), 400, 'invalid_request');
  });

  it('§15: with a number of 65 bytes is 400, and with more values than the call can mean is 413', async () => {
    const send = async (body: string) => {
      const response = await fetch(`${relay.url}/api/v1/me/profile`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${ada.session.token}`, 'content-type': 'application/json' },
        body,
      });
      return [response.status, ((await response.json()) as Problem).code];
    };
    expect(await send(`{"displayName":${'1'.repeat(65)}}`)).toEqual([400, 'invalid_request']);
    expect(await send(`{"displayName":[${Array(500).fill(1).join()}]}`)).toEqual([413, 'too_large']);
  });
});

describe('quotas', () => {
  it('§15: of API keys is 50 valid ones, reported by /me; a revoked one frees its place and is listed', async () => {
    const first = await createApiKey(ada);
    for (let made = 1; made < 50; made += 1) await createApiKey(ada);
    const more = () => ada.session.send<Problem>('POST', '/me/api-keys', { name: 'One more' });
    expectProblem(await more(), 409, 'quota_reached');
    await ada.session.expect(204, 'DELETE', `/me/api-keys/${first.id}`);
    expect((await more()).status).toBe(201);
    const keys: ApiKey[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < 5 && cursor !== null; page += 1) {
      const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const answer = await ada.session.expect<{ apiKeys: ApiKey[]; nextCursor: string | null }>(
        200,
        'GET',
        `/me/api-keys${query}`,
      );
      expect(answer.apiKeys.length).toBeLessThanOrEqual(20);
      keys.push(...answer.apiKeys);
      cursor = answer.nextCursor;
    }
    expect(keys).toHaveLength(51);
    expect(keys.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id)).toEqual([first.id]);
  });

  it('§15: of group tokens is 50 valid ones, of all groups together; of revoked ones the newest 20 are listed', async () => {
    const creator = await Account.signUp(relay.url);
    const groups = [await createGroup(creator), await createGroup(creator)];
    const [one = '', other = ''] = groups.map(({ id }) => id);
    const created: string[] = [];
    for (let made = 0; made < 50; made += 1) {
      created.push((await createToken(creator, made % 2 === 0 ? one : other)).id);
    }
    const more = () => creator.session.send<Problem>('POST', `/groups/${one}/tokens`, { name: 'One more' });
    expectProblem(await more(), 409, 'quota_reached');
    for (const [index, id] of created.entries()) {
      await creator.session.expect(204, 'DELETE', `/groups/${index % 2 === 0 ? one : other}/tokens/${id}`);
    }
    expect((await more()).status).toBe(201);
    const views = await Promise.all(
      [one, other].map((id) => creator.session.expect<Group>(200, 'GET', `/groups/${id}`)),
    );
    const revoked = views.flatMap(({ botTokens = [] }) => botTokens.filter(({ revokedAt }) => revokedAt));
    expect(new Set(revoked.map(({ id }) => id))).toEqual(new Set(created.slice(-20)));
  });
});

describe('an answer', () => {
  it('§14: of the inbox names its device', async () => {
    const { deviceId } = ada.device.listed;
    expect(await ada.poll()).toEqual({ device: deviceId, envelopes: [], more: false } satisfies Inbox);
  });

  it('§7: carries the time of the relay as `Date`', async () => {
    const before = Date.now();
    const { headers } = await ada.session.send('GET', '/me');
    // In whole seconds.
    const date = Date.parse(headers.get('date') ?? '');
    expect(date).toBeGreaterThan(before - 1_000);
    expect(date).toBeLessThanOrEqual(Date.now());
    await ada.readRetention();
  });

  it('§14: of a history has one form, also for an address in capitals', async () => {
    const path = `/keys/${ada.shownAddress}/history`;
    expectProblem(await ada.session.send('GET', path), 400, 'invalid_request');
  });
});

describe('the name of the relay', () => {
  it('§15: is the only allowed `Host`', async () => {
    const { status, body } = await rawRequest(relay.url, [
      'GET /api/v1/me HTTP/1.1',
      'Host: elsewhere.example',
      `Authorization: Bearer ${ada.session.token}`,
      'Connection: close',
    ]);
    expect([status, body.code]).toEqual([421, 'misdirected_request']);
  });
});
