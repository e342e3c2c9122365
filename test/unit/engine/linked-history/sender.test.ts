/** Making the parts of a history, with a real file thread and without a relay. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FileThread } from '../../../../src/engine/files/thread.ts';
import type { Account } from '../../../../src/engine/identity/account.ts';
import { offerHistory } from '../../../../src/engine/linked-history/begin.ts';
import { HistorySender } from '../../../../src/engine/linked-history/sender.ts';
import { MAX_PARTS } from '../../../../src/messaging/contents/kinds/own.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { DEFAULT_LIMITS } from '../../../../src/protocol/limits.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { receive, receivedDirect } from '../../../support/cached-account.ts';
import { ann, HistoryWriter, LATER, openAnn } from '../../../support/history.ts';

const id = () => randomBytes(16).toString('base64url');
const WORKER = new URL('../../../../src/engine/files/worker.ts', import.meta.url);

/** A part in it has room for some of the messages. In bytes. */
const SMALL_BLOB = 100 * 1024;

/** A computer with long messages that sends its history to a listed one. @param blobBytes the largest blob of its relay */
function startSending(blobBytes = DEFAULT_LIMITS.blobBytes) {
  const device = openAnn(() => LATER);
  const { context, db, folder } = device;
  const writer = new HistoryWriter(device, () => undefined);
  for (let count = 0; count < 12; count++)
    writer.do({ is: 'text', chat: 'ben', by: 1, text: 'a'.repeat(10_000), expires: null });
  const thread = new FileThread(WORKER, folder, {
    token: () => Promise.reject(new Error('no relay')),
    proxyFor: async () => ({ ok: true, value: null }),
    progress: () => undefined,
    verified: () => undefined,
  });
  const laptop = id();
  const list = { sequence: 1, devices: [{ deviceId: laptop }] };
  db.prepare('INSERT INTO own_lists (sequence, list) VALUES (1, ?)').run(JSON.stringify(list));
  const request = (snapshot: string) => {
    const fields = { kind: 'own.history.request', snapshot, from: 1 };
    const frame = { id: id(), sender: ann.address, peer: ann.address, sentAt: encodeTime(LATER), seq: 0 };
    const body = { ...frame, ...fields } as DirectBody;
    receive(context, ann.address, receivedDirect(body, { receivedAt: LATER, deviceId: laptop }));
  };
  offerHistory(context, laptop, true);
  const relay = { limits: async () => ({ ...DEFAULT_LIMITS, blobBytes }) };
  // The other parts of an account are not used.
  const account = { address: ann.address, relay } as unknown as Account;
  const send = async () => undefined;
  const sender = new HistorySender({ context, account, thread, send, onPlanned: () => undefined });
  return {
    ...{ context, laptop, request, sender },
    async [Symbol.asyncDispose]() {
      await thread.close();
      device.close();
    },
  };
}

test('a part that is being made when the computer begins again is discarded', async () => {
  await using sending = startSending();
  const { context, laptop, request, sender } = sending;
  const snapshots = [id(), id()] as const;
  request(snapshots[0]);
  const working = sender.work();
  request(snapshots[1]);
  await working;
  expect(context.linkedHistory.sendingTo(laptop)).toMatchObject({ snapshot: snapshots[1], made: 0 });
  expect(context.linkedHistory.parts(laptop)).toEqual([]);
  expect(context.files.ids(), 'no file of the discarded part').toEqual([]);
  await sender.work();
  expect(context.linkedHistory.parts(laptop).length).toBeGreaterThan(0);
});

test('a relay without room for a part gets none, and the history is not complete', async () => {
  await using sending = startSending(4_096);
  const { context, laptop, request, sender } = sending;
  request(id());
  for (let step = 0; step < 3; step++) await sender.work();
  expect(context.linkedHistory.parts(laptop)).toHaveLength(1);
  expect(context.linkedHistory.sendingTo(laptop)).toMatchObject({ stage: 'messages', made: 1 });
});

/** Sends until this part is the next one. The messages that are left need two parts. */
async function sendBefore(sending: ReturnType<typeof startSending>, next: number) {
  const { context, laptop, request, sender } = sending;
  const { linkedHistory } = context;
  request(id());
  await sender.work();
  const people = linkedHistory.sendingTo(laptop);
  if (!people) throw new Error('nothing is sent');
  linkedHistory.removePart(laptop, 1);
  linkedHistory.saveSending({ ...people, received: next - 1, made: next - 1, parts: next });
  await sender.work();
  return { now: linkedHistory.sendingTo(laptop), made: linkedHistory.parts(laptop) };
}

test('a history continues after a thousand parts', async () => {
  await using sending = startSending(SMALL_BLOB);
  const { now, made } = await sendBefore(sending, 1_000);
  expect(now).toMatchObject({ stage: 'messages', made: 1_000 });
  expect(made).toMatchObject([{ part: 1_000, parts: 1_001 }]);
});

test('a history that the last possible part does not complete is not complete', async () => {
  await using sending = startSending(SMALL_BLOB);
  const { now, made } = await sendBefore(sending, MAX_PARTS);
  expect(now).toMatchObject({ stage: 'messages', made: MAX_PARTS - 1 });
  expect(made).toEqual([]);
});
