/**
 * Storing a message that came: in which conversation it belongs, where in it, for how long, and whether the person hears
 * of it.
 */
import type { Mention } from '../../messaging/contents/fields.ts';
import { mentionsIn } from '../../messaging/contents/mentions.ts';
import { writtenAtOf } from '../../messaging/contents/written.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import { isMuted, type StoredConversation } from '../cache/conversations.ts';
import type { StoredLifetime } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import { lifetimeIn } from '../timers.ts';
import { groupName } from '../views/conversations.ts';
import type { Arrival, StoredArrival } from './arrival.ts';
import { findLatePlace } from './late-place.ts';

/** The device that takes it; `own`: the person's address. */
interface Taker {
  context: Context;
  own: string;
}

/** Stores a message, in the caller's transaction. @returns null for what a blocked person sent */
export function storeArrival(context: Context, own: string, arrival: Arrival): StoredArrival | null {
  const taker = { context, own };
  return arrival.channel === 'group' ? storeGroupMessage(taker, arrival) : storeDirectMessage(taker, arrival);
}

/** How long it stays; null if it does not disappear. */
export function lifetimeOf(arrival: Arrival, own: string, now: number): StoredLifetime | null {
  return lifetimeIn(arrival.body, { isOwn: isOwn(arrival, own), receivedAt: arrival.receivedAt }, now);
}

/** What a bot posts in the person's own group is to them what it is to all members: not theirs. */
function isOwn({ body, trust }: Arrival, own: string): boolean {
  return body.sender === own && trust !== 'bot' && trust !== 'token';
}

function storeDirectMessage(
  { context, own: address }: Taker,
  arrival: Extract<Arrival, { channel: 'direct' }>,
): StoredArrival | null {
  const { body, trust } = arrival;
  const { contacts, conversations, now } = context;
  const own = body.sender === address;
  const contact = contacts.ensure(own ? body.peer : body.sender, now());
  const accepts = trust === 'self' || (own && body.peer === address);
  const conversation = conversations.ensure(contact.id, accepts ? 'accepted' : 'request', now());
  if (conversation.state === 'blocked' && !own) return null;
  // Written on another own device: a user who writes to a person has accepted them. A program's message has not.
  if (accepts && conversation.state === 'request') conversations.setState(conversation.id, 'accepted');
  return {
    conversationId: conversation.id,
    messageId: insert({ context, own: address }, conversation.id, arrival, own),
    request: conversation.state === 'request',
    group: null,
    ...mentionIn({ context, own: address }, arrival, conversation, !own),
  };
}

function storeGroupMessage(
  { context, own: address }: Taker,
  arrival: Extract<Arrival, { channel: 'group' }>,
): StoredArrival | null {
  const { body, group } = arrival;
  const { contacts, conversations, now } = context;
  const own = isOwn(arrival, address);
  const contact = contacts.ensure(body.sender, now());
  if (conversations.findByContact(contact.id)?.state === 'blocked' && !own) return null;
  const conversation = conversations.ensureForGroup(group.id, now());
  return {
    conversationId: conversation.id,
    messageId: insert({ context, own: address }, conversation.id, arrival, own),
    request: false,
    group: groupName(group),
    ...mentionIn({ context, own: address }, arrival, conversation, !own && group.joined),
  };
}

/** What a mention makes of being told. @param isHeard whether it is told where nothing is muted */
function mentionIn(
  { context, own }: Taker,
  arrival: Arrival,
  conversation: StoredConversation,
  isHeard: boolean,
): Pick<StoredArrival, 'notify' | 'mentionsMe' | 'muted'> {
  const mentionsMe = isHeard && mentions(arrival, own);
  const muted = isMuted(conversation, context.now());
  return { notify: isHeard && (mentionsMe || !muted), mentionsMe, muted };
}

/** Whether it mentions someone. The kinds have judged the fields. */
function mentions({ judged, body }: Arrival, someone: string): boolean {
  if (judged.as !== 'message' || judged.text === null) return false;
  const named = (body.mentions as readonly Mention[] | undefined) ?? [];
  return mentionsIn(judged.text, named).some(({ address }) => address === someone);
}

function insert(
  { context, own: address }: Taker,
  conversationId: number,
  arrival: Arrival,
  own: boolean,
): number {
  const { conversations, messages, timelines, now } = context;
  const { body, trust, isLate, deviceId, digest, receivedAt, suite } = arrival;
  const { notes, bot } = arrival.channel === 'group' ? arrival : { notes: null, bot: null };
  const signedAt = decodeTime(body.sentAt);
  const at = isLate && findLatePlace(signedAt, timelines.surroundings(conversationId, body.sender, signedAt));
  const lifetime = lifetimeOf(arrival, address, now());
  const messageId = messages.insert({
    conversationId,
    sender: body.sender,
    uid: decodeBase64Url(body.id),
    body,
    sentAt: decodeTime(writtenAtOf(body)),
    storedAt: now(),
    state: own ? 'sent' : 'received',
    trust,
    bot,
    roster: notes && (notes.isBeyond || notes.unaware.length > 0) ? notes : null,
    at: at || null,
    ...{ deviceId, digest, receivedAt, suite },
    mentionsMe: !own && mentions(arrival, address),
    lifetime,
  });
  if (lifetime) context.lifetimes.tell(lifetime.endsAt);
  conversations.messageAdded(conversationId, at ? timelines.lastId(conversationId) : messageId, !own, now());
  context.own.stored(conversationId, body, messageId);
  return messageId;
}
