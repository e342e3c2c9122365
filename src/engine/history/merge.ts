/**
 * Merges records of a history into a live cache: adds missing ones, at their place in the timeline, and replaces nothing newer.
 * Merging twice changes nothing.
 *
 * Merged messages have numbers below those of all messages that arrived here, in the order of their arrival at the source. So
 * they are never unread by themselves, and searches and lists find them after newer ones.
 *
 * Each type of record has one method. A new type belongs in src/archive/history-records.ts first, its reading in ./read.ts, and
 * its SQL in src/engine/cache.
 */

import type {
  ContactRecord,
  ConversationRecord,
  GroupRecord,
  HistoryRecord,
  MessageRecord,
  ReceiptRecord,
  SettingRecord,
} from '../../archive/history-records.ts';
import { isMessage } from '../../messaging/contents/all-kinds.ts';
import { LONGEST_UNSEEN } from '../../messaging/contents/disappearing.ts';
import { MAX_KEPT_TEXTS } from '../../messaging/contents/edits.ts';
import { inviteKey } from '../../messaging/contents/kinds/own.ts';
import { claimedFiles, textOf } from '../../messaging/contents/shown.ts';
import { replaces, type Version } from '../../messaging/contents/versions.ts';
import { NOTHING_NOTED } from '../../messaging/groups/chain-memory.ts';
import { isDirect, type MessageBody } from '../../messaging/sending/outgoing.ts';
import { provenTrust } from '../../messaging/trust/address-trust.ts';
import { isDatedAhead, latestSentAt } from '../../messaging/trust/replay.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import { DirectBody, GroupBody } from '../../protocol/payload.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { MAX_GROUPS } from '../cache/group-chains.ts';
import type { StoredLifetime, StoredMessage } from '../cache/message-rows.ts';
import { applyPending, storedContent } from '../content-store.ts';
import type { Context } from '../context.ts';
import { setCurrentEdit } from '../current-edit.ts';

/** The numbers of merged messages. Stored to continue a merge after a restart. */
export interface Numbering {
  /** Number of a merged message: its `arrival` less this. */
  shift: number;
  /** Numbers from this one on are of messages that were here before. */
  ceiling: number;
}

export interface MergeRules {
  /**
   * True for the person's own, authenticated copy, such as a backup. Otherwise anyone may have written the records: they add
   * messages to a chat, and change nothing that is here.
   */
  isOwn: boolean;
  /** True: messages that were deleted here return. */
  bringsBack: boolean;
}

/** Rules for backups and for histories of other own devices. */
export const OWN_HISTORY: MergeRules = { isOwn: true, bringsBack: false };

/** Rules for files that anyone may have written. */
export const IMPORT: MergeRules = { isOwn: false, bringsBack: true };

/** Numbers that one merge uses. Far fewer than numbers of records, which a wrong record would otherwise use up. */
const MAX_NUMBERS = 2 ** 32;

/** Unread messages of a chat up to which they are counted again after each transaction: about 1 ms. */
const MOST_COUNTED = 10_000;

/** Numbers for messages of another source. @param lastArrival greatest `arrival` of these */
export function numberingFor({ historyRows }: Pick<Context, 'historyRows'>, lastArrival: number): Numbering {
  const ceiling = Math.min(0, historyRows.ends().first);
  return { shift: lastArrival + 1 - ceiling, ceiling };
}

export class HistoryMerge {
  readonly #context: Context;
  readonly #numbering: Numbering;
  readonly #rules: MergeRules;
  readonly #own: string;
  readonly #source: string | null;
  /** Conversations with new messages in the current transaction. */
  readonly #touched = new Set<number>();
  /** Conversations with added messages in the current transaction: the state before, and the change of the number of unread messages. */
  readonly #unread = new Map<number, { before: StoredConversation; change: number }>();
  /** Conversations of the messages in the current transaction, by their names. */
  readonly #conversations = new Map<string, StoredConversation>();
  #hasErased = false;
  /** Messages added since the start. */
  added = 0;
  /** Messages left out since the start because they have no chat: their group is unknown, or there are too many requests. */
  withoutChat = 0;
  /** Groups added since the start: their chains are unknown. */
  addedGroups = 0;

  /**
   * @param own wire address of the person
   * @param source the own device that sent the records; null for a file
   */
  constructor(
    context: Context,
    own: string,
    numbering: Numbering,
    rules: MergeRules,
    source: string | null = null,
  ) {
    this.#context = context;
    this.#own = own;
    this.#numbering = numbering;
    this.#rules = rules;
    this.#source = source;
  }

  /**
   * Merges some records in one transaction: about 100 take a few milliseconds. Records of files are ignored: their bytes are
   * handled by the caller, who also calls {@link eraseTraces}.
   */
  merge(records: Iterable<HistoryRecord>): void {
    const context = this.#context;
    const { transaction, transactionOfMany } = context;
    // An import has few messages.
    const run = this.#rules.isOwn ? transactionOfMany : transaction;
    run(() => {
      let hasSettings = false;
      this.#conversations.clear();
      this.#unread.clear();
      for (const record of records) {
        if (record.type !== 'message') this.#conversations.clear();
        this.#merge(record);
        hasSettings ||= record.type === 'setting';
      }
      if (hasSettings) context.own.prune();
      for (const id of this.#touched) this.#settle(id);
    });
    context.own.emitChanges();
    for (const id of this.#touched) context.emit('messages.changed', { conversationId: String(id) });
    if (this.#touched.size > 0)
      context.emit('conversations.changed', { ids: [...this.#touched].map(String) });
    this.#touched.clear();
  }

  /** Removes traces of messages that were erased by merged records. @returns whether there were any */
  eraseTraces(): boolean {
    const hasErased = this.#hasErased;
    if (hasErased) this.#context.eraseTraces();
    this.#hasErased = false;
    return hasErased;
  }

  /** Ends the merge: requests whose messages were deleted here are removed. */
  end(): void {
    const { historyRows, transaction, emit } = this.#context;
    if (transaction(() => historyRows.removeEmptyRequests())) emit('conversations.changed', { ids: [] });
  }

  #merge(record: HistoryRecord): void {
    if (record.type === 'message') this.#message(record);
    if (!this.#rules.isOwn) return;
    if (record.type === 'contact') this.#contact(record);
    if (record.type === 'group') this.#group(record);
    if (record.type === 'setting') this.#setting(record);
    if (record.type === 'conversation') this.#conversation(record);
    if (record.type === 'receipt') this.#receipt(record);
  }

  #contact({ address, handle, displayName, markLost, firstSeenAt, hadChat, ...record }: ContactRecord): void {
    const { contacts, historyRows, now } = this.#context;
    const contact = contacts.ensure(address, Math.min(firstSeenAt, now()));
    // The relay may have given the handle to someone else since. Only a look-up shows that it is verified: a thief of a computer
    // can write into its histories.
    if (handle !== null && contact.handle === null && !historyRows.isHandleKnown(handle))
      contacts.saveProfile({ address, handle, displayName, verified: false });
    if (markLost) contacts.loseMark(address);
    if (hadChat) historyRows.setHadChat(address);
    if (record.timer && this.#isPast(record.timer)) contacts.setTimer(address, record.timer);
    const trust =
      record.trust && contacts.trust(address) === null ? provenTrust(address, record.trust, now()) : null;
    if (trust) contacts.saveTrust(address, trust, now());
    this.#profile(address, record.profile);
  }

  /** A picture is not downloaded: its bytes may be in the history, too. */
  #profile(owner: string, profile: ContactRecord['profile']): void {
    const { faces, files } = this.#context;
    if (!profile || !this.#isPast(profile.version) || !replaces(profile.version, faces.get(owner))) return;
    const { name, about, picture, version } = profile;
    const fileId = picture && files.ensure(picture);
    faces.put(owner, { ...version, name: name && (toLabel(name) || null), about, picture, fileId });
    if (fileId !== null) files.setUsed(fileId);
  }

  /** The state and its rights come from the chain alone: a thief of a computer can write into its histories. */
  #group({ groupId, name, pin, missing, profile }: GroupRecord): void {
    const { groups } = this.#context;
    if (!groups.find(groupId)) {
      if (groups.count() >= MAX_GROUPS) return;
      groups.addUnproven({ groupId, name }, { ...NOTHING_NOTED, pin, missing }, this.#own);
      this.addedGroups += 1;
    }
    this.#profile(groupId, profile);
  }

  #setting({ key, value, sentAt, id, deviceId, by }: SettingRecord): void {
    if (!this.#isPast({ sentAt })) return;
    // It may have been spent since. Other own devices send the open ones, but not those that are spent.
    if (this.#source === null && value !== null && key.startsWith(inviteKey(''))) return;
    this.#context.own.merge(key, value, { sentAt, id }, { source: this.#source, deviceId, by });
  }

  /** Reports whether a time may be one of a value that others accept. */
  #isPast({ sentAt }: Pick<Version, 'sentAt'>): boolean {
    return !isDatedAhead(decodeTime(sentAt), this.#context.now());
  }

  #conversation(record: ConversationRecord): void {
    const { conversations, historyRows, ownReads, now } = this.#context;
    if (this.#wasDeleted(record.conversation)) return;
    // The setting, which comes before, decides on a block: it may have ended since the history was read.
    const state = record.state === 'blocked' ? record.beforeBlock : record.state;
    const found =
      state === null
        ? this.#context.own.find(record.conversation)
        : this.#ensure(record.conversation, state, Math.min(record.updatedAt, now()));
    if (!found) return;
    if (found.state === 'request' && state === 'accepted') conversations.setState(found.id, state);
    if (found.state === 'blocked' && state !== null) conversations.setStateBeforeBlock(found.id, state);
    if (record.readAt && this.#isPast(record.readAt)) ownReads.note(record.conversation, record.readAt);
    const upTo = Math.max(this.#floor, Math.min(-1, record.readUpTo - this.#numbering.shift));
    const isNew = historyRows.startReadUpTo(found.id, upTo);
    // The conversation was created here, for example for a group of the account, and has no messages.
    if (isNew && historyRows.firstStoredAt(found.id, this.#numbering.ceiling) === null)
      historyRows.setUpdatedAt(found.id, Math.min(record.updatedAt, now()));
    if (isNew && found.draft === '')
      conversations.saveDraft(
        found.id,
        record.draft,
        record.draftMentions.filter(({ from, to }) => from < to && to <= record.draft.length),
      );
    this.#touched.add(found.id);
  }

  /** Reports whether a chat was deleted here, or belongs to a former group. Such a chat is only created for added messages. */
  #wasDeleted(name: string): boolean {
    const { groups, historyRows, own } = this.#context;
    if (own.find(name)) return false;
    if (isWireAddress(name)) return historyRows.wasChatDeleted(name);
    const group = groups.find(name);
    return group !== null && !group.joined && group.notes.pin?.joined !== true;
  }

  /** The conversation of a name, made if it can be. Null for an unknown group. */
  #ensure(name: string, state: StoredConversation['state'], at: number): StoredConversation | null {
    const { contacts, conversations, groups, own } = this.#context;
    const known = own.find(name);
    if (known) return known;
    if (isWireAddress(name)) return conversations.ensure(contacts.ensure(name, at).id, state, at);
    const group = groups.find(name);
    return group && conversations.ensureForGroup(group.id, at);
  }

  #receipt({ conversation, address, deviceId, delivered, read }: ReceiptRecord): void {
    const { own, receipts, now } = this.#context;
    const found = own.find(conversation);
    if (found) receipts.store(found.id, { address, deviceId, reported: { delivered, read } }, now());
  }

  #message(record: MessageRecord): void {
    const { isOwn, bringsBack } = this.#rules;
    // An export has none of these.
    if (!isOwn && (record.event || record.state === 'unsent' || record.lifetime)) return;
    const body = this.#bodyOf(record);
    if (!record.event && !body) return;
    const uid = decodeBase64Url(record.id);
    const isSigned = record.trust === 'self' || record.trust === 'verified';
    // True if the message was received before. Without a row it was deleted.
    const wasHere = !bringsBack && this.#context.seen.has(record.sender, uid, isSigned);
    const makesNoChat = record.event ? this.#wasDeleted(record.conversation) : wasHere;
    if (makesNoChat && !this.#context.own.find(record.conversation)) return;
    const conversation = this.#conversationOf(record);
    if (!conversation) {
      this.withoutChat += 1;
      return;
    }
    if (record.event) this.#event(conversation, record, record.event, uid);
    if (record.event || !body) return;
    const found = this.#context.messages.find(conversation.id, record.sender, uid, record.digest ?? '');
    if (found && !isOwn) return;
    const isImported = record.trust === 'imported';
    const isCopy = found?.trust === 'imported';
    const isSame = found && (found.trust === 'self' || found.trust === 'verified') === isSigned;
    if (isSame && isCopy === isImported) {
      this.#update(conversation, found, record);
      return;
    }
    // An imported copy of a message that is here.
    if (wasHere || (found && isImported)) return;
    const lifetime = this.#lifetimeOf(record);
    if (lifetime === 'over') return;
    this.#add(conversation, record, body, lifetime);
    // Afterwards, so that the files of both stay.
    if (!isCopy || !isSigned) return;
    const removed = this.#context.messages.removeImported(conversation.id, record.sender, uid, record.digest);
    const unread = this.#unread.get(conversation.id);
    if (unread) unread.change -= removed;
  }

  /**
   * The conversation of a message, made if it can be: an import adds no stranger to the accepted people, and removes
   * no request.
   */
  #conversationOf({ conversation: name, storedAt }: MessageRecord): StoredConversation | null {
    const { contacts, now, own, strangers } = this.#context;
    const found = this.#conversations.get(name);
    if (found) return found;
    const isKnown = this.#rules.isOwn || name === this.#own || contacts.hadChat(name);
    if (!isKnown && isWireAddress(name) && !strangers.hasPlace() && !own.find(name)) return null;
    const conversation = this.#ensure(name, isKnown ? 'accepted' : 'request', Math.min(storedAt, now()));
    if (conversation) this.#conversations.set(name, conversation);
    return conversation;
  }

  /** The body, if it is one of its conversation; null otherwise. */
  #bodyOf({ conversation: name, sender, id, body, trust, state }: MessageRecord): MessageBody | null {
    // The sender of a bot's message is its creator. An imported one may be a bot's.
    const isBot = trust === 'bot' || trust === 'token' || (trust === 'imported' && state === 'received');
    const isOwn = sender === this.#own && !isBot;
    const isCoherent =
      isOwn === (state !== 'received') &&
      (state !== 'unsent' || trust === 'self') &&
      !(isOwn ? trust === 'verified' : trust === 'self');
    if (!isCoherent || body.sender !== sender || body.id !== id) return null;
    const schema = isWireAddress(name) ? DirectBody : GroupBody;
    if (!schema.safeParse(body).success) return null;
    // Not the parsed one: the order of its fields is signed.
    const signed = body as MessageBody;
    if (!isDirect(signed)) return signed.groupId === name ? signed : null;
    const isBetween =
      sender === this.#own ? signed.peer === name : sender === name && signed.peer === this.#own;
    return isBetween ? signed : null;
  }

  #lifetimeOf({ lifetime }: MessageRecord): StoredLifetime | null | 'over' {
    if (!lifetime) return null;
    const now = this.#context.now();
    const { expires } = lifetime;
    const beganAt = lifetime.beganAt === null ? null : Math.min(lifetime.beganAt, now);
    const longest = now + expires * 1_000 + (beganAt === null ? LONGEST_UNSEEN : 0);
    const endsAt = Math.min(lifetime.endsAt, longest);
    return endsAt <= now ? 'over' : { expires, beganAt, endsAt };
  }

  #add(
    conversation: StoredConversation,
    record: MessageRecord,
    body: MessageBody,
    lifetime: StoredLifetime | null,
  ): void {
    const {
      annotations,
      contacts,
      conversations,
      files,
      groups,
      historyRows,
      lifetimes,
      messages,
      now,
      seen,
    } = this.#context;
    const { partner } = conversation;
    const { isOwn } = this.#rules;
    const uid = decodeBase64Url(record.id);
    const isUnsent = record.state === 'unsent';
    // The number that the source gave it is not one of this device.
    const seq =
      partner.kind === 'direct'
        ? isUnsent && contacts.reserveSeq(contacts.ensure(partner.peer.address, now()).address)
        : isUnsent && groups.reserveSeq(partner.groupId);
    const storedAt = Math.min(record.storedAt, now());
    const id = messages.insert({
      ...this.#numbersOf(conversation, record),
      conversationId: conversation.id,
      sender: record.sender,
      uid,
      body: seq === false ? body : { ...body, seq },
      sentAt: Math.min(record.sentAt, latestSentAt(now())),
      storedAt,
      receivedAt: Math.min(record.receivedAt, now()),
      state: isUnsent ? 'failed' : record.state === 'sent' ? 'sent' : 'received',
      trust: isOwn ? record.trust : 'imported',
      bot: record.bot,
      roster: isOwn ? record.roster : null,
      ...(seq !== false && { seq }),
      deviceId: isUnsent || !isOwn ? null : record.deviceId,
      ...(record.digest !== null && !isUnsent && { digest: record.digest }),
      ...(record.suite !== null && !isUnsent && isOwn && { suite: record.suite }),
      mentionsMe: record.mentionsMe,
      lifetime,
    });
    this.added += 1;
    this.#touched.add(conversation.id);
    const unread = this.#unread.get(conversation.id) ?? { before: conversation, change: 0 };
    if (record.state === 'received' && id > unread.before.lastReadId) unread.change += 1;
    this.#unread.set(conversation.id, unread);
    const isSigned = record.trust === 'self' || record.trust === 'verified';
    if (!isUnsent && isOwn && record.trust !== 'imported')
      seen.remember(record.sender, uid, isSigned, Math.min(record.receivedAt, now()), now());
    if (record.trust === 'self' && !isUnsent && isOwn)
      conversations.sentAt(conversation.id, Math.min(decodeTime(body.sentAt), now()));
    if (lifetime) lifetimes.reportEnd(lifetime.endsAt);
    if (record.deletedBy !== null) {
      historyRows.setDeleted(id, record.deletedBy);
      return;
    }
    const judged = this.#context.contents.judge(partner.kind, body);
    const added = { id, conversationId: conversation.id };
    files.add(added, claimedFiles(judged, body));
    this.#annotate(added, record);
    const newest = record.edits.length === 0 ? null : (annotations.edits(id).at(-1) ?? null);
    if (newest) setCurrentEdit(this.#context, { ...added, body }, newest);
    else if (isMessage(judged)) this.#context.links.add(id, conversation.id, textOf(judged));
    if (isOwn) this.#applyWaiting(conversation, record.sender, record.id, id);
  }

  /** Applies what other devices and people sent about a message before it was here: a deletion, an edit, a read position. */
  #applyWaiting(conversation: StoredConversation, sender: string, id: string, messageId: number): void {
    const onErased = () => {
      this.#hasErased = true;
    };
    applyPending(this.#context, conversation.id, this.#own, { sender, id }, onErased);
    this.#context.own.stored(conversation.id, { sender, id }, messageId);
  }

  /** The least number of a merged message. A backup of lower ones would have to name numbers that no record may have. */
  get #floor(): number {
    return this.#numbering.ceiling - MAX_NUMBERS;
  }

  /** Number and place of a new message. */
  #numbersOf({ id: conversationId }: StoredConversation, record: MessageRecord) {
    const { historyRows, now } = this.#context;
    const { shift, ceiling } = this.#numbering;
    const floor = this.#floor;
    const moved = Math.max(floor, Math.min(record.arrival - shift, ceiling - 1));
    const id = historyRows.isUsed(moved) ? Math.min(moved, historyRows.ends().first) - 1 : moved;
    const order = Math.min(record.late > 0 ? record.late : record.storedAt, now());
    const first = historyRows.firstStoredAt(conversationId, ceiling);
    if (first === null || order < first) {
      const place = Math.min(Math.max(floor, record.place - shift), id);
      return { id, at: { place: record.late > 0 ? place : id, late: Math.min(record.late, now()) } };
    }
    // Among messages that are here: after those that had arrived by then.
    const place = historyRows.placeBefore(conversationId, order) ?? id;
    return { id, at: { place, late: Math.max(1, order) } };
  }

  #event(
    conversation: StoredConversation,
    record: MessageRecord,
    event: NonNullable<MessageRecord['event']>,
    uid: Uint8Array,
  ): void {
    const { historyRows, now } = this.#context;
    if (!this.#rules.isOwn || historyRows.hasEvent(conversation.id, record.sender, uid)) return;
    const { id, at } = this.#numbersOf(conversation, record);
    historyRows.addEvent({
      ...{ id, conversationId: conversation.id, place: at.place, late: at.late, sender: record.sender, uid },
      at: Math.min(record.storedAt, now()),
      event: JSON.stringify(event),
    });
    this.#touched.add(conversation.id);
  }

  /** Adds the newer parts of an existing message. */
  #update(conversation: StoredConversation, found: StoredMessage, record: MessageRecord): void {
    if (!this.#rules.isOwn || found.deletedBy !== null) return;
    if (record.deletedBy !== null) {
      const erased = storedContent(this.#context, found, () => {
        this.#hasErased = true;
      });
      erased.erase({ by: 'person', address: record.deletedBy });
      this.#touched.add(conversation.id);
      return;
    }
    const { annotations } = this.#context;
    const before = annotations.edits(found.id).at(-1) ?? null;
    if (this.#annotate(found, record)) this.#touched.add(conversation.id);
    const newest = annotations.edits(found.id).at(-1) ?? null;
    if (newest && newest.sentAt !== before?.sentAt) setCurrentEdit(this.#context, found, newest);
  }

  /** @returns whether anything is new */
  #annotate(
    { id, conversationId }: Pick<StoredMessage, 'id' | 'conversationId'>,
    { edits, reactions, pin }: MessageRecord,
  ): boolean {
    const { annotations } = this.#context;
    let hasChanged = false;
    for (const { version, ...edit } of edits.slice(-(MAX_KEPT_TEXTS - 1))) {
      if (!this.#isPast(version)) continue;
      hasChanged = annotations.addEdit(id, edit, version) !== null || hasChanged;
    }
    for (const { voice, address, emoji, version } of reactions)
      if (this.#isPast(version))
        hasChanged = annotations.putReaction(id, { voice, address, emoji, version }) || hasChanged;
    if (pin && this.#rules.isOwn && this.#isPast(pin.version))
      hasChanged = annotations.setPinned(id, conversationId, pin.pinned, pin.version) || hasChanged;
    return hasChanged;
  }

  /** Counts and the last message of a conversation that has changed. */
  #settle(id: number): void {
    const { conversations, timelines, historyRows } = this.#context;
    // Without a read position, nothing of the history is unread.
    historyRows.startReadUpTo(id, -1);
    const conversation = conversations.get(id);
    if (!conversation) return;
    const { lastReadId, unread } = conversation;
    conversations.setLastMessage(id, timelines.lastId(id));
    // Counting those of a large chat in each transaction would take long.
    const { before, change } = this.#unread.get(id) ?? {};
    const isKnown = unread > MOST_COUNTED && before?.unread === unread && before.lastReadId === lastReadId;
    const count = isKnown ? unread + (change ?? 0) : timelines.countReceivedAfter(id, lastReadId);
    conversations.markRead(id, lastReadId, count);
  }
}
