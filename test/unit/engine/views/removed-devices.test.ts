/**
 * Marks set by a removed device: the person is asked, and keeps or undoes them.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import { HistoryMerge, numberingFor, OWN_HISTORY } from '../../../../src/engine/history/merge.ts';
import { openChanges } from '../../../../src/engine/views/device-changes.ts';
import { answerChanges } from '../../../../src/engine/views/own-changes.ts';
import { importEd25519 } from '../../../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../../../src/protocol/device-id.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';
import { recordsOf } from '../../../support/history.ts';
import { shownChatWith, storeOwnList } from '../../../support/own-devices.ts';

const [ANN, BEN, MUM] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

const [HERE, LAPTOP, THIEF, STRANGE] = [1, 2, 3, 4].map((byte) =>
  Buffer.alloc(16, byte).toString('base64url'),
) as [string, string, string, string];

let account: CachedAccount;
let context: Context;
let now: number;
beforeEach(() => {
  now = NOW;
  account = openAccount(ANN, () => now);
  ({ context } = account);
});
afterEach(() => account[Symbol.asyncDispose]());

/** Receives a control from someone, with a valid proof. */
function arrive(
  fields: { kind: string; [field: string]: unknown },
  { sentAt = NOW, id = randomBytes(16).toString('base64url'), deviceId = THIEF } = {},
): void {
  const body = { id, sender: ANN, peer: ANN, sentAt: encodeTime(sentAt), seq: 0, ...fields } as DirectBody;
  receive(context, ANN, receivedDirect(body, { receivedAt: NOW, deviceId }));
}
const set = (key: string, value: unknown, by?: string) => ({
  kind: 'own.set',
  entries: [{ key, value, ...(by !== undefined && { by }) }],
});

/** The person's list now names these devices. */
function list(sequence: number, ...deviceIds: string[]): void {
  storeOwnList(context, sequence, deviceIds);
}
const shown = (address: string) => shownChatWith(context, address);
const questions = () =>
  openChanges(context).map(({ mark, text, device }) => ({ mark, text, deviceId: device.id }));

/** Merges settings of a history that a device sent. @param setBy the devices that the history names */
function mergeFrom(source: string, values: Record<string, unknown>, setBy: string): void {
  const merge = new HistoryMerge(context, ANN, numberingFor(context, 0), OWN_HISTORY, source);
  merge.merge(
    Object.entries(values).map(([key, value]) => ({
      ...{ type: 'setting' as const, key, value, deviceId: setBy, by: null },
      ...{ sentAt: encodeTime(NOW - 1), id: randomBytes(16).toString('base64url') },
    })),
  );
}

test.each([
  ['itself', THIEF],
  ['this computer', HERE],
  ['an unknown one', STRANGE],
])('asks about the settings in a history of a removed device, which named %s', (_name, setBy) => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  mergeFrom(THIEF, { [`verified/${BEN}`]: true, [`nickname/${BEN}`]: 'Mum' }, setBy);
  expect(questions()).toEqual([]);
  expect(shown(BEN)).toMatchObject({ setBy: { id: THIEF, name: null } });
  // The same values again, as to each device that joins.
  arrive(set(`verified/${BEN}`, true), { sentAt: NOW });
  list(2, HERE, LAPTOP);
  expect(questions()).toContainEqual({ mark: 'nickname', text: 'Mum', deviceId: THIEF });
  expect(questions()).toHaveLength(2);
  expect(shown(BEN)).toMatchObject({ verifiedAt: null });
});

test('a mark in a restored backup names the device that set it there, and ends with it', async () => {
  await using maker = openAccount(ANN, () => now);
  maker.context.own.mark('verified', BEN, true);
  const records = recordsOf(maker.context).filter(({ type }) => type === 'setting');
  shown(BEN);
  new HistoryMerge(context, ANN, numberingFor(context, 0), OWN_HISTORY).merge(records);
  const seed = maker.context.identity.get()?.deviceSeed ?? new Uint8Array();
  const by = encodeBase64Url(deviceIdOf(importEd25519(seed).publicKey));
  list(1, HERE, by);
  expect(shown(BEN)).toMatchObject({ verifiedAt: NOW, setBy: { id: by } });
  list(2, HERE);
  expect(shown(BEN)).toMatchObject({ verifiedAt: null });
  expect(questions()).toEqual([{ mark: 'verified', text: null, deviceId: by }]);
});

test('asks about changes of a removed device, drops its verifications, and undoes on request', () => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  shown(MUM);
  context.own.mark('nickname', BEN, 'Benny');
  now += 10_000;
  arrive(set(`verified/${BEN}`, true), { sentAt: now });
  arrive(set(`nickname/${BEN}`, 'Mum'), { sentAt: now });
  arrive(set(`nickname/${BEN}`, 'Mummy'), { sentAt: now + 1 });
  arrive(set(`blocked/${MUM}`, true), { sentAt: now });
  expect(questions()).toEqual([]);
  expect(shown(BEN)).toMatchObject({
    verifiedAt: now,
    setBy: { id: THIEF, name: null },
    peer: { nickname: 'Mummy' },
  });

  list(2, HERE, LAPTOP);
  expect(openChanges(context)).toHaveLength(3);
  expect(openChanges(context)).toContainEqual(
    expect.objectContaining({
      mark: 'nickname',
      text: 'Mummy',
      before: 'Benny',
      device: { id: THIEF, name: null },
    }),
  );
  expect(shown(BEN)).toMatchObject({ verifiedAt: null, setBy: null });
  answerChanges(
    context,
    openChanges(context).map(({ key }) => key),
    'undo',
  );
  expect(questions()).toEqual([]);
  expect(shown(BEN)).toMatchObject({ verifiedAt: null, peer: { nickname: 'Benny' } });
  expect(shown(MUM)).toMatchObject({ state: 'accepted' });
  // Other devices receive the change from this one.
  const due = context.ownRegisters.due().flatMap(({ entries }) => entries);
  expect(due).toContainEqual({ key: `verified/${BEN}`, value: null });
});

test('undoing the block of a removed device returns a request to a request, and removes a chat that the block made', () => {
  list(1, HERE, THIEF);
  const { contacts, conversations } = context;
  const request = conversations.ensure(contacts.ensure(BEN, now).id, 'request', now);
  arrive(set(`blocked/${BEN}`, true));
  arrive(set(`blocked/${BEN}`, true), { sentAt: NOW + 1 });
  arrive(set(`blocked/${MUM}`, true));
  expect(conversations.get(request.id)?.state).toBe('blocked');
  expect(context.own.find(MUM)?.state).toBe('blocked');
  list(2, HERE);
  answerChanges(context, [`blocked/${BEN}`, `blocked/${MUM}`], 'undo');
  expect(conversations.get(request.id)?.state).toBe('request');
  expect(context.own.find(MUM)).toBeNull();
});

test('blocking and unblocking a stranger on a device does not accept the request', () => {
  list(1, HERE, THIEF);
  const { contacts, conversations } = context;
  const request = conversations.ensure(contacts.ensure(BEN, now).id, 'request', now);
  for (const [index, value] of [true, null].entries())
    for (const address of [BEN, MUM]) arrive(set(`blocked/${address}`, value), { sentAt: NOW + index });
  expect(conversations.get(request.id)?.state).toBe('request');
  expect(context.own.find(MUM)).toBeNull();
});

test('a kept change becomes one of this device', () => {
  list(1, HERE, THIEF);
  shown(BEN);
  arrive(set(`verified/${BEN}`, true));
  list(2, HERE);
  answerChanges(context, [`verified/${BEN}`], 'keep');
  expect(questions()).toEqual([]);
  expect(shown(BEN)).toMatchObject({ verifiedAt: expect.any(Number), setBy: null });
});

test('a device that names another setter remains responsible', () => {
  list(1, HERE, LAPTOP, THIEF);
  arrive(set(`verified/${BEN}`, true, LAPTOP));
  arrive(set(`verified/${MUM}`, true, STRANGE));
  expect(shown(BEN)).toMatchObject({ setBy: { id: THIEF, name: null } });
  expect(context.ownRegisters.get(`verified/${MUM}`)).toMatchObject({ deviceId: THIEF, by: null });
  list(2, HERE, LAPTOP);
  expect(questions().map(({ deviceId }) => deviceId)).toEqual([THIEF, THIEF]);
});

test('a value that another device repeats keeps its first setter, here and for a device that joins', () => {
  list(1, HERE, LAPTOP, THIEF);
  arrive(set(`nickname/${BEN}`, 'Mum'));
  arrive(set(`nickname/${BEN}`, 'Mum', THIEF), { deviceId: LAPTOP, sentAt: NOW + 1 });
  arrive(set(`nickname/${MUM}`, 'Mama', THIEF), { deviceId: LAPTOP });
  context.own.restate();
  const due = context.ownRegisters.due().flatMap(({ entries }) => entries);
  expect(due).toContainEqual({ key: `nickname/${BEN}`, value: 'Mum', by: THIEF });
  expect(due).toContainEqual({ key: `nickname/${MUM}`, value: 'Mama', by: THIEF });
  list(2, HERE, LAPTOP);
  expect(questions()).toContainEqual({ mark: 'nickname', text: 'Mum', deviceId: THIEF });
  expect(questions()).toContainEqual({ mark: 'nickname', text: 'Mama', deviceId: THIEF });
});

test('a verification keeps its date when it is repeated for a device that joins', () => {
  list(1, HERE, LAPTOP);
  context.own.mark('verified', BEN, true);
  arrive(set(`verified/${MUM}`, true), { deviceId: LAPTOP });
  now += 60 * 86_400_000;
  context.own.restate();
  arrive(set(`verified/${MUM}`, true, LAPTOP), { deviceId: HERE, sentAt: now });
  expect(context.ownRegisters.get(`verified/${BEN}`)?.sentAt).not.toBe(encodeTime(NOW));
  expect(shown(BEN)).toMatchObject({ verifiedAt: NOW });
  expect(shown(MUM)).toMatchObject({ verifiedAt: NOW });
});

test('does not ask about values of a remaining device; undo skips those of removed ones', () => {
  list(1, HERE, LAPTOP, THIEF, STRANGE);
  arrive(set(`verified/${BEN}`, true), { deviceId: LAPTOP });
  arrive(set(`verified/${BEN}`, true), { sentAt: NOW + 1 });
  arrive(set(`nickname/${BEN}`, 'Benny'), { deviceId: LAPTOP });
  arrive(set(`nickname/${BEN}`, 'Mum'), { sentAt: NOW + 1 });
  arrive(set(`nickname/${BEN}`, 'Mummy'), { sentAt: NOW + 2, deviceId: STRANGE });
  list(2, HERE, LAPTOP);
  expect(openChanges(context)).toMatchObject([{ mark: 'nickname', text: 'Mummy', before: 'Benny' }]);
});

test('a device name that a removed device set counts only after the person has kept it', () => {
  list(1, HERE, LAPTOP, THIEF);
  arrive(set(`verified/${BEN}`, true), { deviceId: LAPTOP });
  context.own.set(`device/${LAPTOP}`, 'Attic');
  expect(shown(BEN)).toMatchObject({ setBy: { id: LAPTOP, name: 'Attic' } });
  arrive(set(`device/${LAPTOP}`, 'Desk'), { sentAt: NOW + 1 });
  expect(shown(BEN)).toMatchObject({ setBy: { id: LAPTOP, name: 'Desk' } });
  list(2, HERE, LAPTOP);
  expect(shown(BEN)).toMatchObject({ setBy: { id: LAPTOP, name: null } });
  expect(openChanges(context)).toMatchObject([
    { mark: 'deviceName', subject: LAPTOP, text: 'Desk', before: 'Attic', device: { id: THIEF } },
  ]);
  answerChanges(context, [`device/${LAPTOP}`], 'undo');
  expect(shown(BEN)).toMatchObject({ setBy: { id: LAPTOP, name: 'Attic' } });
});

test('a timer that a removed device set in the name of another one is listed', () => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  const timer = (seconds: number, at: number) => ({
    ...{ seconds, sender: ANN, sentAt: encodeTime(NOW + at) },
    id: randomBytes(16).toString('base64url'),
  });
  context.contacts.setTimer(BEN, timer(604_800, 0));
  arrive(set(`timer/${BEN}`, timer(30, 1), LAPTOP), { sentAt: NOW + 2 });
  list(2, HERE, LAPTOP);
  expect(openChanges(context)).toMatchObject([
    { mark: 'chatTimer', seconds: { now: 30, before: 604_800 }, device: { id: THIEF } },
  ]);
});

test('a timer that a removed device named as the partner’s is listed', () => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  const timer = {
    seconds: 30,
    sender: BEN,
    sentAt: encodeTime(NOW - 1),
    id: randomBytes(16).toString('base64url'),
  };
  arrive(set(`timer/${BEN}`, timer));
  expect(context.contacts.timer(BEN)).toMatchObject({ seconds: 30 });
  list(2, HERE, LAPTOP);
  expect(openChanges(context)).toMatchObject([
    { mark: 'chatTimer', seconds: { now: 30, before: 0 }, device: { id: THIEF } },
  ]);
});

/** Sets the timer of the chat with Ben. @param deviceId null for this device @param at milliseconds after {@link NOW} */
function setTimerBy(deviceId: string | null, seconds: number, at: number): void {
  context.contacts.setTimer(
    BEN,
    { seconds, sentAt: encodeTime(NOW + at), id: randomBytes(16).toString('base64url'), sender: ANN },
    { deviceId, by: null },
  );
}

test('removed devices that set a timer in turn do not hide the value before all of them', () => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  setTimerBy(null, 604_800, 0);
  setTimerBy(THIEF, 30, 1);
  setTimerBy(LAPTOP, 31, 2);
  setTimerBy(LAPTOP, 30, 3);
  list(2, HERE);
  expect(openChanges(context)).toMatchObject([{ mark: 'chatTimer', seconds: { now: 30, before: 604_800 } }]);
  list(3, HERE, LAPTOP);
  setTimerBy(THIEF, 60, 4);
  expect(openChanges(context)).toMatchObject([{ mark: 'chatTimer', seconds: { now: 60, before: 30 } }]);
});

test('a timer that another removed device kept is still listed, with the value before both', () => {
  list(1, HERE, LAPTOP, THIEF);
  shown(BEN);
  setTimerBy(null, 604_800, 0);
  setTimerBy(THIEF, 30, 1);
  setTimerBy(LAPTOP, 30, 2);
  list(2, HERE, LAPTOP);
  expect(openChanges(context)).toEqual([]);
  list(3, HERE);
  expect(openChanges(context)).toMatchObject([{ mark: 'chatTimer', seconds: { now: 30, before: 604_800 } }]);
});
