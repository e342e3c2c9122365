/**
 * From rows of the cache to what an interface sees.
 */
import {
  type Conversation,
  type Gist,
  type Group,
  type Message,
  MOST_UNCONFIRMED,
  type Person,
} from '../bridge/shapes.ts';
import type { Contents, Judged } from '../messaging/contents/all-kinds.ts';
import type { Channel } from '../messaging/contents/kind.ts';
import type { MessageBody } from '../messaging/sending/outgoing.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import type { StoredConversation, StoredPerson } from './cache/conversations.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { StoredMessage } from './cache/messages.ts';
import type { Context } from './context.ts';

/** Addresses are shown in EIP-55, whatever form they are stored in. */
export function toPerson(peer: StoredPerson): Person {
  return {
    address: toChecksumAddress(peer.address),
    handle: peer.handle,
    displayName: peer.displayName,
    handleVerified: peer.handleVerified,
  };
}

/** In characters. A list of conversations has one text for each, and is asked for at every change. */
const LONGEST_GIST = 2000;

/** The beginning of a message, for lists and notifications. */
export function gistOf(judged: Judged): Gist {
  const { kind, fields } = kindOf(judged);
  return { kind, fields, text: textOf(judged).slice(0, LONGEST_GIST) };
}

/** The kind that an interface knows, and what its look needs. */
function kindOf(judged: Judged): Pick<Gist, 'kind' | 'fields'> {
  return judged.as === 'message'
    ? { kind: judged.kind, fields: judged.fields }
    : { kind: 'newer', fields: {} };
}

/** What is read in a bubble; empty for what has a look of its own. */
function textOf(judged: Judged): string {
  return judged.as === 'message' || judged.as === 'newer' ? (judged.text ?? '') : '';
}

/** Who an address is, as this device knows them: each is looked up once. */
export type Names = (address: string) => Person;

export function namesOf({ contacts }: Context): Names {
  const known = new Map<string, Person>();
  return (address) => {
    const person = known.get(address) ?? toPerson(contacts.profile(address));
    known.set(address, person);
    return person;
  };
}

/** @param channel what kind of conversation it stands in */
export function toMessage(
  contents: Contents,
  channel: Channel,
  message: StoredMessage,
  names: Names,
): Message {
  const { event } = message;
  const judged = event ? null : contents.judge(channel, message.body);
  return {
    id: String(message.id),
    conversationId: String(message.conversationId),
    sender: toChecksumAddress(message.sender),
    author: names(message.sender),
    ...(judged ? kindOf(judged) : { kind: 'event', fields: {} }),
    event: event && { type: event.type, who: names(event.address) },
    text: judged ? textOf(judged) : '',
    sentAt: message.sentAt,
    storedAt: message.storedAt,
    state: message.state,
    trust: message.trust,
    unconfirmed: message.unconfirmed,
    problem: message.problem,
  };
}

/**
 * @param own the person's address
 * @param names of the members who wait for a confirmation
 */
export function toGroup(group: StoredGroup, own: string, names: Names): Group {
  const others = group.unconfirmed.filter((address) => address !== own);
  return {
    groupId: group.groupId,
    name: group.name,
    verified: group.verified,
    memberCount: group.members.length - group.unconfirmed.length,
    hasPassword: group.hasPassword,
    isCreator: group.creator === own,
    joined: group.joined,
    membersDifferSince: group.differsAt,
    unconfirmed: others.slice(0, MOST_UNCONFIRMED).map(names),
    isShownAgain: !group.joined && group.unconfirmed.includes(own),
  };
}

export function toConversation(
  context: Context,
  conversation: StoredConversation,
  names: Names,
): Conversation {
  const { last, partner } = conversation;
  const firstUnread =
    conversation.unread === 0
      ? null
      : context.messages.firstReceivedAfter(conversation.id, conversation.lastReadId);
  const common = {
    id: String(conversation.id),
    state: conversation.state,
    unread: conversation.unread,
    firstUnreadId: firstUnread === null ? null : String(firstUnread),
    draft: conversation.draft,
    muted: conversation.muted,
    last: last && {
      gist: gistOf(context.contents.judge(partner.kind, JSON.parse(last.body) as MessageBody)),
      at: last.storedAt,
      outgoing: last.state !== 'received',
      state: last.state,
      author: names(last.sender),
    },
  };
  if (partner.kind === 'direct') {
    const { devicesChange } = conversation;
    const { verifiedAt } = partner;
    const peerHasWritten = context.messages.hasReceived(conversation.id, 'any');
    const peer = toPerson(partner.peer);
    return { kind: 'direct', ...common, peer, peerHasWritten, devicesChange, verifiedAt };
  }
  const group = context.groups.get(partner.groupId);
  if (!group) throw new Error('a conversation without its group');
  return { kind: 'group', ...common, group: toGroup(group, context.identity.get()?.address ?? '', names) };
}
