/**
 * From rows of the cache to what an interface sees.
 */
import type { Conversation, Message, Person } from '../../bridge/shapes.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { type DirectBody, TextContent } from '../../protocol/payload.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/messages.ts';

/** Addresses are shown in EIP-55, whatever form they are stored in. */
export function toPerson(peer: {
  address: string;
  handle: string | null;
  displayName: string | null;
  handleVerified: boolean;
}): Person {
  return {
    address: toChecksumAddress(peer.address),
    handle: peer.handle,
    displayName: peer.displayName,
    handleVerified: peer.handleVerified,
  };
}

/** The text of a body, or null if this version cannot show its kind. */
export function textOf(body: DirectBody): string | null {
  const text = TextContent.safeParse(body);
  return text.success ? text.data.text : null;
}

export function toMessage(message: StoredMessage): Message {
  const text = textOf(message.body);
  return {
    id: String(message.id),
    conversationId: String(message.conversationId),
    sender: toChecksumAddress(message.sender),
    kind: text === null ? 'unsupported' : 'text',
    text: text ?? '',
    sentAt: message.sentAt,
    storedAt: message.storedAt,
    state: message.state,
    trust: message.trust,
    problem: message.problem,
  };
}

export function toConversation(conversation: StoredConversation, firstUnread: number | null): Conversation {
  const { last } = conversation;
  return {
    id: String(conversation.id),
    peer: toPerson(conversation.peer),
    state: conversation.state,
    unread: conversation.unread,
    firstUnreadId: firstUnread === null ? null : String(firstUnread),
    draft: conversation.draft,
    last: last && {
      text: textOf(JSON.parse(last.body) as DirectBody) ?? 'Sent by a newer version of Waxwing',
      at: last.storedAt,
      outgoing: last.state !== 'received',
      state: last.state,
    },
    devicesChangedAt: conversation.devicesChangedAt,
  };
}
