/**
 * One unaccepted person has one budget for all their data in the app: messages, edits, waiting controls, registers,
 * lines of a timeline.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ref } from '../../../../src/messaging/contents/fields.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
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
  const { searchIndex, transaction } = device.context;
  while (!searchIndex.isComplete) transaction(() => undefined);
  while (searchIndex.clean());
  device.db.pragma('wal_checkpoint(TRUNCATE)');
  return statSync(join(device.folder, 'cache.db')).size;
}

const text = (length: number) => ({ kind: 'text', text: 'x'.repeat(length) });
/** Different words in all places, so that the search index has little in common. */
const words = (length: number, alphabet = 0x4e00, size = 0x5000) =>
  Array.from({ length }, () => String.fromCodePoint(alphabet + Math.floor(Math.random() * size))).join('');
const links = () =>
  Array.from({ length: 50 }, (_, place) => `https://a.example/${place}/${words(300, 0x61, 26)}`).join(' ');
const file = () => ({
  ...{ key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)), size: 5 },
  ...{ mediaType: 'image/png', name: words(80), alt: words(160) },
});
const nowhere = (index: number): Ref => ({
  sender: stranger,
  id: idOf(100_000 + index),
  digest: digestOf(bodyOf(text(1))),
});

test.each([
  ['messages', () => text(16_000)],
  ['short messages', () => text(2)],
  ['messages of words that no other has', () => ({ kind: 'text', text: words(5_400) })],
  ['messages of random letters', () => ({ kind: 'text', text: words(16_000, 0x21, 90) })],
  ['links', () => ({ kind: 'text', text: links() })],
  [
    'names and descriptions of files',
    () => ({ kind: 'attachment', files: Array.from({ length: 10 }, file) }),
  ],
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
  // The remaining budget is less than one more needs.
  expect(fill(() => text(16_000))).toBeLessThan(10);
  expect(bytesKept() - before).toBeLessThan(2 * BUDGET);
  expect(come(bodyOf(text(16_000)))).toBe('refused');
});

test.each([
  ['letters', () => 'y'.repeat(16_000)],
  ['words that no other has', () => words(5_400)],
  ['links', links],
])('edits of all their messages with %s use up a stranger’s budget', (_, write) => {
  const first = Array.from({ length: 20 }, () => bodyOf(text(2)));
  for (const body of first) come(body);
  const before = bytesKept();
  const edited = fill((index) => {
    const target = refTo(first[index % first.length] as DirectBody);
    return { kind: 'edit', target, text: write() };
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
  // It is stored after the person deleted the chat.
  conversations.remove(conversations.ensure(id, 'accepted', now).id);
  come(bodyOf({ kind: 'timer', seconds: 60 }));
  expect(contacts.timer(stranger)?.seconds).toBe(60);
});
