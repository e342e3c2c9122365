/**
 * Settings shared by own devices, on one of them: the winning value, the right to set it, and the limits.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Cache } from '../../../../src/engine/cache/database.ts';
import type { Context } from '../../../../src/engine/context.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { MAX_PAYLOAD_BYTES } from '../../../../src/protocol/padding.ts';
import { type DirectBody, decodePayload, encodePayload } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';

const [ANN, BEN, CAT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const DAY = 86_400_000;

let account: CachedAccount;
let db: Cache;
let context: Context;
let now: number;
let emitted: [string, unknown][];
beforeEach(() => {
  now = NOW;
  emitted = [];
  account = openAccount(
    ANN,
    () => now,
    (name, payload) => emitted.push([name, payload]),
  );
  ({ db, context } = account);
});
afterEach(() => account[Symbol.asyncDispose]());

/** Lists in each other. */
const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);
const idOf = (byte: number) => Buffer.alloc(16, byte).toString('base64url');

/** Receives a control from someone, with a valid proof. */
function arrive(
  fields: { kind: string; [field: string]: unknown },
  {
    sentAt = NOW,
    id = randomBytes(16).toString('base64url'),
    sender = ANN,
    peer = ANN,
    proof = 'signed' as 'signed' | 'api',
    deviceId = null as string | null,
  } = {},
): void {
  const body = { id, sender, peer, sentAt: encodeTime(sentAt), seq: 0, ...fields } as DirectBody;
  receive(context, ANN, receivedDirect(body, { receivedAt: NOW, deviceId, proof }));
}
const set = (key: string, value: unknown) => ({ kind: 'own.set', entries: [{ key, value }] });
const chat = (address = BEN) => {
  const contact = context.contacts.ensure(address, now);
  return context.conversations.ensure(contact.id, 'accepted', now);
};

test('keeps the greater time, then the greater id, in any order', () => {
  chat();
  const values = [
    [NOW, 1, 'first'],
    [NOW + 1, 2, 'later'],
    [NOW + 1, 200, 'greater id'],
  ] as const;
  for (const order of [values, values.toReversed()]) {
    db.exec('DELETE FROM own_registers; DELETE FROM seen');
    for (const [sentAt, byte, nickname] of order)
      arrive(set(`nickname/${BEN}`, nickname), { sentAt, id: idOf(byte) });
    expect(chat().partner).toMatchObject({ peer: { nickname: 'greater id' } });
  }
});

test('a slow clock sets a time after the current one', () => {
  arrive(set(`pinned/${BEN}`, true), { sentAt: NOW + DAY / 2 });
  expect(chat().pinned).toBe(true);
  context.own.mark('pinned', BEN, null);
  expect(chat().pinned).toBe(false);
  expect(context.ownRegisters.get(`pinned/${BEN}`)?.sentAt).toBe(encodeTime(NOW + DAY / 2 + 1));
});

test('a value of another device, dated as far ahead as is accepted, can be replaced at once', () => {
  arrive(set(`pinned/${BEN}`, true), { sentAt: NOW + DAY - 1 });
  expect(chat().pinned).toBe(true);
  context.own.mark('pinned', BEN, null);
  expect(context.ownRegisters.valueOf(`pinned/${BEN}`)).toBeNull();
  expect(chat().pinned).toBe(false);
});

test('a timer of a chat, shared with a date of next year, replaces none', () => {
  chat();
  const timer = (seconds: number, sentAt: number) => ({
    ...{ seconds, sentAt: encodeTime(sentAt) },
    ...{ id: idOf(7), sender: BEN },
  });
  arrive(set(`timer/${BEN}`, timer(30, NOW - DAY)));
  expect(context.contacts.timer(BEN)?.seconds).toBe(30);
  arrive(set(`timer/${BEN}`, timer(60, NOW + 365 * DAY)), { sentAt: NOW + 1 });
  expect(context.contacts.timer(BEN)?.seconds).toBe(30);
  // From a backup.
  const version = { sentAt: encodeTime(NOW + 2), id: idOf(8) };
  const file = { source: null, deviceId: idOf(3), by: null };
  context.transaction(() => context.own.merge(`timer/${BEN}`, timer(90, NOW + 365 * DAY), version, file));
  expect(context.contacts.timer(BEN)?.seconds).toBe(30);
});

test.each([
  ['someone else', { sender: BEN, peer: ANN }],
  ['someone else, to themselves', { sender: BEN, peer: BEN }],
  ['the person, to someone else', { sender: ANN, peer: BEN }],
  ['a program of the person, unsigned', { proof: 'api' as const }],
])('%s changes nothing', (_who, from) => {
  chat();
  context.conversations.setState(chat().id, 'accepted');
  arrive(set(`blocked/${CAT}`, true), from);
  arrive(set(`pinned/${BEN}`, true), from);
  arrive({ kind: 'own.read', conversation: { peer: BEN }, upTo: { sender: BEN, id: idOf(1) } }, from);
  expect(chat().pinned).toBe(false);
  expect(context.own.find(CAT)).toBeNull();
  expect(context.ownReads.version(BEN)).toBeNull();
});

test('sends simultaneous changes in one message, within its limits', () => {
  for (let index = 0; index < 120; index++) {
    context.own.mark('muted', `0x${index.toString(16).padStart(40, '0')}`, true);
  }
  const sizes = context.ownRegisters.due().map(({ entries }) => entries.length);
  expect(sizes.toSorted((a, b) => b - a)).toEqual([50, 50, 20]);
  const long = 'n'.repeat(64);
  for (let index = 0; index < 2_000; index++)
    context.own.mark('nickname', `0x${index.toString(16).padStart(40, '0')}`, long);
  for (const { entries } of context.ownRegisters.due()) {
    const body = { kind: 'own.set', entries };
    expect(context.contents.judge('direct', body)).toMatchObject({ as: 'control' });
  }
});

test('sends a change during sending in another message', () => {
  context.own.mark('pinned', BEN, true);
  context.own.closeBatch();
  const [sent] = context.ownRegisters.due();
  context.own.mark('pinned', BEN, null);
  context.own.mark('pinned', CAT, true);
  context.ownRegisters.settle(sent?.id ?? '');
  const due = context.ownRegisters.due();
  expect(due.map(({ id }) => id)).not.toContain(sent?.id);
  expect(due.flatMap(({ entries }) => entries)).toEqual(
    [
      { key: `pinned/${CAT}`, value: true },
      { key: `pinned/${BEN}`, value: null },
    ].toSorted((a, b) => a.key.localeCompare(b.key)),
  );
});

test('the read position never goes back, and waits for a missing message', () => {
  const { id } = chat();
  const insert = (byte: number) => {
    const body = {
      id: idOf(byte),
      sender: BEN,
      peer: ANN,
      sentAt: encodeTime(NOW),
      seq: byte,
      kind: 'text',
      text: 'hi',
    };
    receive(context, ANN, receivedDirect(body, { receivedAt: NOW }));
  };
  const read = (byte: number, sentAt: number) =>
    arrive(
      { kind: 'own.read', conversation: { peer: BEN }, upTo: { sender: BEN, id: idOf(byte) } },
      { sentAt },
    );
  for (const byte of [1, 2, 3]) insert(byte);
  read(3, NOW);
  expect(chat().unread).toBe(0);
  read(1, NOW + 1);
  expect(chat().unread).toBe(0);
  read(5, NOW + 2);
  insert(4);
  expect(chat().unread).toBe(1);
  insert(5);
  insert(6);
  expect(chat().unread).toBe(1);
  expect(context.conversations.get(id)?.unread).toBe(1);
});

test('a later read ends a mark of unread, an earlier one does not', () => {
  chat();
  const from = { sender: BEN, id: idOf(1) };
  const read = (sentAt: number) =>
    arrive({ kind: 'own.read', conversation: { peer: BEN }, upTo: from }, { sentAt });
  arrive(set(`unread/${BEN}`, from), { sentAt: NOW + 5 });
  read(NOW + 4);
  expect(chat().unreadFrom).toEqual(from);
  read(NOW + 6);
  expect(chat().unreadFrom).toBeNull();
});

test('keeps few and small unknown keys unchanged', () => {
  arrive(set('from-later/x', { a: 1 }));
  expect(context.ownRegisters.get('from-later/x')).toMatchObject({ value: { a: 1 }, isKnown: false });
  for (let index = 0; index < 600; index++) arrive(set(`later/${index}`, 'x'), { sentAt: NOW + index });
  const count = () => db.prepare('SELECT count(*) FROM own_registers WHERE known = 0').pluck().get();
  expect(count()).toBe(500);
  for (let index = 0; index < 300; index++)
    arrive(set(`large/${index}`, 'x'.repeat(4_000)), { sentAt: NOW + 1_000 + index });
  expect(count()).toBeLessThan(140);
});

test('bounds data of an endlessly sending own device, and keeps that of existing chats', () => {
  chat();
  context.own.mark('pinned', BEN, true);
  context.ownRegisters.settle(null);
  now += 1;
  for (let page = 0; page < 260; page++) {
    const entries = Array.from({ length: 50 }, (_, index) => ({
      key: `pinned/0x${(page * 50 + index).toString(16).padStart(40, '0')}`,
      value: true,
    }));
    arrive({ kind: 'own.set', entries }, { sentAt: now + page });
  }
  const count = db.prepare('SELECT count(*) FROM own_registers').pluck().get();
  expect(count).toBe(10_000);
  expect(db.prepare('SELECT count(*) FROM conversations').pluck().get()).toBe(1);
  expect(chat().pinned).toBe(true);
});

test('blocks a person as soon as they appear, even without a chat', () => {
  arrive(set(`blocked/${CAT}`, true));
  const made = context.own.find(CAT);
  expect(made?.state).toBe('blocked');
  context.conversations.remove(made?.id ?? 0);
  expect(chat(CAT).state).toBe('blocked');
  arrive(set(`blocked/${CAT}`, null), { sentAt: NOW + 1 });
  expect(chat(CAT).state).toBe('accepted');
});

test('sends all current values to a new device, older than concurrent changes', () => {
  for (const [index, name] of [BEN, CAT].entries()) {
    now = NOW + index * 10;
    context.own.closeBatch();
    context.own.mark('pinned', name, true);
    context.own.mark('unread', name, { sender: name, id: idOf(1) });
  }
  context.own.mark('muted', BEN, true);
  context.own.mark('muted', BEN, null);
  context.ownRegisters.settle(null);
  now = NOW + DAY;
  context.own.restate();
  const [message, ...more] = context.ownRegisters.due();
  expect(more).toEqual([]);
  expect(message?.entries.map(({ key }) => key).toSorted()).toEqual([`pinned/${BEN}`, `pinned/${CAT}`]);
  expect(message?.sentAt).toBe(encodeTime(NOW + 11));
  // A year later that would be too old to be accepted.
  now = NOW + 365 * DAY;
  context.own.restate();
  expect(context.ownRegisters.due()[0]?.sentAt).toBe(encodeTime(now - 10 * DAY));
});

test.each([
  ['long', `muted/${BEN}`, { until: encodeTime(NOW + DAY), more: 'm'.repeat(100_000) }],
  ['deeply nested', `muted/${BEN}`, { until: encodeTime(NOW + DAY), more: nested(29) }],
  ['long unknown', 'later/value', 'm'.repeat(100_000)],
])('a %s value of a history does not prevent sharing with a new device', (_, key, value) => {
  context.own.mark('pinned', CAT, true);
  const version = { sentAt: encodeTime(NOW + 1), id: idOf(9) };
  const by = { source: idOf(3), deviceId: idOf(3), by: null };
  context.transaction(() => context.own.merge(key, value, version, by));
  context.own.restate();
  const due = context.ownRegisters.due();
  expect(due.flatMap(({ entries }) => entries).map((entry) => entry.key)).toContain(`pinned/${CAT}`);
  for (const { sentAt, id, entries } of due) {
    const body = { id, sentAt, sender: ANN, peer: ANN, seq: 0, kind: 'own.set', entries };
    const payload = encodePayload({ channel: 'direct', body }, null);
    expect(payload.length).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    const received = decodePayload(payload).body;
    expect(context.contents.judge('direct', received)).toMatchObject({ as: 'control' });
  }
});

test('repeats a value for a new device with a date before later changes by another device', () => {
  const hour = 3_600_000;
  chat();
  context.own.mark('nickname', BEN, 'Benny');
  now = NOW + hour;
  context.own.mark('archived', BEN, true);
  const timer = { seconds: 60, sentAt: encodeTime(NOW + 2 * hour), id: idOf(1), sender: ANN };
  context.contacts.setTimer(BEN, timer);
  context.ownRegisters.settle(null);
  now = NOW + DAY;
  context.own.restate();
  const dates = context.ownRegisters
    .due()
    .flatMap(({ entries, sentAt }) => entries.map(({ key }) => [key, sentAt]));
  expect(Object.fromEntries(dates)).toEqual({
    [`nickname/${BEN}`]: encodeTime(NOW + 1),
    [`archived/${BEN}`]: encodeTime(NOW + hour + 1),
    [`timer/${BEN}`]: encodeTime(NOW + 2 * hour + 1),
  });
  arrive(set(`nickname/${BEN}`, 'Benjamin'), { sentAt: NOW + 2 });
  expect(context.ownRegisters.valueOf(`nickname/${BEN}`)).toBe('Benjamin');
});

/** Sends the settings that are due here to another account's cache, as from an own device. */
function share(to: Context): void {
  for (const { sentAt, id, entries } of context.ownRegisters.due()) {
    const body = { id, sender: ANN, peer: ANN, sentAt, seq: 0, kind: 'own.set', entries } as DirectBody;
    receive(to, ANN, receivedDirect(body, { receivedAt: now, deviceId: idOf(9) }));
  }
}

test('the end of a block returns a chat to its state before, the same on two own devices', async () => {
  await using other = openAccount(ANN, () => now);
  const both = [context, other.context];
  const chatIn = (at: Context, address: string, state: 'accepted' | 'request') =>
    at.conversations.ensure(at.contacts.ensure(address, now).id, state, now);
  for (const at of both) {
    chatIn(at, BEN, 'request');
    chatIn(at, CAT, 'accepted');
  }
  const statesOf = (address: string) => both.map((at) => at.own.find(address)?.state);
  for (const address of [BEN, CAT]) context.own.mark('blocked', address, true);
  share(other.context);
  expect([statesOf(BEN), statesOf(CAT)]).toEqual([
    ['blocked', 'blocked'],
    ['blocked', 'blocked'],
  ]);
  now += 60_000;
  for (const address of [BEN, CAT]) context.own.unblock(address);
  share(other.context);
  expect(statesOf(BEN)).toEqual(['request', 'request']);
  expect(statesOf(CAT)).toEqual(['accepted', 'accepted']);
});

test('a blocked chat without its setting can be unblocked', () => {
  context.own.mark('blocked', BEN, true);
  context.conversations.setState(context.own.find(BEN)?.id ?? 0, 'accepted');
  context.conversations.setState(context.own.find(BEN)?.id ?? 0, 'blocked');
  db.exec('DELETE FROM own_registers');
  context.own.unblock(BEN);
  expect(context.own.find(BEN)?.state).toBe('accepted');
});
