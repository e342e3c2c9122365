/**
 * Storing a received message: its conversation, its place there, its lifetime, and whether it notifies.
 */
import { extrasOf } from '../../messaging/contents/extras.ts';
import type { Mention } from '../../messaging/contents/fields.ts';
import { mentionsIn } from '../../messaging/contents/mentions.ts';
import { claimedFiles, textOf } from '../../messaging/contents/shown.ts';
import { writtenAtOf } from '../../messaging/contents/written.ts';
import { botOf, type Received } from '../../messaging/receiving/received.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import { type ConversationHead, isMuted } from '../cache/conversations.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { StoredLifetime } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import { planDownloadsOfAccepted, storeFiles } from '../files/receiving.ts';
import { isOpenInvite, spendInvite } from '../invites/own-invites.ts';
import { lifetimeIn } from '../timers.ts';
import { groupName } from '../views/conversations.ts';
import { findLatePlace } from './late-place.ts';
import { type NewMessage, trustOf } from './outcome.ts';

interface Recipient {
  context: Context;
  /** The person's address. */
  own: string;
  /** True if later messages of the sender arrived before this one. */
  isLate: boolean;
}

/** Stores a message, in the caller's transaction. @returns null for a message of a blocked person */
export function storeMessage(
  context: Context,
  own: string,
  received: Received<StoredGroup>,
  isLate: boolean,
): NewMessage | null {
  const recipient = { context, own, isLate };
  return received.channel === 'group'
    ? storeGroupMessage(recipient, received)
    : storeDirectMessage(recipient, received);
}

/** Lifetime of a disappearing message; null for others. */
export function lifetimeOf(received: Received<StoredGroup>, own: string, now: number): StoredLifetime | null {
  return lifetimeIn(received.body, { isOwn: isOwn(received, own), receivedAt: received.receivedAt }, now);
}

/** A bot's post in a group of the person is not their own message. */
function isOwn({ body, proof }: Received<StoredGroup>, own: string): boolean {
  return body.sender === own && proof !== 'bot' && proof !== 'token';
}

function storeDirectMessage(
  recipient: Recipient,
  received: Extract<Received<StoredGroup>, { channel: 'direct' }>,
): NewMessage | null {
  const { context, own: address } = recipient;
  const { body } = received;
  const { contacts, conversations, now } = context;
  const own = body.sender === address;
  const contactId = contacts.idOf(own ? body.peer : body.sender, now());
  const accepts =
    trustOf(received, address) === 'self' ||
    (own && body.peer === address) ||
    (conversations.stateWith(body.sender) !== 'blocked' && usesInvite(recipient, received));
  const conversation = conversations.ensureHead(contactId, accepts ? 'accepted' : 'request', now());
  if (conversation.state === 'blocked' && !own) return null;
  // Written on another own device: a user who writes to a person has accepted them. Or by an invite link of the user. A
  // program's message does not accept.
  const hasAccepted = accepts && conversation.state === 'request';
  if (hasAccepted) {
    conversations.setState(conversation.id, 'accepted');
    planDownloadsOfAccepted(context, conversation.id);
  }
  return {
    conversationId: conversation.id,
    messageId: insert(recipient, conversation.id, received, own),
    request: conversation.state === 'request' && !hasAccepted,
    hasAccepted: hasAccepted && !own,
    group: null,
    ...mentionIn(recipient, received, conversation, !own),
  };
}

/**
 * Reports whether a message has the token of an open invite link of the person.
 * @param own wire address
 */
export function hasInvite(context: Context, own: string, received: Received<StoredGroup>): boolean {
  const { body, channel, proof } = received;
  if (channel !== 'direct' || proof !== 'signed' || body.sender === own) return false;
  const { token } = extrasOf(body);
  return token !== null && isOpenInvite(context, token);
}

/** The same, and spends the link. */
function usesInvite({ context, own }: Recipient, received: Received<StoredGroup>): boolean {
  if (!hasInvite(context, own, received)) return false;
  spendInvite(context, extrasOf(received.body).token ?? '');
  return true;
}

function storeGroupMessage(
  recipient: Recipient,
  received: Extract<Received<StoredGroup>, { channel: 'group' }>,
): NewMessage | null {
  const { context, own: address } = recipient;
  const { body, group } = received;
  const { contacts, conversations, now } = context;
  const own = isOwn(received, address);
  contacts.idOf(body.sender, now());
  if (conversations.stateWith(body.sender) === 'blocked' && !own) return null;
  const conversation = conversations.ensureHeadForGroup(group.id, now());
  return {
    conversationId: conversation.id,
    messageId: insert(recipient, conversation.id, received, own),
    request: false,
    hasAccepted: false,
    group: groupName(group),
    ...mentionIn(recipient, received, conversation, !own && group.joined),
  };
}

/**
 * Reports whether a message notifies, by its mentions and the chat's settings.
 * @param notifies true if it notifies in an unmuted chat
 */
function mentionIn(
  { context, own }: Recipient,
  received: Received<StoredGroup>,
  conversation: ConversationHead,
  notifies: boolean,
): Pick<NewMessage, 'notify' | 'mentionsMe' | 'muted'> {
  const mentionsMe = notifies && mentions(received, own);
  const muted = isMuted(conversation, context.now());
  return { notify: notifies && (mentionsMe || !muted), mentionsMe, muted };
}

/** Reports whether it mentions someone. The fields were validated by the kinds. */
function mentions({ judged, body }: Received<StoredGroup>, someone: string): boolean {
  if (judged.as !== 'message' || judged.text === null) return false;
  const named = (body.mentions as readonly Mention[] | undefined) ?? [];
  return mentionsIn(judged.text, named).some(({ address }) => address === someone);
}

function insert(
  { context, own: address, isLate }: Recipient,
  conversationId: number,
  received: Received<StoredGroup>,
  own: boolean,
): number {
  const { conversations, messages, timelines, now } = context;
  const { body, deviceId, digest, receivedAt, suite } = received;
  const notes = received.channel === 'group' ? received.notes : null;
  const signedAt = decodeTime(body.sentAt);
  const at = isLate && findLatePlace(signedAt, timelines.surroundings(conversationId, body.sender, signedAt));
  const lifetime = lifetimeOf(received, address, now());
  const uid = decodeBase64Url(body.id);
  const messageId = messages.insert({
    conversationId,
    sender: body.sender,
    uid,
    body,
    sentAt: decodeTime(writtenAtOf(body)),
    storedAt: now(),
    state: own ? 'sent' : 'received',
    trust: trustOf(received, address),
    bot: botOf(received),
    roster: notes && (notes.isBeyond || notes.unaware.length > 0) ? notes : null,
    at: at || null,
    ...{ deviceId, digest, receivedAt, suite },
    mentionsMe: !own && mentions(received, address),
    lifetime,
  });
  if (lifetime) context.lifetimes.reportEnd(lifetime.endsAt);
  const attached = claimedFiles(received.judged, body);
  const conversation = attached.length > 0 ? conversations.get(conversationId) : null;
  if (conversation) {
    storeFiles(context, conversation, { id: messageId, sender: body.sender, own }, attached);
  }
  // Afterwards, so that the files of both stay.
  const removed =
    received.proof === 'signed' ? messages.removeImported(conversationId, body.sender, uid, digest) : 0;
  context.links.add(messageId, conversationId, textOf(received.judged));
  const last = at ? timelines.lastId(conversationId) : messageId;
  conversations.messageAdded(conversationId, last, (own ? 0 : 1) - removed, now());
  context.own.stored(conversationId, body, messageId);
  return messageId;
}
