/** The stored messages of one conversation, as controls access them (src/messaging/contents). */
import type { Trust } from '../bridge/shapes/message.ts';
import type { Authorship, Place } from '../messaging/contents/authorship.ts';
import type { MessageId } from '../messaging/contents/fields.ts';
import type { ContentStore, StoredContent } from '../messaging/contents/kind.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import type { MessageBot } from '../messaging/receiving/received.ts';
import { isDirect, type MessageBody } from '../messaging/sending/outgoing.ts';
import { BLOB_LIFE } from '../protocol/blob/layout.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import { isCreatorOrAdmin } from '../protocol/roster/state.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { StoredMessage } from './cache/message-rows.ts';
import { HERE } from './cache/own-registers.ts';
import type { PendingControl } from './cache/pending-controls.ts';
import type { Context } from './context.ts';
import { setCurrentEdit } from './current-edit.ts';
import { setGroupPicture, setProfile } from './faces/received.ts';

/** The author of a content. @param sender wire address */
export function authorshipOf({
  sender,
  trust,
  bot,
}: {
  sender: string;
  trust: Trust | SenderProof;
  bot: MessageBot | null;
}): Authorship {
  if (bot && 'key' in bot) return { by: 'bot', address: sender, botId: bot.key };
  if (trust === 'api' || trust === 'imported') return { by: 'nobody', address: sender, via: 'api_key' };
  if (trust === 'token') return { by: 'nobody', address: sender, via: 'group_token' };
  return { by: 'person', address: sender };
}

/**
 * A conversation as rights see it.
 * @param own wire address
 */
export function placeOf(context: Context, { partner }: StoredConversation, own: string): Place {
  if (partner.kind === 'direct')
    return { channel: 'direct', self: own, peer: partner.peer.address, creator: null, admins: [] };
  const state = context.groups.get(partner.groupId)?.state;
  const { creator = null, admins = [] } = state ?? {};
  return { channel: 'group', self: own, peer: null, creator, admins };
}

/** Reports whether an address is creator or admin in a conversation now. */
export function managesNow(context: Context, { partner }: StoredConversation, address: string): boolean {
  const group = partner.kind === 'group' ? context.groups.get(partner.groupId) : null;
  return group !== null && isCreatorOrAdmin(group.state, address);
}

/** A conversation as rights see it at the time of a control: by the chain entry that it names. */
function placeAt(
  context: Context,
  conversation: StoredConversation,
  own: string,
  { body, manages }: PendingControl,
): Place {
  const place = placeOf(context, conversation, own);
  return { ...place, creator: null, admins: manages ? [body.sender] : [] };
}

/**
 * @param control the control to apply; it waits if its message has not arrived
 * @param onErased called when a message was erased from the disk
 */
export function contentStore(
  context: Context,
  conversation: StoredConversation,
  own: string,
  control: PendingControl,
  onErased: () => void,
): ContentStore {
  const { contacts, messages, pending, seen, strangers, now } = context;
  return {
    place: placeAt(context, conversation, own, control),
    find({ sender, id, digest }) {
      const found = messages.find(conversation.id, sender, decodeBase64Url(id), digest);
      return found && storedContent(context, found, onErased);
    },
    wait(target, content) {
      // The target was received before, and deleted.
      if (seen.has(target.sender, decodeBase64Url(target.id), true)) return false;
      // Only the fields of its kind are bounded. A body may have others, of any size.
      const { id, sender, sentAt } = control.body;
      const body = { id, sender, sentAt, ...content };
      if (!strangers.draw(conversation.id, body)) return false;
      pending.add(conversation.id, target, { ...control, body }, now());
      return true;
    },
    setTimer(seconds, version) {
      const { partner, id } = conversation;
      if (partner.kind !== 'direct') return false;
      const { address } = partner.peer;
      const before = contacts.timer(address)?.seconds ?? 0;
      const setBy = version.sender === own ? { ...HERE, deviceId: control.deviceId ?? null } : HERE;
      if (!contacts.setTimer(address, { seconds, ...version }, setBy)) return false;
      if (seconds !== before) {
        const event = { type: 'timer' as const, address: version.sender, seconds };
        messages.insertTimerEvent(id, event, decodeBase64Url(version.id), now());
      }
      return true;
    },
    setProfile: (profile, version) => setProfile({ context, conversation, own, onErased }, profile, version),
    setPicture(file, version, isRepeated) {
      // Also of one that it repeats: the named sender is its claim.
      const deviceId = control.body.sender === own ? (control.deviceId ?? null) : null;
      const place = { context, conversation, own, onErased };
      return setGroupPicture(place, { file, isRepeated, deviceId }, version);
    },
  };
}

/** A stored message as a control accesses it. */
export function storedContent(context: Context, message: StoredMessage, onErased: () => void): StoredContent {
  const { annotations, conversations, files, links, messages, timelines, outbox, sentControls } = context;
  const { id, conversationId, body, digest, receivedAt, sender, uid } = message;
  return {
    authorship: authorshipOf(message),
    digest,
    body,
    sentAt: decodeTime(body.sentAt),
    receivedAt,
    isDeleted: message.deletedBy !== null,
    isImported: message.trust === 'imported',
    setReaction: (by, emoji, version) => annotations.setReaction(id, by, emoji, version),
    addEdit(edit, version) {
      const newest = annotations.addEdit(id, edit, version);
      if (!newest) return false;
      setCurrentEdit(context, message, newest);
      return true;
    },
    setPinned: (isPinned, version) => annotations.setPinned(id, conversationId, isPinned, version),
    erase(by) {
      annotations.erase(id);
      // The relay deletes the blobs of an own message: others may not have downloaded them yet.
      if (message.trust === 'self') context.unwantedBlobs.giveUpMessage(id, context.now() + BLOB_LIFE);
      files.detach(id);
      links.remove(id);
      messages.erase(id, frameOf(body), by.address);
      // Recipients without a copy get none now.
      outbox.removeOfMessage(id);
      // Edits contain text, too.
      sentControls.removeAbout(conversationId, { sender, id: uid });
      conversations.setLastMessage(conversationId, timelines.lastId(conversationId));
      onErased();
      return true;
    },
  };
}

/** The remainder of an erased body: sender, time and place, without its contents. */
function frameOf(body: MessageBody): MessageBody {
  const { id, sender, sentAt, seq } = body;
  const frame = { id, sender, sentAt, seq, kind: 'deleted' };
  return isDirect(body)
    ? { ...frame, peer: body.peer }
    : { ...frame, groupId: body.groupId, roster: body.roster };
}

/** Applies the controls that waited for a message, in the caller's transaction. */
export function applyPending(
  context: Context,
  conversationId: number,
  own: string,
  target: MessageId,
  onErased: () => void,
): void {
  const controls = context.pending.remove(conversationId, target.sender, target.id);
  const conversation = controls.length > 0 ? context.conversations.get(conversationId) : null;
  if (!conversation) return;
  for (const control of controls) applyControl(context, conversation, own, control, onErased);
}

/** @returns the outcome of a control, in the caller's transaction */
export function applyControl(
  context: Context,
  conversation: StoredConversation,
  own: string,
  control: PendingControl,
  onErased: () => void,
): 'changed' | 'waiting' | 'nothing' {
  const { body, channel, receivedAt, isRequested } = control;
  const judged = context.contents.judge(channel, body);
  if (judged.as !== 'control') return 'nothing';
  const { sender, sentAt, id } = body;
  const by = {
    authorship: authorshipOf({ sender, trust: control.proof, bot: control.bot }),
    version: { sentAt, id, sender },
    receivedAt,
    wasRequested: isRequested,
  };
  if (!judged.apply) return 'nothing';
  return judged.apply(by, contentStore(context, conversation, own, control, onErased));
}
