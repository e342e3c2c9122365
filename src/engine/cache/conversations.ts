/**
 * One conversation for each contact and each group: its unread messages, its draft, and its acceptance. Queries of its messages
 * belong in ./timelines.ts and ./messages.ts.
 */
import type { MessageState, Trust } from '../../bridge/shapes/message.ts';
import type { MessageId } from '../../messaging/contents/fields.ts';
import type { PlacedMention } from '../../messaging/contents/mentions.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';
import { DISPLAY_NAME, PICTURE } from './faces.ts';
import { botIn } from './group-chains.ts';

export type ConversationState = 'accepted' | 'request' | 'blocked';

export interface StoredPerson {
  address: string;
  handle: string | null;
  displayName: string | null;
  /** The person's private name for the contact. */
  nickname: string | null;
  handleVerified: boolean;
  /** The file of their picture; null if there is none to show. */
  pictureId: number | null;
}

/** Number of devices that a contact added and removed. */
export interface DevicesChange {
  added: number;
  removed: number;
}

export interface StoredConversation {
  id: number;
  state: ConversationState;
  /** The partner: one person, with the timer in seconds, or a group by its row id. */
  partner:
    | { kind: 'direct'; peer: StoredPerson; timer: number }
    | { kind: 'group'; groupId: number; pictureId: number | null };
  draft: string;
  draftMentions: readonly PlacedMention[];
  unread: number;
  lastReadId: number;
  /** Number of own messages that failed, except deleted ones. */
  failed: number;
  /** Number of times that sending a message failed, retries included. It never decreases. */
  failures: number;
  /** Wire address of the peer, or the id of the group. */
  name: string;
  /** End of the mute, in milliseconds since 1970. May be in the past. */
  mutedUntil: number | 'always' | null;
  pinned: boolean;
  archived: boolean;
  /** First message of the manual unread mark; null once the conversation was read. */
  unreadFrom: MessageId | null;
  /** Device changes that the person has not seen yet. */
  devicesChange: (DevicesChange & { at: number }) | null;
  /** Time of the last message, or of creation. */
  updatedAt: number;
  last: {
    sender: string;
    body: string;
    /** JSON of its newest edit; null if there is none. */
    edit: string | null;
    isDeleted: boolean;
    /** Device that signed it; null for unsigned messages. */
    deviceId: string | null;
    /** Display time of sending. */
    at: number;
    state: MessageState;
    trust: Trust;
    bot: MessageBot | null;
  } | null;
}

interface ConversationRow {
  id: number;
  state: ConversationState;
  group_id: number | null;
  address: string | null;
  handle: string | null;
  display_name: string | null;
  handle_verified: number | null;
  picture: number | null;
  timer: number;
  name: string;
  nickname: string | null;
  muted: string | null;
  pinned: string | null;
  archived: string | null;
  unread_from: string | null;
  draft: string;
  draft_mentions: string;
  unread: number;
  last_read_id: number;
  failed: number;
  failures: number;
  devices_changed_at: number | null;
  devices_added: number;
  devices_removed: number;
  updated_at: number;
  last_sender: string | null;
  last_body: string | null;
  last_at: number | null;
  last_state: MessageState | null;
  last_trust: Trust | null;
  last_bot: string | null;
  last_edit: string | null;
  last_deleted: number | null;
  last_device: string | null;
}

/** The part of a conversation that storing a message needs. The rest needs ten times as long to read. */
export type ConversationHead = Pick<StoredConversation, 'id' | 'state' | 'mutedUntil'>;

/** Name of a conversation in messages between own devices. */
const NAME = 'coalesce(p.address, g.group_id)';

/**
 * Shared value of own devices under a key about a conversation. Null for none, or for a value unknown to this
 * version.
 */
const shared = (mark: string) =>
  `(SELECT value FROM own_registers WHERE key = '${mark}/' || ${NAME} AND known = 1 AND value <> 'null')`;

const SELECT = `
  SELECT c.id, c.state, c.group_id, p.address, p.handle, ${DISPLAY_NAME} AS display_name, ${PICTURE} AS picture,
    p.handle_verified, c.draft,
    c.draft_mentions, c.unread, coalesce(p.timer ->> 'seconds', 0) AS timer,
    ${NAME} AS name, ${shared('nickname')} AS nickname, ${shared('muted')} AS muted, ${shared('pinned')} AS pinned,
    ${shared('archived')} AS archived,
    (SELECT value FROM own_registers u WHERE u.key = 'unread/' || ${NAME} AND known = 1 AND value <> 'null'
        AND NOT EXISTS (
          SELECT 1 FROM own_reads o WHERE o.conversation = ${NAME} AND (o.sent_at, o.uid) > (u.sent_at, u.uid))) AS unread_from,
    (SELECT count(*) FROM messages x WHERE x.conversation_id = c.id AND x.state = 'failed' AND x.deleted_by IS NULL) AS failed,
    c.failures, c.updated_at, c.last_read_id, c.devices_changed_at, c.devices_added, c.devices_removed,
    m.sender AS last_sender, m.body AS last_body, iif(m.event IS NULL, min(m.stored_at, m.received_at), m.stored_at) AS last_at, m.state AS last_state, m.trust AS last_trust,
    m.bot AS last_bot, m.edit AS last_edit, m.deleted_by IS NOT NULL AS last_deleted, m.device_id AS last_device
  FROM conversations c LEFT JOIN contacts p ON p.id = c.contact_id
    LEFT JOIN groups g ON g.id = c.group_id LEFT JOIN faces f ON f.owner = ${NAME} LEFT JOIN messages m ON m.id = c.last_message_id`;

function fromRow(row: ConversationRow): StoredConversation {
  const { last_sender: sender, last_body: body, last_at: at, last_state: state } = row;
  return {
    id: row.id,
    state: row.state,
    partner:
      row.group_id === null
        ? {
            kind: 'direct',
            peer: {
              address: row.address ?? '',
              handle: row.handle,
              displayName: row.display_name,
              nickname: row.nickname === null ? null : (JSON.parse(row.nickname) as string),
              handleVerified: row.handle_verified === 1,
              pictureId: row.picture,
            },
            timer: row.timer,
          }
        : { kind: 'group', groupId: row.group_id, pictureId: row.picture },
    draft: row.draft,
    draftMentions: JSON.parse(row.draft_mentions) as PlacedMention[],
    unread: row.unread,
    lastReadId: row.last_read_id,
    failed: row.failed,
    failures: row.failures,
    name: row.name,
    mutedUntil: mutedUntilIn(row.muted),
    pinned: row.pinned !== null,
    archived: row.archived !== null,
    unreadFrom: row.unread_from === null ? null : (JSON.parse(row.unread_from) as MessageId),
    devicesChange:
      row.devices_changed_at === null
        ? null
        : { at: row.devices_changed_at, added: row.devices_added, removed: row.devices_removed },
    updatedAt: row.updated_at,
    last:
      sender === null || body === null || at === null || state === null
        ? null
        : {
            ...{ sender, body, at, state, trust: row.last_trust ?? 'self', bot: botIn(row.last_bot) },
            ...{ edit: row.last_edit, isDeleted: row.last_deleted === 1, deviceId: row.last_device },
          },
  };
}

/** @param value of the register, in JSON: true, or a time */
function mutedUntilIn(value: string | null): StoredConversation['mutedUntil'] {
  if (value === null) return null;
  const muted = JSON.parse(value) as true | { until: string };
  return muted === true ? 'always' : decodeTime(muted.until);
}

/** Reports whether a conversation is muted: no notifications, and excluded from the unread count. */
export function isMuted({ mutedUntil }: Pick<StoredConversation, 'mutedUntil'>, now: number): boolean {
  return mutedUntil === 'always' || (mutedUntil !== null && mutedUntil > now);
}

/** Condition of a row that only a block has made. */
export const MADE_BY_BLOCK = "state = 'blocked' AND before_block IS NULL AND last_message_id IS NULL";

export class Conversations {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  list(): StoredConversation[] {
    return this.#db.prepare<[], ConversationRow>(`${SELECT} ORDER BY c.updated_at DESC`).all().map(fromRow);
  }

  get(id: number): StoredConversation | null {
    const row = this.#db.prepare<[number], ConversationRow>(`${SELECT} WHERE c.id = ?`).get(id);
    return row ? fromRow(row) : null;
  }

  /** The direct conversation with an address; null for none. */
  findByAddress(address: string): StoredConversation | null {
    const row = this.#db.prepare<[string], ConversationRow>(`${SELECT} WHERE p.address = ?`).get(address);
    return row ? fromRow(row) : null;
  }

  /** The head of the direct conversation with an address; null for none. */
  headWith(address: string): ConversationHead | null {
    return this.#head('p.address = ?', address);
  }

  /** The head of the conversation of a group; null for none. */
  headOfGroup(groupId: number): ConversationHead | null {
    return this.#head('c.group_id = ?', groupId);
  }

  #whole({ id }: ConversationHead): StoredConversation {
    const conversation = this.get(id);
    if (!conversation) throw new Error('a conversation that was just found is missing');
    return conversation;
  }

  #head(condition: string, value: string | number): ConversationHead | null {
    const row = this.#db
      .prepare<[string | number], Pick<ConversationRow, 'id' | 'state' | 'muted'>>(
        `SELECT c.id, c.state, ${shared('muted')} AS muted FROM conversations c
           LEFT JOIN contacts p ON p.id = c.contact_id LEFT JOIN groups g ON g.id = c.group_id WHERE ${condition}`,
      )
      .get(value);
    return row ? { id: row.id, state: row.state, mutedUntil: mutedUntilIn(row.muted) } : null;
  }

  /** State of the direct conversation with an address; null for none. */
  stateWith(address: string): ConversationState | null {
    const row = this.#db
      .prepare<[string], { state: ConversationState }>(
        'SELECT c.state FROM contacts p JOIN conversations c ON c.contact_id = p.id WHERE p.address = ?',
      )
      .get(address);
    return row?.state ?? null;
  }

  findByContact(contactId: number): StoredConversation | null {
    const row = this.#db
      .prepare<[number], ConversationRow>(`${SELECT} WHERE c.contact_id = ?`)
      .get(contactId);
    return row ? fromRow(row) : null;
  }

  /**
   * Finds or creates the conversation with a contact in this state. It is created as blocked if its person is
   * blocked.
   */
  ensure(contactId: number, state: ConversationState, now: number): StoredConversation {
    return this.#whole(this.ensureHead(contactId, state, now));
  }

  /** The same, with the head only. */
  ensureHead(contactId: number, state: ConversationState, now: number): ConversationHead {
    const found = this.#head('c.contact_id = ?', contactId);
    if (found) return found;
    this.#db
      .prepare(
        `INSERT INTO conversations (contact_id, state, before_block, updated_at)
         SELECT id, CASE WHEN is_blocked THEN 'blocked' ELSE @state END,
             CASE WHEN is_blocked AND @state <> 'blocked' THEN @state END, @now
           FROM (SELECT p.id, EXISTS (SELECT 1 FROM own_registers
               WHERE key = 'blocked/' || p.address AND value = 'true') AS is_blocked
             FROM contacts p WHERE p.id = @contactId)`,
      )
      .run({ state, now, contactId });
    const conversation = this.#head('c.contact_id = ?', contactId);
    if (!conversation) throw new Error('a conversation that was just inserted is missing');
    return conversation;
  }

  findByGroup(groupId: number): StoredConversation | null {
    const row = this.#db.prepare<[number], ConversationRow>(`${SELECT} WHERE c.group_id = ?`).get(groupId);
    return row ? fromRow(row) : null;
  }

  /** Finds or creates the conversation of a group. It starts as accepted. */
  ensureForGroup(groupId: number, now: number): StoredConversation {
    return this.#whole(this.ensureHeadForGroup(groupId, now));
  }

  /** The same, with the head only. */
  ensureHeadForGroup(groupId: number, now: number): ConversationHead {
    const found = this.headOfGroup(groupId);
    if (found) return found;
    this.#db
      .prepare("INSERT INTO conversations (group_id, state, updated_at) VALUES (?, 'accepted', ?)")
      .run(groupId, now);
    const conversation = this.headOfGroup(groupId);
    if (!conversation) throw new Error('a conversation that was just inserted is missing');
    return conversation;
  }

  /** Addresses of accepted contacts, those of the newest conversations first. */
  acceptedPeers(limit: number): string[] {
    return this.#db
      .prepare<[number], { address: string }>(
        `SELECT contacts.address FROM conversations JOIN contacts ON contacts.id = conversations.contact_id
         WHERE conversations.state = 'accepted' ORDER BY conversations.updated_at DESC LIMIT ?`,
      )
      .all(limit)
      .map(({ address }) => address);
  }

  setState(id: number, state: ConversationState): void {
    this.#db
      .prepare(
        `UPDATE conversations SET state = @state,
           before_block = CASE WHEN @state <> 'blocked' THEN NULL WHEN state = 'blocked' THEN before_block ELSE state END
          WHERE id = @id`,
      )
      .run({ state, id });
    if (state !== 'accepted') return;
    // Accepted now: all their messages stay remembered.
    this.#db
      .prepare(
        `UPDATE seen SET stranger = 0 WHERE stranger = 1 AND sender =
           (SELECT p.address FROM conversations c JOIN contacts p ON p.id = c.contact_id WHERE c.id = ?)`,
      )
      .run(id);
  }

  /**
   * Ends a block: the conversation returns to its state before, and one that the block made is removed if it is empty. Does
   * not accept a request: a person who unblocks a stranger has not answered it, and a stolen device could accept a stranger so.
   */
  endBlock(id: number): void {
    const conversation = this.get(id);
    if (conversation?.state !== 'blocked') return;
    const row = this.#db
      .prepare<[number], { before: Exclude<ConversationState, 'blocked'> | null }>(
        'SELECT before_block AS before FROM conversations WHERE id = ?',
      )
      .get(id);
    const before = row?.before ?? null;
    if (before === null && conversation.last === null) this.remove(id);
    else this.setState(id, before ?? 'request');
  }

  /** Removes a chat that only a block has made. */
  removeMadeByBlock(id: number): void {
    this.#db.prepare(`DELETE FROM conversations WHERE id = ? AND ${MADE_BY_BLOCK}`).run(id);
  }

  /** Stores the state to which the end of a block returns. Accepted by one computer is accepted. */
  setStateBeforeBlock(id: number, state: Exclude<ConversationState, 'blocked'>): void {
    this.#db
      .prepare(
        `UPDATE conversations SET before_block = ? WHERE id = ? AND state = 'blocked' AND before_block IS NOT 'accepted'`,
      )
      .run(state, id);
  }

  saveDraft(id: number, text: string, mentions: readonly PlacedMention[] = []): void {
    this.#db
      .prepare('UPDATE conversations SET draft = ?, draft_mentions = ? WHERE id = ?')
      .run(text, JSON.stringify(mentions), id);
  }

  /** Latest `sentAt` of an own body in the conversation, in milliseconds since 1970; 0 for none. */
  lastSentAt(id: number): number {
    return (
      this.#db
        .prepare<[number], { at: number }>('SELECT last_sent_at AS at FROM conversations WHERE id = ?')
        .get(id)?.at ?? 0
    );
  }

  /** Stores the `sentAt` of an own body. */
  sentAt(id: number, at: number): void {
    this.#db.prepare('UPDATE conversations SET last_sent_at = max(last_sent_at, ?) WHERE id = ?').run(at, id);
  }

  /**
   * Updates the conversation after a message was stored.
   * @param last id of its last message now
   * @param unread change of its number of unread messages
   */
  messageAdded(id: number, last: number | null, unread: number, now: number): void {
    this.#db
      .prepare(
        'UPDATE conversations SET last_message_id = ?, unread = unread + ?, updated_at = ? WHERE id = ?',
      )
      .run(last, unread, now, id);
  }

  setLastMessage(id: number, messageId: number | null): void {
    this.#db.prepare('UPDATE conversations SET last_message_id = ? WHERE id = ?').run(messageId, id);
  }

  markRead(id: number, upTo: number, unread: number): void {
    this.#db
      .prepare('UPDATE conversations SET last_read_id = max(last_read_id, ?), unread = ? WHERE id = ?')
      .run(upTo, unread, id);
  }

  /** Adds to the device changes that the person has not seen. */
  addDevicesChange(contactId: number, { added, removed }: DevicesChange, at: number): void {
    this.#db
      .prepare(
        `UPDATE conversations SET devices_changed_at = @at, devices_added = devices_added + @added,
           devices_removed = devices_removed + @removed WHERE contact_id = @contactId`,
      )
      .run({ contactId, added, removed, at });
  }

  acknowledgeDevices(id: number): void {
    this.#db
      .prepare(
        `UPDATE conversations SET devices_changed_at = NULL, devices_added = 0, devices_removed = 0
         WHERE id = ?`,
      )
      .run(id);
  }

  /** Token of the invite link that the person followed, for the first messages; null for none. */
  inviteToken(id: number): string | null {
    return (
      this.#db
        .prepare<[number], { token: string | null }>(
          'SELECT invite_token AS token FROM conversations WHERE id = ?',
        )
        .get(id)?.token ?? null
    );
  }

  setInviteToken(id: number, token: string): void {
    this.#db.prepare('UPDATE conversations SET invite_token = ? WHERE id = ?').run(token, id);
  }

  /** Removes a token that was sent. Another link may have been followed meanwhile: its token stays. */
  removeInviteToken(id: number, token: string): void {
    this.#db
      .prepare('UPDATE conversations SET invite_token = NULL WHERE id = ? AND invite_token = ?')
      .run(id, token);
  }

  /** Counts a failed attempt to send a message. */
  addFailure(id: number): void {
    this.#db.prepare('UPDATE conversations SET failures = failures + 1 WHERE id = ?').run(id);
  }

  /**
   * Conversations that have another version of the own profile, or none: accepted contacts of whom there is a sign that
   * they accepted the person, and groups. Newest first.
   * @param digest of the profile
   * @param isEmpty true for a profile without anything: it is only sent where one was sent before
   * @param since conversations to which another own device has sent one after this time are left out
   */
  withoutProfile(
    profile: { digest: string; isEmpty: boolean; since: string },
    own: string,
    mostMembers: number,
    limit: number,
  ): number[] {
    return this.#db
      .prepare<unknown[], { id: number }>(
        `SELECT c.id FROM conversations c LEFT JOIN contacts p ON p.id = c.contact_id
           LEFT JOIN groups g ON g.id = c.group_id
          WHERE c.state = 'accepted' AND c.profile IS NOT ? AND (? = 0 OR c.profile IS NOT NULL)
            AND (c.profile_elsewhere = 0 OR c.profile_sent_at <= ?)
            AND (g.joined = 1 AND json_array_length(g.members) BETWEEN 2 AND ? OR p.address <> ? AND (
              EXISTS (SELECT 1 FROM messages m
                       WHERE m.conversation_id = c.id AND m.state = 'received' AND m.trust = 'verified')
              OR EXISTS (SELECT 1 FROM receipts r WHERE r.conversation_id = c.id)
              OR EXISTS (SELECT 1 FROM faces f WHERE f.owner = p.address)))
          ORDER BY c.updated_at DESC LIMIT ?`,
      )
      .all(profile.digest, profile.isEmpty ? 1 : 0, profile.since, mostMembers, own, limit)
      .map(({ id }) => id);
  }

  /** Digest of the own profile as last sent to a conversation; null for never. */
  profileSent(id: number): string | null {
    return (
      this.#db
        .prepare<[number], { profile: string | null }>('SELECT profile FROM conversations WHERE id = ?')
        .get(id)?.profile ?? null
    );
  }

  /** Records the own profile as sent to a conversation, unless a later one was. */
  setProfileSent(id: number, digest: string, sentAt: string): void {
    this.#db
      .prepare(
        `UPDATE conversations SET profile = ?, profile_sent_at = ?, profile_elsewhere = 0
          WHERE id = ? AND profile_sent_at <= ?`,
      )
      .run(digest, sentAt, id, sentAt);
  }

  /** Call this after {@link setProfileSent} for a profile that another own device sent. */
  setProfileSentElsewhere(id: number): void {
    this.#db.prepare('UPDATE conversations SET profile_elsewhere = 1 WHERE id = ?').run(id);
  }

  /** Removes a conversation with its messages. The list of seen messages stays. */
  remove(id: number): void {
    this.#db
      .prepare(
        `UPDATE contacts SET had_chat = 1 WHERE id =
           (SELECT contact_id FROM conversations WHERE id = ? AND state = 'accepted')`,
      )
      .run(id);
    this.#db.prepare('DELETE FROM conversations WHERE id = ?').run(id);
  }
}
