/** Controls about the history for a linked computer: only what was requested is accepted, from the right device and in bounds. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HERE } from '../../../../src/engine/cache/linked-history.ts';
import type { Context } from '../../../../src/engine/context.ts';
import {
  missed,
  offerAgain,
  offerHistory,
  requestHistory,
} from '../../../../src/engine/linked-history/begin.ts';
import { endReceiving, endSending } from '../../../../src/engine/linked-history/end.ts';
import { MAX_PART_BYTES, WINDOW } from '../../../../src/engine/linked-history/form.ts';
import { blobKeys } from '../../../../src/protocol/blob/keys.ts';
import { decodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';

const [ANN, BEN] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const b = (bytes: number) => randomBytes(bytes).toString('base64url');
const [LAPTOP, TABLET, REMOVED] = [b(16), b(16), b(16)] as [string, string, string];

let account: CachedAccount;
let context: Context;
beforeEach(() => {
  account = openAccount(ANN, () => NOW);
  ({ context } = account);
  const list = { sequence: 1, devices: [LAPTOP, TABLET].map((deviceId) => ({ deviceId })) };
  account.db.prepare('INSERT INTO own_lists (sequence, list) VALUES (1, ?)').run(JSON.stringify(list));
});
afterEach(() => account[Symbol.asyncDispose]());

const file = (size = 1_000) => ({ key: b(32), digest: b(32), size, mediaType: 'a/b', name: 'history' });

function arrive(
  fields: { kind: string; [field: string]: unknown },
  { deviceId = LAPTOP, sender = ANN, proof = 'signed' as 'signed' | 'api' } = {},
): void {
  const body = { id: b(16), sender, peer: ANN, sentAt: encodeTime(NOW), seq: 0, ...fields } as DirectBody;
  receive(context, ANN, receivedDirect(body, { receivedAt: NOW, deviceId, proof }));
}
const part = (number: number, snapshot: string, of = file(), parts = 10) => ({
  ...{ kind: 'own.history', snapshot, part: number, parts, file: of },
});
const request = (snapshot: string, from: number) => ({ kind: 'own.history.request', snapshot, from });
const end = (snapshot: string) => ({ kind: 'own.history.end', snapshot });
const storedParts = (deviceId = HERE) => context.linkedHistory.parts(deviceId).map((each) => each.part);
const snapshotHere = () => context.linkedHistory.receiving()?.snapshot ?? '';

test('a part that was not requested is ignored', () => {
  arrive(part(1, b(16)));
  expect(storedParts()).toEqual([]);
  requestHistory(context);
  arrive(part(1, b(16)));
  expect(storedParts(), 'of another snapshot').toEqual([]);
  endReceiving(context);
  arrive(part(1, snapshotHere()));
  expect(storedParts(), 'after the end').toEqual([]);
});

test('parts are accepted from one own device only, which signed them', () => {
  requestHistory(context);
  const snapshot = snapshotHere();
  arrive(part(1, snapshot), { deviceId: REMOVED });
  arrive(part(1, snapshot), { proof: 'api' });
  arrive(part(1, snapshot), { sender: BEN });
  expect(storedParts()).toEqual([]);
  arrive(part(2, snapshot));
  arrive(part(1, snapshot), { deviceId: TABLET });
  expect(storedParts()).toEqual([2]);
  arrive(part(1, snapshot));
  expect(storedParts()).toEqual([1, 2]);
});

test('parts out of the window, repeated or too large are ignored, and those in it wait in order', () => {
  requestHistory(context);
  const snapshot = snapshotHere();
  arrive(part(WINDOW + 1, snapshot));
  arrive(part(1, snapshot, file(MAX_PART_BYTES + 1)));
  arrive(part(1, snapshot, file(0)));
  expect(storedParts()).toEqual([]);
  arrive(part(WINDOW, snapshot));
  const first = file();
  arrive(part(1, snapshot, first));
  arrive(part(1, snapshot));
  expect(storedParts()).toEqual([1, WINDOW]);
  expect(context.linkedHistory.parts(HERE)[0]?.file.key).toEqual(Buffer.from(first.key, 'base64url'));
  const receiving = context.linkedHistory.receiving();
  if (receiving) context.linkedHistory.saveReceiving({ ...receiving, merged: 5 });
  arrive(part(5, snapshot));
  expect(storedParts(), 'a merged one again').toEqual([1, WINDOW]);
});

test('a part cannot take the place of a file of a message', () => {
  requestHistory(context);
  const known = file();
  const id = context.files.ensure(known);
  arrive(part(1, snapshotHere(), known));
  expect(storedParts()).toEqual([]);
  expect(context.files.get(id)).toMatchObject({ task: null });
});

test('an end by the sender removes its parts, here and at the relay, and keeps what was merged', () => {
  requestHistory(context);
  const snapshot = snapshotHere();
  const first = file();
  arrive(part(1, snapshot, first));
  arrive(end(b(16)));
  arrive(end(snapshot), { deviceId: TABLET });
  expect(context.linkedHistory.receiving()?.state).toBe('receiving');
  arrive(end(snapshot));
  expect(context.linkedHistory.receiving()?.state).toBe('stopped');
  expect(storedParts()).toEqual([]);
  expect(context.unwantedBlobs.list(NOW)).toEqual([blobKeys(decodeBase64Url(first.key)).id]);
  arrive(part(1, snapshot));
  expect(storedParts()).toEqual([]);
});

test('an end before the first part hides everything: the person did not want to send it', () => {
  requestHistory(context);
  arrive(end(snapshotHere()));
  expect(context.linkedHistory.receiving()).toBeNull();
});

test('the history is sent to a device that was linked here, for its first snapshot', () => {
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sending()).toEqual([]);
  offerHistory(context, TABLET, true);
  arrive(request(snapshot, 1), { deviceId: LAPTOP });
  expect(context.linkedHistory.sendingTo(TABLET)?.state).toBe('offered');
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'sending', snapshot });
  arrive(request(b(16), 2), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'sending', snapshot });
  offerHistory(context, REMOVED, true);
  arrive(request(snapshot, 1), { deviceId: REMOVED });
  expect(context.linkedHistory.sendingTo(REMOVED)?.state).toBe('offered');
});

test('a device that begins again, as after a long absence, gets the history from its beginning', () => {
  sendParts(3);
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'sending', snapshot, made: 0 });
  expect(storedParts(TABLET)).toEqual([]);
  expect(context.unwantedBlobs.list(NOW)).toHaveLength(3);
});

/** The history for the tablet, which was off for too long. */
function miss(): void {
  offerHistory(context, TABLET, true);
  const sending = context.linkedHistory.sendingTo(TABLET);
  if (sending) context.linkedHistory.saveSending(missed(sending));
}

test('a device that was off for too long gets nothing before the person has sent it again', () => {
  miss();
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'back', snapshot });
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)?.state).toBe('back');
  offerAgain(context, TABLET);
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'sending', snapshot, made: 0 });
  offerAgain(context, TABLET);
  expect(context.linkedHistory.sendingTo(TABLET)?.state, 'once').toBe('sending');
});

test('a history that is sent again before the device is on waits for its request', () => {
  miss();
  offerAgain(context, TABLET);
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'offered', lastReceivedAt: NOW });
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'sending', snapshot });
});

test.each(['missed', 'offered'] as const)('an old request of a lost history is ignored: %s', (state) => {
  const snapshot = sendParts(3);
  const sending = context.linkedHistory.sendingTo(TABLET);
  if (sending) context.linkedHistory.saveSending(missed(sending));
  if (state === 'offered') offerAgain(context, TABLET);
  for (const from of [1, 2]) arrive(request(snapshot, from), { deviceId: TABLET });
  arrive(request(b(16), 2), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state, snapshot, made: 0 });
});

test('a history that the person does not send again is answered with an end', () => {
  miss();
  endSending(context, TABLET, false);
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'ending', snapshot });
});

test('a refused history is answered with an end', () => {
  offerHistory(context, TABLET, false);
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(context.linkedHistory.sendingTo(TABLET)).toMatchObject({ state: 'ending', snapshot });
});

/** Parts 1 to `made` of a history for the tablet, at the relay. */
function sendParts(made: number): string {
  offerHistory(context, TABLET, true);
  const snapshot = b(16);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  const sending = context.linkedHistory.sendingTo(TABLET);
  for (let number = 1; number <= made; number++) {
    const id = context.files.ensure(file());
    context.linkedHistory.addPart(TABLET, number, 10, id);
    context.linkedHistory.setSent(TABLET, number, true);
  }
  if (sending) context.linkedHistory.saveSending({ ...sending, made });
  return snapshot;
}
const sent = () => context.linkedHistory.parts(TABLET).filter(({ isSent }) => isSent);

test('an end before the first request ends the offer', () => {
  offerHistory(context, TABLET, true);
  arrive(end(b(16)), { deviceId: LAPTOP });
  expect(context.linkedHistory.sendingTo(TABLET)?.state).toBe('offered');
  arrive(end(b(16)), { deviceId: TABLET });
  expect(context.linkedHistory.sending()).toEqual([]);
});

test('a request removes the parts before it, and a repeated one sends those after it again', () => {
  const snapshot = sendParts(3);
  arrive(request(snapshot, 5), { deviceId: TABLET });
  expect(storedParts(TABLET), 'of a part that was not made').toEqual([1, 2, 3]);
  arrive(request(snapshot, 2), { deviceId: TABLET });
  expect(storedParts(TABLET)).toEqual([2, 3]);
  expect(context.unwantedBlobs.list(NOW)).toHaveLength(1);
  expect(sent()).toHaveLength(2);
  arrive(request(snapshot, 1), { deviceId: TABLET });
  expect(sent(), 'an old one').toHaveLength(2);
  arrive(request(snapshot, 2), { deviceId: TABLET });
  expect(sent()).toHaveLength(0);
  expect(context.linkedHistory.parts(TABLET).map((each) => each.file.task)).toEqual(['upload', 'upload']);
});

test('an end by either side removes all parts', () => {
  const snapshot = sendParts(3);
  arrive(end(b(16)), { deviceId: TABLET });
  arrive(end(snapshot), { deviceId: LAPTOP });
  expect(storedParts(TABLET)).toEqual([1, 2, 3]);
  arrive(end(snapshot), { deviceId: TABLET });
  expect(context.linkedHistory.sending()).toEqual([]);
  expect(storedParts(TABLET)).toEqual([]);
  expect(context.unwantedBlobs.list(NOW)).toHaveLength(3);
  sendParts(2);
  endSending(context, TABLET, false);
  expect(context.linkedHistory.sendingTo(TABLET)?.state).toBe('ending');
  expect(storedParts(TABLET)).toEqual([]);
});

test('parts are neither cleared with files nor part of a backup', () => {
  const snapshot = sendParts(1);
  expect(snapshot).not.toBe('');
  const [stored] = context.linkedHistory.parts(TABLET);
  context.files.setDownloaded(stored?.file.id ?? 0, 'a/b');
  expect(context.historyRows.files(0, 10)).toEqual([]);
  expect(context.historyRows.filesBelow(1_000, 10)).toEqual([]);
  const after = { id: 0, hereSince: 0 };
  expect(context.diskUse.removable(null, after, 10).map(({ isRemovable }) => isRemovable)).toEqual([false]);
});
