/**
 * Single messages of all conversations: insert, find, change and remove. Their order in the timeline is in
 * ./timelines.ts.
 */
import type { FailureData } from '../../base/failure.ts';
import type { MessageState, Trust } from '../../bridge/shapes/message.ts';
import type { RosterNotes } from '../../messaging/receiving/group-verdict.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import type { Suite } from '../../protocol/envelope-form.ts';
import type { StoredEdit } from './annotations.ts';
import type { Cache } from './database.ts';
import {
  fromRow,
  type MessageRow,
  type Place,
  type StoredEvent,
  type StoredLifetime,
  type StoredMessage,
} from './message-rows.ts';

/** Id of the one line about missing messages of a person in a conversation. */
const MISSING = new Uint8Array(16);

export interface NewMessage {
  /** Of a message of a history: below those of all messages that arrived here. Default: the next one. */
  id?: number;
  conversationId: number;
  sender: string;
  uid: Uint8Array;
  body: MessageBody;
  sentAt: number;
  storedAt: number;
  state: MessageState;
  trust: Trust;
  bot?: MessageBot | null;
  roster?: RosterNotes | null;
  /** Payload number of an own message. */
  seq?: number;
  /** Signing device of a received message; null or absent if unsigned. */
  deviceId?: string | null;
  /** Digest of a received message. */
  digest?: string;
  /** Time of arrival as counted here. Default: the time of storing. */
  receivedAt?: number;
  /** Suite of a received message. */
  suite?: Suite;
  /** True if someone else mentions the person in it. */
  mentionsMe?: boolean;
  /** Place in the timeline. Default: the end. */
  at?: Place | null;
  /** Lifetime of a disappearing message. */
  lifetime?: StoredLifetime | null;
}

/** Number of last rows of a timeline among which a repeated change replaces its previous one. */
const MAX_LOOKED_BACK = 32;

export class Messages {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Stores a message.
   * @returns its id
   */
  insert(message: NewMessage): number {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO messages
           (id, conversation_id, place, late, sender, uid, body, sent_at, stored_at, state, trust, bot, roster, seq, device_id,
            digest, received_at, suite, mentions_me, expires, began_at, ends_at, signed_at, received_seq, invites_to)
         VALUES (@id, @conversationId, @place, @late, @sender, @uid, @body, @sentAt, @storedAt, @state, @trust, @bot, @roster, @seq,
            @deviceId, @digest, @receivedAt, @suite, @mentionsMe, @expires, @beganAt, @endsAt, @signedAt, @receivedSeq, @invitesTo)`,
      )
      .run({
        ...message,
        id: message.id ?? null,
        place: message.at?.place ?? this.#nextId(),
        late: message.at?.late ?? 0,
        seq: message.seq ?? null,
        deviceId: message.deviceId ?? null,
        digest: message.digest ?? null,
        receivedAt: message.receivedAt ?? message.storedAt,
        suite: message.suite ?? null,
        mentionsMe: message.mentionsMe ? 1 : 0,
        expires: message.lifetime?.expires ?? null,
        beganAt: message.lifetime?.beganAt ?? null,
        endsAt: message.lifetime?.endsAt ?? null,
        ...columnsOf(message.body),
        receivedSeq: message.state === 'received' ? message.body.seq : null,
        bot: message.bot ? JSON.stringify(message.bot) : null,
        roster: message.roster ? JSON.stringify(message.roster) : null,
      });
    return Number(lastInsertRowid);
  }

  /** Id of the next message. */
  #nextId(): number {
    const row = this.#db
      .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
      .get();
    return (row?.seq ?? 0) + 1;
  }

  /** Adds an event to a timeline. It does not count as a message. */
  insertEvent(conversationId: number, event: StoredEvent, uid: Uint8Array, now: number): void {
    this.#db
      .prepare(
        `INSERT INTO messages (conversation_id, place, sender, uid, body, sent_at, stored_at, state, trust, event)
         VALUES (?, ?, ?, ?, '{}', ?, ?, 'sent', 'self', ?)`,
      )
      .run(conversationId, this.#nextId(), event.address, uid, now, now, JSON.stringify(event));
  }

  /**
   * Adds a change that can be repeated, such as of the timer, to a timeline. It replaces the same person's previous change of its
   * type if no message is in between, so that a person who changes it again and again adds no further rows.
   * @param uid of the message that changed it
   */
  insertTimerEvent(conversationId: number, event: StoredEvent, uid: Uint8Array, now: number): void {
    const rows = this.#db
      .prepare<[number, number], { id: number; event: string | null }>(
        `SELECT id, event FROM messages WHERE conversation_id = ? ORDER BY place DESC, late DESC, id DESC LIMIT ?`,
      )
      .all(conversationId, MAX_LOOKED_BACK);
    for (const { id, event: text } of rows) {
      if (text === null) break;
      const before = JSON.parse(text) as StoredEvent;
      if (before.type !== event.type || before.address !== event.address) continue;
      this.remove(id);
      break;
    }
    this.insertEvent(conversationId, event, uid, now);
  }

  /** Shows or removes the line about missing messages of a person. */
  setMissing(conversationId: number, address: string, isMissing: boolean, now: number): void {
    const where = 'sender = ? AND uid = ? AND conversation_id = ? AND event IS NOT NULL';
    const line = [address, MISSING, conversationId] as const;
    if (!isMissing) {
      this.#db.prepare(`DELETE FROM messages WHERE ${where}`).run(...line);
      return;
    }
    const isThere = this.#db.prepare(`SELECT id FROM messages WHERE ${where}`).get(...line) !== undefined;
    if (!isThere) this.insertEvent(conversationId, { type: 'missing', address }, MISSING, now);
  }

  /** The own message with a number; null if there is none or it was deleted. */
  bySeq(conversationId: number, seq: number): StoredMessage | null {
    const row = this.#db
      .prepare<[number, number], MessageRow>('SELECT * FROM messages WHERE conversation_id = ? AND seq = ?')
      .get(conversationId, seq);
    return row ? fromRow(row) : null;
  }

  /**
   * Finds a message by the name that others use. With several of that name: the one with this digest, or else
   * a signed one.
   * @param uid the 16 bytes in its payload
   */
  find(conversationId: number, sender: string, uid: Uint8Array, digest = ''): StoredMessage | null {
    const row = this.#db
      .prepare<[string, Uint8Array, number, string], MessageRow>(
        `SELECT * FROM messages WHERE sender = ? AND uid = ? AND conversation_id = ? AND event IS NULL
          ORDER BY digest IS ? DESC, trust IN ('self', 'verified') DESC LIMIT 1`,
      )
      .get(sender, uid, conversationId, digest);
    return row ? fromRow(row) : null;
  }

  /** Finds several messages of a conversation by the names that others use, in any order. */
  findAll(conversationId: number, names: readonly { sender: string; id: string }[]): StoredMessage[] {
    if (names.length === 0) return [];
    const wanted = names.map(({ sender, id }) => ({
      sender,
      uid: Buffer.from(decodeBase64Url(id)).toString('hex'),
    }));
    return this.#db
      .prepare<[string, number], MessageRow>(
        `SELECT m.* FROM json_each(?) AS name
           JOIN messages m ON m.sender = name.value ->> 'sender' AND m.uid = unhex(name.value ->> 'uid')
          WHERE m.conversation_id = ? AND m.event IS NULL`,
      )
      .all(JSON.stringify(wanted), conversationId)
      .map(fromRow);
  }

  /** These messages, in timeline order. */
  getAll(ids: readonly number[]): StoredMessage[] {
    return this.#db
      .prepare<[string], MessageRow>(
        'SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY place, late, id',
      )
      .all(JSON.stringify(ids))
      .map(fromRow);
  }

  /**
   * Replaces the body of an own message before its first copy is sent.
   * @param digest of the sealed body; null before sealing
   */
  setBody(id: number, body: MessageBody, digest: string | null): void {
    this.#db
      .prepare(
        `UPDATE messages SET body = @body, signed_at = @signedAt, invites_to = @invitesTo, digest = @digest WHERE id = @id`,
      )
      .run({ ...columnsOf(body), digest, id });
  }

  /** Stores the suites of the copies of an own message. */
  sealedIn(id: number, suites: readonly Suite[]): void {
    if (suites.length === 0) return;
    this.#db
      .prepare('UPDATE messages SET suite = min(coalesce(suite, @lowest), @lowest) WHERE id = @id')
      .run({ lowest: Math.min(...suites), id });
  }

  /** Stores the newest edit. The signed body stays: a device may request it again. */
  setEdit(id: number, edit: StoredEdit | null): void {
    this.#db.prepare('UPDATE messages SET edit = ? WHERE id = ?').run(edit && JSON.stringify(edit), id);
  }

  /** Stores the problem of the person's last action on it. */
  setProblem(id: number, problem: FailureData | null): void {
    this.#db
      .prepare('UPDATE messages SET problem = ? WHERE id = ?')
      .run(problem && JSON.stringify(problem), id);
  }

  /**
   * Deletes the text of a message for everyone.
   * @param frame the remaining body
   * @param by wire address
   */
  erase(id: number, frame: MessageBody, by: string): void {
    this.#db
      .prepare(
        `UPDATE messages SET body = ?, invites_to = NULL, edit = NULL, problem = NULL, deleted_by = ?, mentions_me = 0,
           state = CASE state WHEN 'received' THEN 'received' ELSE 'sent' END WHERE id = ?`,
      )
      .run(JSON.stringify(frame), by, id);
  }

  /**
   * Received invitations to a group: the newest of each sender, without blocked and imported ones. Accepted people
   * first, at most `limit`.
   */
  invitationsTo(group: string, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[string, number], MessageRow>(
        `SELECT m.* FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.state <> 'blocked' AND m.id IN (
            SELECT max(id) FROM messages WHERE invites_to = ? AND trust = 'verified' GROUP BY sender)
          ORDER BY c.state = 'accepted' DESC, m.id DESC LIMIT ?`,
      )
      .all(group, limit)
      .map(fromRow);
  }

  /** The newest own invitations to a group, at most `limit`, newest first. Without imported ones. */
  sentInvitations(group: string, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[string, number], MessageRow>(
        "SELECT * FROM messages WHERE invites_to = ? AND trust = 'self' ORDER BY id DESC LIMIT ?",
      )
      .all(group, limit)
      .map(fromRow);
  }

  get(id: number): StoredMessage | null {
    const row = this.#db.prepare<[number], MessageRow>('SELECT * FROM messages WHERE id = ?').get(id);
    return row ? fromRow(row) : null;
  }

  setState(id: number, state: MessageState, problem: FailureData | null): void {
    this.#db
      .prepare('UPDATE messages SET state = ?, problem = ? WHERE id = ?')
      .run(state, problem && JSON.stringify(problem), id);
  }

  /** Removes one message with its outbox row. */
  remove(id: number): void {
    this.#db.prepare('DELETE FROM messages WHERE id = ?').run(id);
  }

  /**
   * Removes an imported copy of a signed message that is here itself. A copy with another text stays.
   * @param uid the 16 bytes in its payload
   * @returns the number of unread messages among the removed ones: `unread` of the conversation is the caller's
   */
  removeImported(conversationId: number, sender: string, uid: Uint8Array, digest: string | null): number {
    return this.#db
      .prepare<[string, Uint8Array, number, string | null], { isUnread: number }>(
        `DELETE FROM messages
          WHERE sender = ? AND uid = ? AND conversation_id = ? AND trust = 'imported'
            AND (digest IS NULL OR digest = ?)
          RETURNING state = 'received'
            AND id > (SELECT last_read_id FROM conversations c WHERE c.id = conversation_id) AS isUnread`,
      )
      .all(sender, uid, conversationId, digest)
      .filter(({ isUnread }) => isUnread === 1).length;
  }
}

/** Columns of a body. */
function columnsOf(body: MessageBody): { body: string; signedAt: number; invitesTo: string | null } {
  const { kind, group, sentAt } = body;
  const invitesTo = kind === 'invite' && typeof group === 'string' ? group : null;
  return { body: JSON.stringify(body), signedAt: decodeTime(sentAt), invitesTo };
}
