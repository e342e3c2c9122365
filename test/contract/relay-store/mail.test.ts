/**
 * Mail on both engines: accepted once, delivered in order, acknowledged, bounded, and deleted when it expires.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AcceptOutcome } from '../../../src/relay/store/records.ts';
import {
  ENVELOPE_BYTES,
  envelopeId,
  NOW,
  newMember,
  type OpenStore,
  openStore,
  ROOMY,
  StoreMember,
  unique,
} from '../../support/relay-store.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open[Symbol.asyncDispose]());

const pair = async () => [await newMember(open.store), await newMember(open.store)] as const;

test('each queue returns mail in the order of arrival, from all senders alike', async () => {
  const [ann, ben] = await pair();
  const cat = await newMember(open.store);
  await ben.publish(['phone', 'tablet']);
  await ann.send(ben, ['1', '2']);
  await cat.send(ben, ['3']);
  await ann.send(ben, ['4'], { recipientDeviceKey: ben.sealKey('tablet') });
  await ann.send(ben, ['5']);
  expect(await ben.inbox('phone')).toEqual(['1', '2', '3', '5']);
  expect(await ben.inbox('tablet')).toEqual(['1', '2', '3', '4', '5']);
});

test('an envelope is accepted once, also within one request and after its acknowledgement', async () => {
  const [ann, ben] = await pair();
  const queue = await ben.queue();
  const accepted = { status: 'accepted', acceptedAt: NOW, queues: [queue] };
  const duplicate = { status: 'duplicate', acceptedAt: NOW };
  expect(await ann.send(ben, ['a', 'a', 'b'])).toEqual([accepted, duplicate, accepted]);
  expect(await ann.send(ben, ['b'], { now: NOW + 1_000 })).toEqual([duplicate]);
  expect(await open.store.acknowledge(queue, [envelopeId(ben, 'a'), envelopeId(ben, 'b')])).toBe(2);
  expect(await ann.send(ben, ['a'])).toEqual([duplicate]);
  expect(await ben.inbox()).toEqual([]);
});

test('an id that is not remembered is known until the last acknowledgement', async () => {
  const [ann, ben] = await pair();
  await ben.publish(['phone', 'tablet']);
  const [phone, tablet] = [await ben.queue('phone'), await ben.queue('tablet')];
  const send = async () => (await ann.send(ben, ['a'], { isRemembered: false }))[0]?.status;
  const ids = [envelopeId(ben, 'a')];
  for (let time = 0; time < 2; time++) {
    expect(await send()).toBe('accepted');
    expect(await send()).toBe('duplicate');
    expect(await open.store.acknowledge(phone, ids)).toBe(1);
    expect(await send()).toBe('duplicate');
    expect(await ben.inbox('tablet')).toEqual(['a']);
    expect(await open.store.acknowledge(tablet, ids)).toBe(1);
  }
});

test('an id that is not remembered goes with the last queue that has it', async () => {
  const [ann, ben] = await pair();
  await ben.publish(['phone', 'tablet']);
  const send = async (name: string, isRemembered: boolean) =>
    (await ann.send(ben, [name], { isRemembered }))[0]?.status;
  expect([await send('a', false), await send('b', true)]).toEqual(['accepted', 'accepted']);
  const ids = [envelopeId(ben, 'a'), envelopeId(ben, 'b')];
  expect(await open.store.acknowledge(await ben.queue('phone'), ids)).toBe(2);
  await ben.publish(['phone']);
  expect([await send('a', false), await send('b', true)]).toEqual(['accepted', 'duplicate']);
  expect(await ben.inbox('phone')).toEqual(['a']);
});

test('the same envelope in concurrent requests is accepted once', async () => {
  const [ann, ben] = await pair();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => ann.send(ben, ['once'])));
  expect(outcomes.flat().filter(({ status }) => status === 'accepted')).toHaveLength(1);
  expect(await ben.inbox()).toEqual(['once']);
});

test('an acknowledgement removes an envelope once, from its own queue only', async () => {
  const [ann, ben] = await pair();
  await ben.publish(['phone', 'tablet']);
  await ann.send(ben, ['a', 'b']);
  const ids = ['a', 'a', 'other'].map((name) => envelopeId(ben, name));
  expect(await open.store.acknowledge(await ben.queue('phone'), ids)).toBe(1);
  expect(await open.store.acknowledge(await ben.queue('phone'), ids)).toBe(0);
  expect(await ben.inbox('phone')).toEqual(['b']);
  expect(await ben.inbox('tablet')).toEqual(['a', 'b']);
  expect(await open.store.queuedBytes(await ben.queue('phone'))).toBe(ENVELOPE_BYTES);
  const both = [await ben.queue('phone'), await ann.queue(), await ben.queue('tablet')];
  expect((await open.store.findFilledQueues(both)).toSorted()).toEqual([both[0], both[2]].toSorted());
});

test('a page respects its limits of envelopes and bytes, has at least one, and reports whether there is more', async () => {
  const [ann, ben] = await pair();
  await ann.send(ben, ['1', '2', '3']);
  const page = async (limit: number, bytes: number) => {
    const { envelopes, more } = await open.store.readInbox(await ben.queue(), limit, bytes);
    return [envelopes.length, more];
  };
  expect(await page(2, 1e9)).toEqual([2, true]);
  expect(await page(3, 1e9)).toEqual([3, false]);
  expect(await page(3, 2 * ENVELOPE_BYTES)).toEqual([2, true]);
  expect(await page(3, 1)).toEqual([1, true]);
});

test('an envelope is returned unchanged', async () => {
  const [ann, ben] = await pair();
  const recipientDeviceKey = ben.sealKey('phone');
  await ann.send(ben, ['whole'], { recipientDeviceKey, via: 'api_key', now: NOW + 7 });
  const { envelopes } = await open.store.readInbox(await ben.queue(), 1, 1);
  expect(envelopes).toEqual([
    {
      id: envelopeId(ben, 'whole'),
      from: ann.address,
      to: ben.address,
      recipientDeviceKey,
      asRequest: false,
      ephemeralPublicKey: expect.any(Buffer),
      nonce: expect.any(Buffer),
      ciphertext: Buffer.from('whole'.padEnd(ENVELOPE_BYTES)),
      via: 'api_key',
      groupId: null,
      bot: null,
      receivedAt: NOW + 7,
    },
  ]);
});

test('undeliverable mail has distinct reasons: no account, no devices, unknown key, deleted account', async () => {
  const [ann, ben] = await pair();
  const nobody = new StoreMember(open.store, unique());
  const empty = await new StoreMember(open.store, unique()).join();
  expect(await ann.send(nobody, ['a'])).toEqual([{ status: 'no_devices' }]);
  expect(await ann.send(empty, ['a'])).toEqual([{ status: 'no_devices' }]);
  expect(await ann.send(ben, ['a'], { recipientDeviceKey: ann.sealKey('phone') })).toEqual([
    { status: 'unknown_device' },
  ]);
  await open.store.deleteAccount(ben.account, null, NOW);
  expect(await ann.send(ben, ['a'])).toEqual([{ status: 'account_deleted' }]);
});

test('a full queue accepts only envelopes that fit, and has room again after an acknowledgement', async () => {
  const [ann, ben] = await pair();
  const limits = { ...ROOMY, queueEnvelopes: 3 };
  const send = (...names: string[]) => ann.send(ben, names, { limits });
  expect((await send('1', '2', '3', '4')).map(({ status }) => status)).toEqual([
    'accepted',
    'accepted',
    'accepted',
    'inbox_full',
  ]);
  await open.store.acknowledge(await ben.queue(), [envelopeId(ben, '2')]);
  expect((await send('4', '5')).map(({ status }) => status)).toEqual(['accepted', 'inbox_full']);
  expect(await ben.inbox()).toEqual(['1', '3', '4']);
  const bytes = { ...ROOMY, queueBytes: 3 * ENVELOPE_BYTES };
  expect((await ann.send(ben, ['6'], { limits: bytes }))[0]?.status).toBe('inbox_full');
});

test('one sender, its programs and one network have shares of a queue, and leave room for others', async () => {
  const [ann, ben] = await pair();
  const cat = await newMember(open.store);
  const limits = { queueEnvelopes: 20, queueBytes: 1e9, shares: { sender: 0.5, network: 0.5 } };
  const names = (prefix: string) => Array.from({ length: 12 }, (_, index) => `${prefix} ${index}`);
  const accepted = async (sender: StoreMember, prefix: string, more: object) =>
    (await sender.send(ben, names(prefix), { limits, ...more })).filter(({ status }) => status === 'accepted')
      .length;
  const network = Buffer.alloc(16, 1).toString('base64url');
  expect(await accepted(ann, 'by a program', { via: 'api_key' })).toBe(5);
  expect(await accepted(ann, 'by hand', {})).toBeGreaterThan(0);
  const byCat = await accepted(cat, 'of a network', { network });
  expect(byCat).toBeGreaterThan(0);
  const dan = await newMember(open.store);
  expect(await accepted(dan, 'of the same network', { network })).toBeLessThan(byCat);
});

test('a share is the same for envelopes in one request, one by one, and at the same time', async () => {
  const limits = { queueEnvelopes: 40, queueBytes: 1e9, shares: { sender: 0.5, network: 0.25 } };
  const network = Buffer.alloc(16, 2).toString('base64url');
  const names = Array.from({ length: 16 }, (_, index) => `${index}`);
  const accepted = async (
    send: (sender: StoreMember, recipient: StoreMember) => Promise<AcceptOutcome[]>,
  ) => {
    const [ann, ben] = await pair();
    // Mail of others, which leaves less room.
    await (await newMember(open.store)).send(ben, ['a', 'b', 'c', 'd'], { limits });
    const outcomes = await send(ann, ben);
    return outcomes.filter(({ status }) => status === 'accepted').length;
  };
  const more = { limits, network };
  const atOnce = await accepted((ann, ben) => ann.send(ben, names, more));
  expect(atOnce).toBeGreaterThan(4);
  expect(atOnce).toBeLessThan(12);
  const oneByOne = await accepted(async (ann, ben) => {
    const outcomes: AcceptOutcome[] = [];
    for (const name of names) outcomes.push(...(await ann.send(ben, [name], more)));
    return outcomes;
  });
  const together = await accepted(async (ann, ben) =>
    (await Promise.all(names.map((name) => ann.send(ben, [name], more)))).flat(),
  );
  expect([oneByOne, together]).toEqual([atOnce, atOnce]);
});

test('mail for the retired seal key is accepted, for a skipped one refused', async () => {
  const [ann, ben] = await pair();
  const next = (sequence: number) =>
    open.store.publishSealKey(ben.account, { sealKey: ben.statement('phone', sequence), pqKey: null }, NOW);
  const send = (sequence: number, name: string) =>
    ann.send(ben, [name], { recipientDeviceKey: ben.sealKey('phone', sequence) });
  expect(await next(2)).toBe('published');
  expect((await send(1, 'to the first'))[0]?.status).toBe('accepted');
  expect(await next(4)).toBe('published');
  expect((await send(2, 'to the second'))[0]?.status).toBe('unknown_device');
  expect((await send(4, 'to the fourth'))[0]?.status).toBe('accepted');
  expect(await ben.inbox()).toEqual(['to the first', 'to the fourth']);
});

test('expired mail leaves every queue, its id can be used again, and younger mail stays', async () => {
  const [ann, ben] = await pair();
  await ann.send(ben, ['old', 'acknowledged'], { now: NOW - 5_000 });
  await open.store.acknowledge(await ben.queue(), [envelopeId(ben, 'acknowledged')]);
  await ann.send(ben, ['young'], { now: NOW });
  while (await open.store.expire(NOW, NOW - 1_000, 0));
  expect(await ben.inbox()).toEqual(['young']);
  expect(await open.store.queuedBytes(await ben.queue())).toBe(ENVELOPE_BYTES);
  const again = await ann.send(ben, ['old', 'acknowledged', 'young']);
  expect(again.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'duplicate']);
});
