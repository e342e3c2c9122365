/** Conversion of cache rows for the interface. */
import { failedWith } from '../../base/failure.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { NamedDevice } from '../../bridge/shapes/device.ts';
import type { Group } from '../../bridge/shapes/group.ts';
import type { Delivery, Message, MessageSummary, Trust } from '../../bridge/shapes/message.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import type { Contents, Judged } from '../../messaging/contents/all-kinds.ts';
import type { Channel } from '../../messaging/contents/channel.ts';
import type { Edit } from '../../messaging/contents/kind.ts';
import { bodyNow, kindOf, textOf } from '../../messaging/contents/shown.ts';
import { isAwaitingChain } from '../../messaging/groups/chain-memory.ts';
import { findGroupProblem } from '../../messaging/groups/problems.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import type { Contacts } from '../cache/contacts.ts';
import { isMuted, type StoredConversation, type StoredPerson } from '../cache/conversations.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import { deliveriesOf } from './deliveries.ts';
import type { Names } from './names.ts';
import { namesakesOf, namesInGroup } from './namesakes.ts';
import { answeringDevice, isOpenChange, namedDevice } from './own-changes.ts';
import { personName } from './person-name.ts';

/** Shows addresses in EIP-55, regardless of their stored form. */
export function toPerson(peer: StoredPerson): Person {
  return {
    address: toChecksumAddress(peer.address),
    handle: peer.handle,
    displayName: peer.displayName,
    nickname: peer.nickname,
    handleVerified: peer.handleVerified,
    picture: peer.pictureId === null ? null : String(peer.pictureId),
  };
}

/** In characters. A list has one summary per conversation, and is requested at every change. */
const LONGEST_SUMMARY = 2000;

/** The summary of a message, for lists and notifications. */
export function summaryOf(judged: Judged): MessageSummary {
  const { kind, fields } = kindOf(judged);
  return { kind, fields, text: textOf(judged).slice(0, LONGEST_SUMMARY) };
}

/**
 * The current summary of a message, after edits and deletion.
 * @param body the signed body
 */
export function currentSummary(
  contents: Contents,
  channel: Channel,
  { body, edit, isDeleted }: { body: MessageBody; edit: Edit | null; isDeleted: boolean },
): MessageSummary {
  if (isDeleted) return { kind: 'deleted', fields: {}, text: '' };
  return summaryOf(contents.judge(channel, bodyNow(body, edit)));
}

/** @param expected addresses to look up together in advance */
export function namesOf({ contacts }: Context, expected: Iterable<string> = []): Names {
  const people = contacts.profiles([...new Set(expected)]);
  const known = new Map(people.map((person) => [person.address, toPerson(person)]));
  return (address) => {
    const person = known.get(address) ?? toPerson(contacts.profile(address));
    known.set(address, person);
    return person;
  };
}

/**
 * Name of a bot: from the chain of its group, or its key. A bot that posts by token only has the name that
 * the relay states, if any. Null without a bot.
 */
export function botName(bot: MessageBot | null): string | null {
  return bot && (toLabel(bot.name) || ('key' in bot ? bot.key : ''));
}

/** A bot for the interface, with an unambiguous key. Keys of bots have no colon, unlike those of tokens. */
export function toMessageBot(bot: MessageBot | null): Message['bot'] {
  return bot && { key: 'key' in bot ? bot.key : `token:${bot.token}`, name: botName(bot) ?? '' };
}

/** Name of a bot for lists. Empty for a token without a key or known name. Null without a bot. */
export function botLabel(bot: MessageBot | null, trust: Trust | null): string | null {
  return botName(bot) ?? (trust === 'token' ? '' : null);
}

/** Name of a group from its chain, or else its id. */
export function groupName({ groupId, state }: StoredGroup): string {
  return toLabel(state.name) || groupId;
}

/** Delivery of the last message. */
function deliveryOfLast(context: Context, conversation: StoredConversation): Delivery {
  const { last } = conversation;
  if (last?.state !== 'sent') return 'none';
  const body = JSON.parse(last.body) as MessageBody;
  const own = context.identity.get()?.address ?? '';
  return deliveriesOf(context, conversation, own).of({ ...last, body, isDeleted: last.isDeleted });
}

/** @param own the person's address */
export function toGroup(
  contacts: Contacts,
  group: StoredGroup,
  pictureId: number | null,
  own: string,
): Group {
  const { groupId, state, verified, joined } = group;
  const isLoading = isAwaitingChain(group);
  const isStopped = isLoading && group.notes.stop !== null;
  const problem =
    joined || isStopped
      ? findGroupProblem(group.notes, (address) => personName(contacts.profile(address)))
      : null;
  return {
    groupId,
    name: groupName(group),
    picture: pictureId === null ? null : String(pictureId),
    verified,
    memberCount: state.memberCount,
    join: state.join,
    isCreator: state.creator === own,
    isAdmin: state.admins.includes(own),
    joined,
    isLoading,
    problem: problem?.data ?? null,
    canGoOn: failedWith(problem, 'roster_split', 'roster_replaced', 'roster_device_dropped'),
  };
}

/** Unread count, with the manual mark: it counts from its message on. */
function unreadOf(
  { messages, timelines }: Context,
  { id, lastReadId, unread, unreadFrom }: StoredConversation,
): { unread: number; firstUnreadId: number | null } {
  const from = unreadFrom && messages.find(id, unreadFrom.sender, decodeBase64Url(unreadFrom.id));
  // The unread part may begin before the mark.
  const after = from ? Math.min(lastReadId, from.id - 1) : lastReadId;
  if (after === lastReadId) {
    return { unread, firstUnreadId: unread === 0 ? null : timelines.firstReceivedAfter(id, lastReadId) };
  }
  return {
    unread: timelines.countReceivedAfter(id, after),
    firstUnreadId: timelines.firstReceivedAfter(id, after),
  };
}

/**
 * Time of the verification of an address, with the own device that did it; null for none. A verification by a removed device
 * does not count.
 */
export function verifiedBy(
  context: Pick<Context, 'identity' | 'now' | 'ownRegisters'>,
  address: string,
): { verifiedAt: number; setBy: NamedDevice | null } | null {
  const register = context.ownRegisters.get(`verified/${address}`);
  if (register?.value !== true || !register.isKnown) return null;
  const verifiedAt = Math.min(context.now(), decodeTime(register.setAt));
  const listed = register.deviceId === null ? null : context.identity.listedDevices();
  if (isOpenChange(listed, register)) return null;
  const device = answeringDevice(listed, register);
  return { verifiedAt, setBy: device && namedDevice(context, listed, device.id) };
}

export function toConversation(
  context: Context,
  conversation: StoredConversation,
  names: Names,
): Conversation {
  const { last, partner } = conversation;
  const group = partner.kind === 'group' ? context.groups.get(partner.groupId) : null;
  const { unread, firstUnreadId: firstUnread } = unreadOf(context, conversation);
  const mentions =
    unread === 0 ? null : context.timelines.mentionsAfter(conversation.id, conversation.lastReadId);
  const common = {
    id: String(conversation.id),
    state: conversation.state,
    unread,
    unreadMentions: mentions?.count ?? 0,
    markedUnread: conversation.unreadFrom !== null,
    firstUnreadId: firstUnread === null ? null : String(firstUnread),
    failed: conversation.failed,
    failures: conversation.failures,
    firstMentionId: mentions && mentions.first !== null ? String(mentions.first) : null,
    draft: conversation.draft,
    draftMentions: conversation.draftMentions.map((each) => ({
      ...each,
      address: toChecksumAddress(each.address),
    })),
    mutedUntil: isMuted(conversation, context.now()) ? conversation.mutedUntil : null,
    pinned: conversation.pinned,
    archived: conversation.archived,
    activeAt: last?.at ?? conversation.updatedAt,
    last: last && {
      summary: currentSummary(context.contents, partner.kind, {
        body: JSON.parse(last.body) as MessageBody,
        edit: last.edit === null ? null : (JSON.parse(last.edit) as Edit),
        isDeleted: last.isDeleted,
      }),
      at: last.at,
      outgoing: last.state !== 'received',
      state: last.state,
      delivery: deliveryOfLast(context, conversation),
      author: namesInGroup(group, names, namesakesOf(context, names))(last.sender),
      bot: botLabel(last.bot, last.trust),
    },
  };
  if (partner.kind === 'direct') {
    const { devicesChange } = conversation;
    const { timer } = partner;
    const peerHasWritten = context.timelines.hasReceived(conversation.id, 'any');
    // Only accepted contacts send receipts.
    const peerHasAccepted = peerHasWritten || context.receipts.hasAny(conversation.id);
    const isSelf = partner.peer.address === context.identity.get()?.address;
    const followsInvite =
      !isSelf &&
      !peerHasAccepted &&
      (context.conversations.inviteToken(conversation.id) !== null ||
        context.timelines.hasSentInviteToken(conversation.id));
    const peer = toPerson(partner.peer);
    const trusted = {
      verifiedAt: null,
      setBy: null,
      ...verifiedBy(context, partner.peer.address),
    };
    const person = { peer, isSelf, peerHasWritten, peerHasAccepted, followsInvite };
    return { kind: 'direct', ...common, timer, ...person, devicesChange, ...trusted };
  }
  if (!group) throw new Error('a conversation without its group');
  return {
    kind: 'group',
    ...common,
    timer: group.state.timer,
    group: toGroup(context.contacts, group, partner.pictureId, context.identity.get()?.address ?? ''),
  };
}
