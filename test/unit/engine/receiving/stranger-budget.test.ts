/**
 * One unaccepted person has one budget for everything that the app stores of them: messages, edits, controls that wait,
 * registers, lines of a timeline.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ref } from '../../../../src/messaging/contents/fields.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { receivedDirect } from '../../../support/cached-account.ts';
import { type CachedDevice, DEVICE, digestOf, idOf, openDevice } from '../../../support/cached-device.ts';
import { groupOf, refTo, WRITTEN } from '../../../support/full-chat.ts';

/** In bytes. The newest edit of a message is kept twice. */
const BUDGET = 256 * 1024;
const group = groupOf(2);
const [own = '', stranger = ''] = group.people.map(({ address }) => address);
let now = WRITTEN;
let device: CachedDevice;
let count = 0;
beforeEach(() => {
  device = openDevice(own, group.chain, () => now);
  device.db.pragma('synchronous = OFF');
});
afterEach(() => device.close());

function bodyOf(fields: Record<string, unknown>): DirectBody {
  count++;
  now++;
  const sentAt = encodeTime(now);
  return { id: idOf(count), sender: stranger, peer: own, sentAt, seq: count, ...fields } as DirectBody;
}

/** Receives a direct content as the engine does. @returns 'refused', or its outcome */
function come(body: DirectBody) {
  const received = receivedDirect(body, { deviceId: DEVICE, receivedAt: now });
  const { receiver, context } = device;
  if (receiver.findRefusal(received) !== null) return 'refused';
  return context.transaction(() => receiver.receive(received));
}

/** Sends one content after the other until the app refuses them. @returns how many it took */
function fill(next: (index: number) => Record<string, unknown>, most = 3_000): number {
  let index = 0;
  while (index < most && come(bodyOf(next(index))) !== 'refused') index++;
  return index;
}

function bytesKept(): number {
  device.db.pragma('wal_checkpoint(TRUNCATE)');
  return statSync(join(device.folder, 'cache.db')).size;
}

const text = (length: number) => ({ kind: 'text', text: 'x'.repeat(length) });
const nowhere = (index: number): Ref => ({
  sender: stranger,
  id: idOf(100_000 + index),
  digest: digestOf(bodyOf(text(1))),
});

test.each([
  ['messages', () => text(16_000)],
  ['short messages', () => text(2)],
  [
    'controls that wait',
    (index: number) => ({ kind: 'edit', target: nowhere(index), text: 'x'.repeat(16_000) }),
  ],
  [
    'one deletion that waits for fifty messages',
    (index: number) => ({
      kind: 'delete',
      targets: Array.from({ length: 50 }, (_, place) => nowhere(50 * index + place)),
    }),
  ],
  ['changes of the timer', (index: number) => ({ kind: 'timer', seconds: 30 + index })],
])('a stranger has used up their budget with %s', (_, next) => {
  come(bodyOf(text(2)));
  const before = bytesKept();
  expect(fill(next)).toBeLessThan(150);
  expect(bytesKept() - before).toBeLessThan(2 * BUDGET);
  expect(come(bodyOf(text(16_000))), 'nor with anything else').toBe('refused');
});

test('edits of all their messages use up a stranger’s budget', () => {
  const first = Array.from({ length: 20 }, () => bodyOf(text(2)));
  for (const body of first) come(body);
  const before = bytesKept();
  const edited = fill((index) => {
    const target = refTo(first[index % first.length] as DirectBody);
    return { kind: 'edit', target, text: 'y'.repeat(16_000) };
  });
  expect(edited).toBeLessThan(20);
  expect(bytesKept() - before).toBeLessThan(2 * BUDGET);
});

test('acceptance ends the budget', () => {
  fill(() => text(2));
  const { conversations, contacts } = device.context;
  const { id } = conversations.findByContact(contacts.find(stranger)?.id ?? 0) ?? { id: 0 };
  conversations.setState(id, 'accepted');
  expect(fill(() => text(2), 200)).toBe(200);
});

test('a fellow member cannot set a timer for an unstarted chat', () => {
  const { contacts, conversations } = device.context;
  const { id } = contacts.ensure(stranger, now);
  expect(come(bodyOf({ kind: 'timer', seconds: 30 }))).toMatchObject({ stored: null, changed: null });
  expect(contacts.timer(stranger)).toBeNull();
  // In place of a chat that the person deleted, it stands.
  conversations.remove(conversations.ensure(id, 'accepted', now).id);
  come(bodyOf({ kind: 'timer', seconds: 60 }));
  expect(contacts.timer(stranger)?.seconds).toBe(60);
});
