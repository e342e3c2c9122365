/** A control that waits for its message is stored with the fields of its kind only. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_TEXT_BYTES } from '../../../src/messaging/contents/text.ts';
import type { GroupBody } from '../../../src/protocol/payload.ts';
import { type CachedDevice, openDevice, receiveBody } from '../../support/cached-device.ts';
import { FullChat, groupOf, refTo, WRITTEN } from '../../support/full-chat.ts';

const [OWN, AUTHOR] = [0, 1];
/** A value that no kind has. */
const PADDING = { padding: 'x'.repeat(1024 * 1024) };
const group = groupOf(2);
let chat: FullChat;
let device: CachedDevice;
beforeEach(() => {
  device = openDevice(group.people[OWN]?.address ?? '', group.chain, () => WRITTEN);
  chat = new FullChat(group);
});
afterEach(() => device.close());

const arrive = (body: GroupBody) => device.context.transaction(() => receiveBody(device, body, WRITTEN));
const kept = () =>
  device.db.prepare<[], string>('SELECT body FROM pending_controls ORDER BY id').pluck().all();

/** A control of the author, padded wherever a body has fields. */
function padded(message: GroupBody, fields: object): GroupBody {
  const { target: _, emoji: __, ...frame } = chat.reaction(AUTHOR, refTo(message));
  return { ...frame, ...PADDING, ...fields } as GroupBody;
}

const target = (message: GroupBody) => ({ ...refTo(message), ...PADDING });

test('stores only the fields of a pending control’s kind', () => {
  const message = chat.message(AUTHOR, 1, 'first');
  const address = message.sender;
  const mentions = [{ at: 0, length: 1, address, ...PADDING }];
  const text = 'y'.repeat(MAX_TEXT_BYTES);
  arrive(padded(message, { kind: 'reaction', target: target(message), emoji: ['✅'] }));
  arrive(padded(message, { kind: 'edit', target: target(message), text, mentions }));
  const sizes = kept().map((body) => body.length);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThan(MAX_TEXT_BYTES + 1_000);
  expect(sizes.filter((size) => size > 1_000)).toHaveLength(1);

  arrive(message);
  expect(kept()).toEqual([]);
  const [shown] = device.context.timelines.before(device.conversationId, null, 10);
  expect(shown?.edit).toMatchObject({ text, mentions: [{ at: 0, length: 1, address }] });
  expect(JSON.stringify(shown?.edit)).not.toContain('padding');
});

test('a deletion waiting for fifty messages stores one target with each', () => {
  const messages = Array.from({ length: 50 }, (_, index) => chat.message(AUTHOR, index + 1, 'gone'));
  const [first] = messages;
  if (!first) throw new Error('there are messages');
  arrive(padded(first, { kind: 'delete', targets: messages.map(target) }));
  expect(kept()).toHaveLength(50);
  expect(Math.max(...kept().map((body) => body.length))).toBeLessThan(1_000);
  for (const message of messages) expect(arrive(message)).toMatchObject({ hasErased: true });
  expect(kept()).toEqual([]);
});
