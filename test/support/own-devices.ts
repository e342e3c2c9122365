/** Own device lists of a test, and chats as the app shows them. */
import type { Conversation } from '../../src/bridge/shapes/conversation.ts';
import type { Context } from '../../src/engine/context.ts';
import { namesOf, toConversation } from '../../src/engine/views/conversations.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';

const DAY = 86_400_000;

/** Stores an own device list with these devices. Its signature is not valid: lists are verified before they are stored. */
export function storeOwnList(
  { identity, now }: Context,
  sequence: number,
  deviceIds: readonly string[],
): void {
  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64url');
  const devices = deviceIds.map((deviceId) => ({
    ...{ deviceId, key: bytes(32), type: 'app' as const, validUntil: encodeTime(now() + DAY) },
  }));
  const previous = sequence === 1 ? null : bytes(32);
  const signature = `0x${'0'.repeat(130)}`;
  identity.addLists([
    { sequence, previous, issued: encodeTime(now()), unsigned: [], devices, signature },
  ] as unknown as Parameters<typeof identity.addLists>[0]);
}

/** The direct chat with an address. It is created if needed. */
export function shownChatWith(context: Context, address: string): Conversation {
  const { contacts, conversations, now } = context;
  const conversation = conversations.ensure(contacts.ensure(address, now()).id, 'accepted', now());
  return toConversation(context, conversation, namesOf(context));
}
