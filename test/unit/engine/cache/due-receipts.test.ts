import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterMessage } from '../../../../src/messaging/gaps/device-gaps.ts';
import type { DeviceIn } from '../../../../src/messaging/gaps/memory.ts';
import { RECEIPT_EVERY, type ReceiptFields, Receipts } from '../../../../src/messaging/receipts/receipts.ts';
import type { Payload } from '../../../../src/protocol/payload.ts';
import { type CachedDevice, openDevice } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

const group = groupOf(2);
const [owner, author] = group.people.map(({ address }) => address);
if (owner === undefined || author === undefined) throw new Error('a group of two has two people');

let now = WRITTEN;
let device: CachedDevice;
let receipts: Receipts;
let sent: ReceiptFields[];
let isReachable: boolean;
const from: DeviceIn = { conversation: author, address: author, deviceId: 'AAAAAAAAAAAAAAAAAAAAAA' };

beforeEach(() => {
  now = WRITTEN;
  device = openDevice(owner, group.chain, () => now);
  sent = [];
  isReachable = true;
  const { dueReceipts, gaps } = device.context;
  receipts = new Receipts({
    own: owner,
    dues: dueReceipts,
    followed: gaps,
    settings: { delivered: true, read: false },
    exchangeReceipts: () => true,
    firstUnread: () => null,
    highestOwn: () => null,
    store: () => false,
    now: () => now,
    post: (_to, fields) => {
      if (isReachable) sent.push(fields);
      return Promise.resolve(isReachable);
    },
  });
});
afterEach(() => device.close());

/** Messages of the author with these numbers arrive together. */
function comes(...seqs: number[]): void {
  receipts.came(seqs.map(arrived));
}

/** Records a number of the author. @returns its message */
function arrived(seq: number): Payload {
  const { gaps } = device.context;
  const next = afterMessage(gaps.find(from.conversation, from.deviceId)?.gaps ?? null, seq);
  if (next) gaps.save({ ...from, since: 0, isStranger: false, gaps: next });
  const body = { kind: 'text', text: 'Hi', seq, sender: author };
  return { channel: 'direct', deviceId: from.deviceId, body } as unknown as Payload;
}

/** Advances the clock to the next due receipt, and sends it. @returns the passed milliseconds */
async function next(): Promise<number> {
  const before = now;
  now = Math.max(now, receipts.nextAt() ?? Number.NaN);
  await receipts.postDue();
  return now - before;
}

test('sends receipts for reordered messages as soon as the missing ones arrive', async () => {
  comes(1);
  comes(3);
  await next();
  expect(sent).toEqual([{ delivered: { [from.deviceId]: 1 } }]);
  comes(2);
  comes(4);
  expect(await next()).toBeLessThanOrEqual(RECEIPT_EVERY);
  expect(sent.at(-1)).toEqual({ delivered: { [from.deviceId]: 4 } });
});

test('an unsent receipt waits, whichever messages arrive meanwhile', async () => {
  comes(1);
  isReachable = false;
  await next();
  const waitsUntil = receipts.nextAt();
  comes(2);
  expect(receipts.nextAt()).toBe(waitsUntil);
});

test('messages that arrive together are planned once, and all are in the receipt', async () => {
  const plan = vi.spyOn(device.context.dueReceipts, 'plan');
  comes(1, 2, 3, 4, 5);
  expect(plan).toHaveBeenCalledTimes(1);
  await next();
  expect(sent).toEqual([{ delivered: { [from.deviceId]: 5 } }]);
});
