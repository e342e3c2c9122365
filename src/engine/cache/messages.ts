/**
 * Messages of all conversations. A timeline has them in the order in which this device stored them, but for those that were
 * missing and came late.
 */
import type { FailureData } from '../../base/failure.ts';
import type { MessageState, TimelineEvent, Trust } from '../../bridge/shapes.ts';
import type { Lifetime } from '../../messaging/contents/disappearing.ts';
import type { RosterNotes } from '../../messaging/receiving/arrival.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import type { Suite } from '../../protocol/envelope.ts';
import type { RosterBot } from '../../protocol/roster/forms.ts';
import type { StoredEdit } from './annotations.ts';
import type { Cache } from './database.ts';
import { botIn } from './groups.ts';

/** Something that happened in a conversation, told in its timeline. */
export interface StoredEvent {
  /** What they became, or: 'missing', something that they sent may be missing. */
  type: TimelineEvent['type'];
  address: string;
  /** Who made them so, where that is known. */
  by?: string;
  /** Of a change of the timer: after how many seconds messages disappear; 0 for never. */
  seconds?: number;
}

/** Where a message stands in its timeline. */
export interface Place {
  place: number;
  late: number;
}

/** What tells where a message that comes late belongs. Times are milliseconds since 1970. */
export interface Neighbour extends Place {
  sender: string;
  /** Whether a device of its sender's signed it. */
  isSigned: boolean;
  /** As it was signed. */
  sentAt: number;
  storedAt: number;
}

/** What stands for the id of the one line that tells what is missing of someone in a conversation. */
const MISSING = new Uint8Array(16);

/** That a message disappears. Times are milliseconds since 1970. */
export interface StoredLifetime extends Lifetime {
  /** Seconds. */
  expires: number;
}

export interface StoredMessage {
  id: number;
  conversationId: number;
  sender: string;
  body: MessageBody;
  sentAt: number;
  storedAt: number;
  state: MessageState;
  trust: Trust;
  /** The bot of its group that signed it; null where none did. */
  bot: RosterBot | null;
  problem: FailureData | null;
  /** What is told beside it, by the chain of its group; null for nothing. */
  roster: RosterNotes | null;
  /** Not null: no message, and only its times mean anything. */
  event: StoredEvent | null;
  /** 16 bytes in base64url, by which others name it together with its sender. */
  uid: string;
  /** The device that signed it; null where none did. */
  deviceId: string | null;
  /** Of the body as it was signed; null until it is sealed. */
  digest: string | null;
  /** As it counts here, in milliseconds since 1970. */
  receivedAt: number;
  /** Of the copy that came; of what was sent the lowest; null until it is sealed. */
  suite: Suite | null;
  /** The newest edit; null if there is none. */
  edit: StoredEdit | null;
  /** Who erased it for everyone: then only the frame of the body is left. */
  deletedBy: string | null;
  /** Null if it stays. */
  lifetime: StoredLifetime | null;
}

export interface NewMessage {
  conversationId: number;
  sender: string;
  uid: Uint8Array;
  body: MessageBody;
  sentAt: number;
  storedAt: number;
  state: MessageState;
  trust: Trust;
  bot?: RosterBot | null;
  roster?: RosterNotes | null;
  /** Of what is written on this device: the number of its payload. */
  seq?: number;
  /** Of what came; null, or left out, where no device signed. */
  deviceId?: string | null;
  /** Of what came. */
  digest?: string;
  /** Of what came, as it counts here. When it is stored, unless given. */
  receivedAt?: number;
  /** Of what came. */
  suite?: Suite;
  /** Whether someone else mentions the person in it. */
  mentionsMe?: boolean;
  /** Where it belongs, if not at the end. */
  at?: Place | null;
  /** If it disappears. */
  lifetime?: StoredLifetime | null;
}

interface MessageRow {
  id: number;
  conversation_id: number;
  sender: string;
  body: string;
  sent_at: number;
  stored_at: number;
  state: MessageState;
  trust: Trust;
  bot: string | null;
  problem: string | null;
  roster: string | null;
  event: string | null;
  uid: Uint8Array;
  device_id: string | null;
  digest: string | null;
  received_at: number;
  suite: Suite | null;
  edit: string | null;
  deleted_by: string | null;
  expires: number | null;
  began_at: number | null;
  ends_at: number | null;
}

function fromRow(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    sender: row.sender,
    body: JSON.parse(row.body) as MessageBody,
    sentAt: row.sent_at,
    storedAt: row.stored_at,
    state: row.state,
    trust: row.trust,
    bot: botIn(row.bot),
    problem: row.problem === null ? null : (JSON.parse(row.problem) as FailureData),
    roster: row.roster === null ? null : (JSON.parse(row.roster) as RosterNotes),
    event: row.event === null ? null : (JSON.parse(row.event) as StoredEvent),
    uid: encodeBase64Url(row.uid),
    deviceId: row.device_id,
    digest: row.digest,
    receivedAt: row.received_at,
    suite: row.suite,
    edit: row.edit === null ? null : (JSON.parse(row.edit) as StoredEdit),
    deletedBy: row.deleted_by,
    lifetime:
      row.expires === null || row.ends_at === null
        ? null
        : { expires: row.expires, beganAt: row.began_at, endsAt: row.ends_at },
  };
}

export class Messages {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Stores a message. Returns its id. */
  insert(message: NewMessage): number {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO messages
           (conversation_id, place, late, sender, uid, body, sent_at, stored_at, state, trust, bot, roster, seq, device_id,
            digest, received_at, suite, mentions_me, expires, began_at, ends_at)
         VALUES (@conversationId, @place, @late, @sender, @uid, @body, @sentAt, @storedAt, @state, @trust, @bot, @roster, @seq,
            @deviceId, @digest, @receivedAt, @suite, @mentionsMe, @expires, @beganAt, @endsAt)`,
      )
      .run({
        ...message,
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
        body: JSON.stringify(message.body),
        bot: message.bot ? JSON.stringify(message.bot) : null,
        roster: message.roster ? JSON.stringify(message.roster) : null,
      });
    return Number(lastInsertRowid);
  }

  /** The id that the next message gets. */
  #nextId(): number {
    const row = this.#db
      .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
      .get();
    return (row?.seq ?? 0) + 1;
  }

  /** Adds what happened to a timeline. It counts as no message. */
  insertEvent(conversationId: number, event: StoredEvent, uid: Uint8Array, now: number): void {
    this.#db
      .prepare(
        `INSERT INTO messages (conversation_id, place, sender, uid, body, sent_at, stored_at, state, trust, event)
         VALUES (?, ?, ?, ?, '{}', ?, ?, 'sent', 'self', ?)`,
      )
      .run(conversationId, this.#nextId(), event.address, uid, now, now, JSON.stringify(event));
  }

  /**
   * Tells that the timer changed. What the same person changed just before, with nothing in between, is told no more: one line
   * for each change would let anybody fill a timeline.
   * @param uid of what changed it
   */
  insertTimerEvent(conversationId: number, event: StoredEvent, uid: Uint8Array, now: number): void {
    const last = this.#db
      .prepare<[number], { id: number; event: string | null }>(
        `SELECT id, event FROM messages WHERE conversation_id = ? ORDER BY place DESC, late DESC, id DESC LIMIT 1`,
      )
      .get(conversationId);
    const before = last?.event == null ? null : (JSON.parse(last.event) as StoredEvent);
    if (last && before?.type === event.type && before.address === event.address) this.remove(last.id);
    this.insertEvent(conversationId, event, uid, now);
  }

  /** Tells in a timeline that something of someone may be missing, once, or no more. */
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

  /** What was written on this device under a number; null if there is nothing, or not any more. */
  bySeq(conversationId: number, seq: number): StoredMessage | null {
    const row = this.#db
      .prepare<[number, number], MessageRow>('SELECT * FROM messages WHERE conversation_id = ? AND seq = ?')
      .get(conversationId, seq);
    return row ? fromRow(row) : null;
  }

  /**
   * A message of a conversation as others name it; where there are several of that name, the one with this digest, or else what
   * a device signed.
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

  /** Several messages of a conversation as others name them, in any order. */
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

  /** These messages, in the order of their timeline. */
  getAll(ids: readonly number[]): StoredMessage[] {
    return this.#db
      .prepare<[string], MessageRow>(
        'SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY place, late, id',
      )
      .all(JSON.stringify(ids))
      .map(fromRow);
  }

  /** Replaces the body of an own message that nobody has a copy of yet. @param digest of it as it is sealed now, if it is */
  setBody(id: number, body: MessageBody, digest: string | null): void {
    this.#db
      .prepare('UPDATE messages SET body = ?, digest = ? WHERE id = ?')
      .run(JSON.stringify(body), digest, id);
  }

  /** Copies of an own message are sealed in these suites. */
  sealedIn(id: number, suites: readonly Suite[]): void {
    if (suites.length === 0) return;
    this.#db
      .prepare('UPDATE messages SET suite = min(coalesce(suite, @lowest), @lowest) WHERE id = @id')
      .run({ lowest: Math.min(...suites), id });
  }

  /** What it reads like. The body stays as it was signed: a device may ask for it again. */
  setEdit(id: number, edit: StoredEdit | null): void {
    this.#db.prepare('UPDATE messages SET edit = ? WHERE id = ?').run(edit && JSON.stringify(edit), id);
  }

  /** What became of what the person did to it. */
  setProblem(id: number, problem: FailureData | null): void {
    this.#db
      .prepare('UPDATE messages SET problem = ? WHERE id = ?')
      .run(problem && JSON.stringify(problem), id);
  }

  /** Erases the words of a message for everyone. @param frame what is left of its body @param by wire address */
  erase(id: number, frame: MessageBody, by: string): void {
    this.#db
      .prepare(
        `UPDATE messages SET body = ?, edit = NULL, problem = NULL, deleted_by = ?, mentions_me = 0,
           state = CASE state WHEN 'received' THEN 'received' ELSE 'sent' END WHERE id = ?`,
      )
      .run(JSON.stringify(frame), by, id);
  }

  /**
   * Messages of a kind with which others name a group, such as invitations: the newest of each sender who is not blocked,
   * those of accepted people first, at most `limit`.
   */
  receivedAbout(kind: string, group: string, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[string, string, number], MessageRow>(
        `SELECT m.* FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.state <> 'blocked' AND m.id IN (
            SELECT max(id) FROM messages WHERE event IS NULL AND body ->> 'kind' = ? AND body ->> 'group' = ?
               AND state = 'received' GROUP BY sender)
          ORDER BY c.state = 'accepted' DESC, m.id DESC LIMIT ?`,
      )
      .all(kind, group, limit)
      .map(fromRow);
  }

  /** The newest own messages of a kind with which a group was named, at most `limit`, newest first. */
  sentAbout(kind: string, group: string, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[string, string, number], MessageRow>(
        `SELECT * FROM messages WHERE event IS NULL AND body ->> 'kind' = ? AND body ->> 'group' = ?
            AND state <> 'received' ORDER BY id DESC LIMIT ?`,
      )
      .all(kind, group, limit)
      .map(fromRow);
  }

  get(id: number): StoredMessage | null {
    const row = this.#db.prepare<[number], MessageRow>('SELECT * FROM messages WHERE id = ?').get(id);
    return row ? fromRow(row) : null;
  }

  /** Up to `limit` messages before another (or the newest, if it is null), in the order of the timeline. */
  before(conversationId: number, id: number | null, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[Place & { conversationId: number; id: number; limit: number }], MessageRow>(
        `SELECT * FROM messages
          WHERE conversation_id = @conversationId AND (place, late, id) < (@place, @late, @id)
          ORDER BY place DESC, late DESC, id DESC LIMIT @limit`,
      )
      .all({ conversationId, ...this.#cursor(id ?? Number.MAX_SAFE_INTEGER), limit })
      .map(fromRow)
      .reverse();
  }

  /** Up to `limit` messages after another, in the order of the timeline. */
  after(conversationId: number, id: number, limit: number): StoredMessage[] {
    return this.#db
      .prepare<[Place & { conversationId: number; id: number; limit: number }], MessageRow>(
        `SELECT * FROM messages
          WHERE conversation_id = @conversationId AND (place, late, id) > (@place, @late, @id)
          ORDER BY place, late, id LIMIT @limit`,
      )
      .all({ conversationId, ...this.#cursor(id), limit })
      .map(fromRow);
  }

  /** Where a message stands; where it would have stood, if it is there no more. */
  #cursor(id: number): Place & { id: number } {
    const at = this.#db.prepare<[number], Place>('SELECT place, late FROM messages WHERE id = ?').get(id);
    return { place: at?.place ?? id, late: at?.late ?? 0, id };
  }

  /** Some messages of a timeline, from the newest back: what tells where one belongs that comes late. */
  *newestFirst(conversationId: number): Generator<Neighbour> {
    const rows = this.#db
      .prepare<[number], Place & { sender: string; trust: Trust; sentAt: string; storedAt: number }>(
        `SELECT place, late, sender, trust, body ->> 'sentAt' AS sentAt, stored_at AS storedAt FROM messages
          WHERE conversation_id = ? AND event IS NULL ORDER BY place DESC, late DESC, id DESC`,
      )
      .iterate(conversationId);
    for (const { trust, sentAt, ...row } of rows) {
      const isSigned = trust === 'self' || trust === 'verified';
      yield { ...row, isSigned, sentAt: decodeTime(sentAt) };
    }
  }

  /** The first message of others in the timeline among those that came after one. */
  firstReceivedAfter(conversationId: number, id: number): number | null {
    return (
      this.#db
        .prepare<[{ conversationId: number; id: number }], { id: number }>(
          `SELECT id, place, late FROM (
             SELECT id, place, late FROM messages
              WHERE conversation_id = @conversationId AND late = 0 AND id > @id AND state = 'received' ORDER BY id LIMIT 1)
           UNION ALL
           SELECT id, place, late FROM messages INDEXED BY messages_late
            WHERE conversation_id = @conversationId AND late > 0 AND id > @id AND state = 'received'
           ORDER BY place, late, id LIMIT 1`,
        )
        .get({ conversationId, id })?.id ?? null
    );
  }

  /** The first number of a device among messages that came after one; null if there is none. */
  firstUnreadSeq(conversationId: number, id: number, deviceId: string): number | null {
    return (
      this.#db
        .prepare<[number, number, string], { seq: number | null }>(
          `SELECT min(body ->> 'seq') AS seq FROM messages
            WHERE conversation_id = ? AND id > ? AND device_id = ? AND state = 'received' AND event IS NULL`,
        )
        .get(conversationId, id, deviceId)?.seq ?? null
    );
  }

  /** The devices that signed messages of others between two. */
  devicesBetween(
    conversationId: number,
    after: number,
    upTo: number,
  ): { address: string; deviceId: string }[] {
    return this.#db
      .prepare<[number, number, number], { address: string; deviceId: string }>(
        `SELECT DISTINCT sender AS address, device_id AS deviceId FROM messages
          WHERE conversation_id = ? AND id > ? AND id <= ? AND state = 'received' AND device_id IS NOT NULL
            AND event IS NULL`,
      )
      .all(conversationId, after, upTo);
  }

  countReceivedAfter(conversationId: number, id: number): number {
    return (
      this.#db
        .prepare<[number, number], { count: number }>(
          `SELECT count(*) AS count FROM messages WHERE conversation_id = ? AND id > ? AND state = 'received'`,
        )
        .get(conversationId, id)?.count ?? 0
    );
  }

  /** Of those, how many mention the person. */
  countMentionsAfter(conversationId: number, id: number): number {
    return (
      this.#db
        .prepare<[number, number], { count: number }>(
          `SELECT count(*) AS count FROM messages INDEXED BY messages_mentioning
            WHERE conversation_id = ? AND id > ? AND mentions_me = 1`,
        )
        .get(conversationId, id)?.count ?? 0
    );
  }

  /**
   * The last message that has been read with all that came before it, where the timeline was read up to one.
   * @param upTo id of that one
   * @param lastRead id of the last that was read before
   */
  readUpTo(conversationId: number, upTo: number, lastRead: number): number {
    const row = this.#db
      .prepare<
        [Place & { conversationId: number; id: number; lastRead: number }],
        { next: number | null; late: number | null; last: number | null }
      >(
        `SELECT
           (SELECT id FROM messages
             WHERE conversation_id = @conversationId AND late = 0 AND id > max(@place, @lastRead) AND state = 'received'
             ORDER BY id LIMIT 1) AS next,
           (SELECT min(id) FROM messages INDEXED BY messages_late
             WHERE conversation_id = @conversationId AND late > 0 AND id > @lastRead AND state = 'received'
               AND (place, late, id) > (@place, @late, @id)) AS late,
           (SELECT max(id) FROM messages WHERE conversation_id = @conversationId) AS last`,
      )
      .get({ conversationId, ...this.#cursor(upTo), lastRead });
    const unread = [row?.next, row?.late].flatMap((id) => id ?? []);
    return Math.max(lastRead, unread.length > 0 ? Math.min(...unread) - 1 : (row?.last ?? 0));
  }

  /**
   * Whether anybody else has written in a conversation.
   * @param only 'signed': what the relay may have made up does not count
   */
  hasReceived(conversationId: number, only: 'signed' | 'any'): boolean {
    const signed = only === 'signed' ? "AND trust = 'verified'" : '';
    return (
      this.#db
        .prepare<[number], { id: number }>(
          `SELECT id FROM messages WHERE conversation_id = ? AND state = 'received' ${signed} LIMIT 1`,
        )
        .get(conversationId) !== undefined
    );
  }

  /** The last message among those up to one, as other devices name it: one of others', if there is any. */
  lastNamedUpTo(conversationId: number, id: number): { sender: string; id: string } | null {
    const last = (which: string) =>
      this.#db
        .prepare<[number, number], { sender: string; uid: Uint8Array }>(
          `SELECT sender, uid FROM messages WHERE conversation_id = ? AND id <= ? AND event IS NULL AND ${which}
            ORDER BY id DESC LIMIT 1`,
        )
        .get(conversationId, id);
    const row = last("state = 'received'") ?? last("state <> 'received'");
    return row ? { sender: row.sender, id: encodeBase64Url(new Uint8Array(row.uid)) } : null;
  }

  setState(id: number, state: MessageState, problem: FailureData | null): void {
    this.#db
      .prepare('UPDATE messages SET state = ?, problem = ? WHERE id = ?')
      .run(state, problem && JSON.stringify(problem), id);
  }

  /** Removes one message; its outbox row goes with it. */
  remove(id: number): void {
    this.#db.prepare('DELETE FROM messages WHERE id = ?').run(id);
  }

  /** The last message of a timeline. */
  lastId(conversationId: number): number | null {
    return (
      this.#db
        .prepare<[number], { id: number }>(
          `SELECT id FROM messages WHERE conversation_id = ? AND event IS NULL
            ORDER BY place DESC, late DESC, id DESC LIMIT 1`,
        )
        .get(conversationId)?.id ?? null
    );
  }
}
