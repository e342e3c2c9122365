/** The interface gets only the most frequent emoji of a message, and the number of others. */
import { expect, test } from 'vitest';
import { toMessages } from '../../../../src/engine/views/messages.ts';
import type { GroupBody } from '../../../../src/protocol/payload.ts';
import { openDevice, receiveBody } from '../../../support/cached-device.ts';
import { FullChat, groupOf, refTo, WRITTEN } from '../../../support/full-chat.ts';

test('shows the most frequent and own emoji, and the number of others', () => {
  const group = groupOf(12);
  const device = openDevice(group.people[0]?.address ?? '', group.chain, () => WRITTEN + 60_000);
  const chat = new FullChat(group);
  const message = chat.message(1, 1, 'hello');
  const letters = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x1f600 + index));
  device.context.transaction(() => {
    receiveBody(device, message, WRITTEN);
    for (let by = 0; by < 12; by++) {
      const emoji = by === 0 ? letters.slice(-1) : ['👍', ...letters.slice(4 * by, 4 * by + 4)];
      const reaction = { ...chat.reaction(by, refTo(message)), emoji } as GroupBody;
      receiveBody(device, reaction, WRITTEN);
    }
  });
  const { conversations, timelines } = device.context;
  const conversation = conversations.get(device.conversationId);
  if (!conversation) throw new Error('no conversation');
  const [view] = toMessages(device.context, conversation, timelines.before(conversation.id, null, 1));
  expect(view?.reactions).toHaveLength(20);
  expect(view?.reactions[0]).toMatchObject({ emoji: '👍', count: 11, isMine: false });
  expect(view?.reactions.filter(({ isMine }) => isMine)).toHaveLength(1);
  // 44 of others, the thumb, and the own one.
  expect(view?.moreReactions).toBe(46 - 20);
  device.close();
});
