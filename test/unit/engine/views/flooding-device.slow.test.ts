/**
 * A stolen linked computer that sends more settings than the app stores: its marks end with it, and those of other devices stay.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import { HistoryMerge, numberingFor, OWN_HISTORY } from '../../../../src/engine/history/merge.ts';
import { toMessageInfo } from '../../../../src/engine/views/message-info.ts';
import { answerChanges } from '../../../../src/engine/views/own-changes.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';
import { shownChatWith, storeOwnList } from '../../../support/own-devices.ts';

const [ANN, BEN, MUM, DAD] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const [HERE, LAPTOP, THIEF] = [1, 2, 3].map((byte) => Buffer.alloc(16, byte).toString('base64url')) as [
  string,
  string,
  string,
];
let account: CachedAccount;
let context: Context;
let now: number;
beforeEach(() => {
  now = NOW;
  account = openAccount(ANN, () => now);
  ({ context } = account);
  account.db.pragma('synchronous = OFF');
});
afterEach(() => account[Symbol.asyncDispose]());

function arrive(entries: { key: string; value: unknown; by?: string }[], deviceId = THIEF): void {
  now++;
  const id = randomBytes(16).toString('base64url');
  const body = { id, sender: ANN, peer: ANN, sentAt: encodeTime(now), seq: 0, kind: 'own.set', entries };
  receive(context, ANN, receivedDirect(body as unknown as DirectBody, { receivedAt: now, deviceId }));
}
function mergeFrom(entries: { key: string; value: unknown }[]): void {
  now++;
  const merge = new HistoryMerge(context, ANN, numberingFor(context, 0), OWN_HISTORY, THIEF);
  const by = { deviceId: HERE, by: null, sentAt: encodeTime(now) };
  merge.merge(
    entries.map((entry) => ({ type: 'setting', ...entry, ...by, id: randomBytes(16).toString('base64url') })),
  );
}
function list(sequence: number, ...deviceIds: string[]): void {
  storeOwnList(context, sequence, deviceIds);
}
const shown = (address: string) => shownChatWith(context, address);
const count = (table: string) =>
  account.db.prepare<[], { count: number }>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0;
const address = (index: number) => `0x${(index + 2 ** 40).toString(16).padStart(40, '0')}`;

/** More blocks than the app stores settings, of 50 people each. */
const MANY = 204;
const blocks = (page: number) =>
  Array.from({ length: 50 }, (_, place) => ({ key: `blocked/${address(page * 50 + place)}`, value: true }));

/** The thief sends, or writes into a history, more settings than the app stores. */
test.each([
  ['messages', () => Array.from({ length: MANY }, (_, page) => arrive(blocks(page)))],
  ['a history', () => Array.from({ length: MANY }, (_, page) => mergeFrom(blocks(page)))],
])('a flood of settings in %s displaces no value of other devices', (_name, flood) => {
  list(1, HERE, THIEF);
  context.own.mark('verified', MUM, true);
  context.own.mark('nickname', MUM, 'Mum');
  context.own.mark('nickname', DAD, 'Dad');
  context.ownRegisters.settle(null);
  now += 10_000;
  arrive([{ key: `nickname/${DAD}`, value: 'Bank' }]);
  arrive([{ key: `verified/${BEN}`, value: true }]);
  flood();

  expect(count('own_registers')).toBe(10_000);
  expect(shown(MUM)).toMatchObject({
    verifiedAt: expect.any(Number),
    setBy: null,
    peer: { nickname: 'Mum' },
  });
  list(2, HERE);
  answerChanges(context, [`nickname/${DAD}`], 'undo');
  expect(shown(DAD)).toMatchObject({ peer: { nickname: 'Dad' } });
  // The mark of the thief was displaced by its own later values: nothing of it is left.
  expect(shown(BEN)).toMatchObject({ verifiedAt: null });
  // Chats that a block has made end with its setting.
  expect(count('conversations')).toBeLessThanOrEqual(10_003);
});

test('a flood that a remaining device repeats displaces none of its own values', () => {
  list(1, HERE, LAPTOP, THIEF);
  arrive([{ key: `nickname/${MUM}`, value: 'Mum' }], LAPTOP);
  for (let page = 0; page < MANY; page++)
    arrive(
      blocks(page).map((each) => ({ ...each, by: THIEF })),
      LAPTOP,
    );
  expect(count('own_registers')).toBe(10_000);
  expect(shown(MUM)).toMatchObject({ peer: { nickname: 'Mum' } });
});

test('a flood in the names of all earlier devices displaces no value of other devices', () => {
  const former = Array.from({ length: 12 }, (_, index) => Buffer.alloc(16, 16 + index).toString('base64url'));
  list(1, HERE, THIEF, ...former);
  list(2, HERE, THIEF);
  const mine = 1_500;
  for (let index = 0; index < mine; index++) context.own.mark('nickname', address(2 ** 20 + index), 'Friend');
  context.ownRegisters.settle(null);
  for (let page = 0; page < MANY; page++)
    arrive(
      blocks(page).map((each, place) => ({ ...each, by: former[(page + place) % former.length] ?? THIEF })),
    );
  expect(count('own_registers')).toBe(10_000);
  expect(count("own_registers WHERE key LIKE 'nickname/%'")).toBe(mine);
});

test('the block of a person with a chat is listed after a flood of blocks of others', () => {
  list(1, HERE, THIEF);
  expect(shown(BEN)).toMatchObject({ state: 'accepted' });
  arrive([{ key: `blocked/${BEN}`, value: true }]);
  for (let page = 0; page < MANY; page++) arrive(blocks(page));
  list(2, HERE);
  expect(shown(BEN)).toMatchObject({ state: 'blocked' });
  answerChanges(context, [`blocked/${BEN}`], 'undo');
  expect(shown(BEN)).toMatchObject({ state: 'accepted' });
});

test('message info does not count the verification of a removed device', () => {
  list(1, HERE, THIEF);
  const body = {
    id: randomBytes(16).toString('base64url'),
    sender: BEN,
    peer: ANN,
    sentAt: encodeTime(now),
    seq: 1,
  };
  const text = { ...body, kind: 'text', text: 'hello' } as unknown as DirectBody;
  const { stored } = receive(context, ANN, receivedDirect(text, { receivedAt: now, deviceId: HERE }));
  const message = context.messages.get(stored?.messageId ?? 0);
  const conversation = context.conversations.get(stored?.conversationId ?? 0);
  if (!message || !conversation) throw new Error('the message was not stored');
  const info = () => toMessageInfo(context, conversation, message, { address: ANN, deviceId: HERE });
  arrive([{ key: `verified/${BEN}`, value: true }]);
  expect(info().isVerified).toBe(true);
  list(2, HERE);
  expect(info().isVerified).toBe(false);
});
