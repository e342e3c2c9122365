/**
 * Receiving and acknowledging: the specification's §4.6, the protocol's §6 and §9, docs/protocol.md §9.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Calls, Inbox, Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey } from '../../interop/by-hand/credentials.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const steady = new StoppedClock();
const relay = new TestRelay({ steady, limits: { rates: ROOMY_RATES } });
let sender: Account;
let reader: Account;

beforeAll(async () => {
  await relay.start();
  sender = await Account.signUp(relay.url);
});
beforeEach(async () => {
  reader = await Account.signUp(relay.url);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** Sends texts one after the other and returns the ids. */
async function send(...texts: string[]): Promise<string[]> {
  const keys = await sender.keysOf(reader.address);
  const ids: string[] = [];
  for (const text of texts) {
    const envelope = only(await sender.sealFor(keys, sender.text(reader.address, text)));
    const { id } = await sender.session.expect<{ id: string }>(201, 'POST', '/envelopes', envelope);
    ids.push(id);
  }
  return ids;
}

const inbox = (query: string, calls: Calls = reader.session) =>
  calls.expect<Inbox>(200, 'GET', `/inbox?device=${reader.device.listed.deviceId}${query}`);
const idsOf = ({ envelopes }: Inbox) => envelopes.map(({ id }) => id);

describe('an inbox', () => {
  it('§6: returns all unacknowledged envelopes, oldest first, as often as requested', async () => {
    const ids = await send('one', 'two', 'three');
    expect(await inbox('')).toMatchObject({ more: false });
    expect(idsOf(await inbox(''))).toEqual(ids);
    expect(idsOf(await inbox(''))).toEqual(ids);
    await reader.acknowledge([ids[1] ?? '']);
    expect(idsOf(await inbox(''))).toEqual([ids[0], ids[2]]);
  });

  it('docs §9: returns the next page when this one is acknowledged', async () => {
    const ids = await send('one', 'two', 'three', 'four', 'five');
    const seen: string[] = [];
    for (const [count, more] of [
      [2, true],
      [2, true],
      [1, false],
    ]) {
      const page = await inbox('&limit=2');
      expect([page.envelopes.length, page.more]).toEqual([count, more]);
      expect(idsOf(await inbox('&limit=2'))).toEqual(idsOf(page));
      seen.push(...idsOf(page));
      await reader.acknowledge(idsOf(page));
    }
    expect(seen).toEqual(ids);
    expect(await inbox('')).toMatchObject({ envelopes: [], more: false });
  });

  it('§6: is a queue for each device: a copy with recipientDeviceKey is in that one alone', async () => {
    const second = await createDevice('app');
    await reader.certify([], [reader.device, second]);
    const keys = await sender.keysOf(reader.address);
    const envelopes = await sender.sealFor(keys, sender.text(reader.address, 'To both'));
    await sender.session.expect(200, 'POST', '/envelopes', { envelopes });
    const other = await reader.session.expect<Inbox>(200, 'GET', `/inbox?device=${second.listed.deviceId}`);
    expect(only(other.envelopes).recipientDeviceKey).toBe(second.sealKeys.publicKey);
    expect(only((await inbox('')).envelopes).recipientDeviceKey).toBe(reader.device.sealKeys.publicKey);
  });

  it('docs §9: loses the envelopes of a device that is removed from the list', async () => {
    const second = await createDevice('app');
    await send('For the first');
    await reader.certify([], [reader.device, second]);
    await reader.login();
    await reader.certify([], [second]);
    await reader.login();
    const answer = await reader.session.send<Problem>(
      'GET',
      `/inbox?device=${reader.device.listed.deviceId}`,
    );
    expectProblem(answer, 422, 'unknown_device');
  });

  it('keeps a copy for a seal key that was replaced', async () => {
    const ids = await send('Sealed to the old key');
    await reader.rotateSealKey();
    expect(idsOf(await inbox(''))).toEqual(ids);
  });

  it.each(['&limit=0', '&limit=501', '&wait=31', '&wait=-1', '&wait=1.5', '&since=0', '&limit=1&limit=2'])(
    '§1: refuses %s',
    async (query) => {
      const path = `/inbox?device=${reader.device.listed.deviceId}${query}`;
      expectProblem(await reader.session.send('GET', path), 400, 'invalid_request');
    },
  );

  it('needs a device of the address', async () => {
    expectProblem(await reader.session.send('GET', '/inbox'), 400, 'invalid_request');
    expectProblem(await reader.session.send('GET', '/inbox?device=none'), 400, 'invalid_request');
    const unknown = `/inbox?device=${sender.device.listed.deviceId}`;
    expectProblem(await reader.session.send('GET', unknown), 422, 'unknown_device');
  });
});

describe('an open poll', () => {
  it('§6: is answered as soon as an envelope arrives', async () => {
    const { calls } = await createApiKey(reader);
    const openPoll = inbox('&wait=20', calls);
    await relay.untilPolling(1);
    // No time passes: nothing but the envelope ends the poll.
    const ids = await send('Wake up');
    expect(idsOf(await openPoll)).toEqual(ids);
  });

  it('§6: is answered with an empty page at its end', async () => {
    const openPoll = inbox('&wait=1');
    await relay.untilPolling(1);
    steady.pass(999);
    expect(relay.running.heldPolls).toBe(1);
    steady.pass(1);
    expect(await openPoll).toMatchObject({ envelopes: [], more: false });
  });

  it('§6: returns at once when an envelope waits', async () => {
    const ids = await send('Already here');
    expect(idsOf(await inbox('&wait=20'))).toEqual(ids);
  });

  it('wakes all that poll for the device, and none of another', async () => {
    const second = await createDevice('app');
    const keys = await reader.certify([], [reader.device, second]);
    const polls = [inbox('&wait=20'), inbox('&wait=20')];
    const other = reader.session.expect<Inbox>(200, 'GET', `/inbox?device=${second.listed.deviceId}&wait=2`);
    await relay.untilPolling(3);
    const copies = await sender.sealFor(keys, sender.text(reader.address, 'For one'));
    const key = reader.device.sealKeys.publicKey;
    const envelope = only(copies.filter(({ recipientDeviceKey }) => recipientDeviceKey === key));
    await sender.session.expect(201, 'POST', '/envelopes', envelope);
    for (const poll of polls) expect((await poll).envelopes).toHaveLength(1);
    expect(relay.running.heldPolls).toBe(1);
    steady.pass(2_000);
    expect((await other).envelopes).toEqual([]);
  });
});

describe('many open polls', () => {
  it('docs §9: of one credential are refused beyond the limit, and accepted again when one has ended', async () => {
    const clock = new StoppedClock();
    const limits = { rates: ROOMY_RATES, heldPolls: 2 };
    await using small = await new TestRelay({ steady: clock, limits }).start();
    const account = await Account.signUp(small.url);
    const path = `/inbox?device=${account.device.listed.deviceId}`;
    const poll = (wait: number) => account.session.send<Problem>('GET', `${path}&wait=${wait}`);
    const openPoll = [poll(1), poll(1)];
    await small.untilPolling(2);
    const refused = await poll(1);
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await poll(0)).status).toBe(200);
    clock.pass(1_000);
    for (const answer of openPoll) expect((await answer).status).toBe(200);
    const again = poll(1);
    await small.untilPolling(1);
    clock.pass(1_000);
    expect((await again).status).toBe(200);
  });
});

describe('acknowledging', () => {
  const acknowledge = (body: object) => reader.session.send<Problem>('POST', '/inbox/ack', body);

  it('§6: returns how many left the queue, and is idempotent', async () => {
    const ids = await send('one', 'two');
    expect(await reader.acknowledge(ids)).toEqual({ acknowledged: 2 });
    expect(await reader.acknowledge(ids)).toEqual({ acknowledged: 0 });
  });

  it('docs §9: ignores ids that are not in the queue, and counts a repeated one once', async () => {
    const [id = ''] = await send('one');
    expect(await reader.acknowledge(['nothing', id, id])).toEqual({ acknowledged: 1 });
  });

  it('removes nothing from the queue of another account', async () => {
    const ids = await send('Not yours');
    expect(await sender.acknowledge(ids)).toEqual({ acknowledged: 0 });
    const device = reader.device.listed.deviceId;
    expectProblem(await sender.session.send('POST', '/inbox/ack', { device, ids }), 422, 'unknown_device');
    expect(idsOf(await inbox(''))).toEqual(ids);
  });

  it.each([
    ['no ids', {}],
    ['an empty list of ids', { ids: [] }],
    ['ids that are no list', { ids: 'all' }],
    ['an id that no relay makes', { ids: ['a b'] }],
    ['an unknown field', { ids: ['a'], all: true }],
    ['1,001 ids', { ids: Array(1001).fill('a') }],
  ])('§1: refuses %s', async (_, body) => {
    const device = reader.device.listed.deviceId;
    expectProblem(await acknowledge({ device, ...body }), 400, 'invalid_request');
  });
});
