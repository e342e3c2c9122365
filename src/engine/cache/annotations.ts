/**
 * Reactions, edits and pins. The newest version of each author counts, regardless of the order of arrival
 * (src/messaging/contents/versions.ts).
 */
import type { Authorship } from '../../messaging/contents/authorship.ts';
import { MAX_KEPT_TEXTS } from '../../messaging/contents/edits.ts';
import type { Edit } from '../../messaging/contents/kind.ts';
import { compareVersions, replaces, type Version } from '../../messaging/contents/versions.ts';
import type { Cache } from './database.ts';

/** All emoji of one author on a message. */
export interface StoredReaction {
  messageId: number;
  /** Wire address. */
  address: string;
  emoji: string[];
}

/** An edit with its version. */
export interface StoredEdit extends Edit {
  /** Same as in its body. */
  sentAt: string;
}

/** A reaction as stored. An empty list of emoji is a removed one. */
export interface ReactionValue {
  messageId: number;
  /** Key of the author. */
  voice: string;
  address: string;
  emoji: readonly string[];
  version: Version;
}

export interface PinValue {
  messageId: number;
  pinned: boolean;
  version: Version;
}

export interface EditValue {
  messageId: number;
  edit: Edit;
  version: Version;
}

interface VersionRow {
  sent_at: string;
  uid: string;
  sender: string;
}

const versionIn = (row: VersionRow | undefined): Version | null =>
  row ? { sentAt: row.sent_at, id: row.uid, sender: row.sender } : null;

/** Key of an author among those of a message. A person's signed and unsigned contents have different keys. */
function nameOf(author: Authorship): string {
  if (author.by === 'bot') return `bot ${author.botId}`;
  return author.by === 'nobody' ? `${author.via} ${author.address}` : author.address;
}

export class Annotations {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** @returns whether it replaced the stored value */
  setReaction(messageId: number, by: Authorship, emoji: readonly string[], version: Version): boolean {
    return this.putReaction(messageId, { voice: nameOf(by), address: by.address, emoji, version });
  }

  /** Stores a reaction by the key of its author. @returns whether it replaced the stored value */
  putReaction(
    messageId: number,
    { voice, address, emoji, version }: Omit<ReactionValue, 'messageId'>,
  ): boolean {
    if (!replaces(version, this.#reactionVersion(messageId, voice))) return false;
    this.#db
      .prepare(
        `INSERT INTO reactions (message_id, voice, address, emoji, sent_at, uid, sender)
         VALUES (@messageId, @voice, @address, @emoji, @sentAt, @id, @sender)
         ON CONFLICT (message_id, voice) DO UPDATE SET emoji = @emoji, sent_at = @sentAt, uid = @id, sender = @sender`,
      )
      .run({ messageId, voice, address, emoji: JSON.stringify(emoji), ...version });
    return true;
  }

  /** Emoji of an author on a message, in their order. */
  emojiOf(messageId: number, by: Authorship): string[] {
    const row = this.#db
      .prepare<[number, string], { emoji: string }>(
        'SELECT emoji FROM reactions WHERE message_id = ? AND voice = ?',
      )
      .get(messageId, nameOf(by));
    return row ? (JSON.parse(row.emoji) as string[]) : [];
  }

  /** Version of an author's value; null without one. */
  reactionVersion(messageId: number, by: Authorship): Version | null {
    return this.#reactionVersion(messageId, nameOf(by));
  }

  #reactionVersion(messageId: number, voice: string): Version | null {
    return versionIn(
      this.#db
        .prepare<[number, string], VersionRow>(
          'SELECT sent_at, uid, sender FROM reactions WHERE message_id = ? AND voice = ?',
        )
        .get(messageId, voice),
    );
  }

  /** Everything about these messages, with versions and removed values: for a history. */
  all(messageIds: readonly number[]): { reactions: ReactionValue[]; pins: PinValue[]; edits: EditValue[] } {
    const wanted = JSON.stringify(messageIds);
    const rows = <Row>(columns: string, table: string) =>
      this.#db
        .prepare<[string], Row & VersionRow & { messageId: number }>(
          `SELECT message_id AS messageId, sent_at, uid, sender, ${columns} FROM ${table}
            WHERE message_id IN (SELECT value FROM json_each(?))`,
        )
        .all(wanted)
        .map(({ sent_at, uid, sender, ...row }) => ({
          ...row,
          version: { sentAt: sent_at, id: uid, sender },
        }));
    return {
      reactions: rows<{ voice: string; address: string; emoji: string }>(
        'voice, address, emoji',
        'reactions',
      ).map((row) => ({ ...row, emoji: JSON.parse(row.emoji) as string[] })),
      pins: rows<{ pinned: number }>('pinned', 'pins').map((row) => ({ ...row, pinned: row.pinned === 1 })),
      edits: rows<{ content: string }>('content', 'edits')
        .map(({ content, ...row }) => ({ ...row, edit: JSON.parse(content) as Edit }))
        .sort((a, b) => compareVersions(a.version, b.version)),
    };
  }

  /** Reactions to these messages, in the order of arrival. */
  reactions(messageIds: readonly number[]): StoredReaction[] {
    return this.#db
      .prepare<[string], { messageId: number; address: string; emoji: string }>(
        `SELECT message_id AS messageId, address, emoji FROM reactions
          WHERE message_id IN (SELECT value FROM json_each(?)) AND emoji <> '[]'
          ORDER BY message_id, sent_at, uid`,
      )
      .all(JSON.stringify(messageIds))
      .map((row) => ({ ...row, emoji: JSON.parse(row.emoji) as string[] }));
  }

  setPinned(messageId: number, conversationId: number, pinned: boolean, version: Version): boolean {
    if (!replaces(version, this.pinVersion(messageId))) return false;
    this.#db
      .prepare(
        `INSERT INTO pins (message_id, conversation_id, pinned, sent_at, uid, sender)
         VALUES (@messageId, @conversationId, @pinned, @sentAt, @id, @sender)
         ON CONFLICT (message_id) DO UPDATE SET pinned = @pinned, sent_at = @sentAt, uid = @id, sender = @sender`,
      )
      .run({ messageId, conversationId, pinned: pinned ? 1 : 0, ...version });
    return true;
  }

  pinVersion(messageId: number): Version | null {
    return versionIn(
      this.#db
        .prepare<[number], VersionRow>('SELECT sent_at, uid, sender FROM pins WHERE message_id = ?')
        .get(messageId),
    );
  }

  /** Ids of the pinned messages of a conversation, last pinned first, at most `limit`. */
  pinned(conversationId: number, limit: number): number[] {
    return this.#db
      .prepare<[number, number], { id: number }>(
        `SELECT message_id AS id FROM pins WHERE conversation_id = ? AND pinned = 1
          ORDER BY sent_at DESC, uid DESC LIMIT ?`,
      )
      .all(conversationId, limit)
      .map(({ id }) => id);
  }

  /**
   * Stores an edit. The first text stays with the message, and the newest edits are stored here.
   * @returns the newest edit; null if this one is a duplicate or too old to store
   */
  addEdit(messageId: number, edit: Edit, version: Version): StoredEdit | null {
    const content = JSON.stringify({ text: edit.text, mentions: edit.mentions });
    const { changes } = this.#db
      .prepare(
        // An own edit that is sealed later than it was made has another time than before.
        `INSERT INTO edits (message_id, sent_at, uid, sender, content)
         VALUES (@messageId, @sentAt, @id, @sender, @content)
         ON CONFLICT (message_id, uid) DO UPDATE SET sent_at = @sentAt WHERE sent_at < @sentAt`,
      )
      .run({ messageId, content, ...version });
    if (changes === 0) return null;
    const kept = this.#edits(messageId);
    const over = kept.slice(0, Math.max(0, kept.length - (MAX_KEPT_TEXTS - 1)));
    for (const dropped of over) this.dropEdit(messageId, dropped.version.id);
    if (over.some((each) => each.version.id === version.id)) return null;
    return kept.at(-1)?.edit ?? null;
  }

  /** @param uid of the control that contained it, in base64url */
  dropEdit(messageId: number, uid: string): void {
    this.#db.prepare('DELETE FROM edits WHERE message_id = ? AND uid = ?').run(messageId, uid);
  }

  /** Stored edits, oldest first. */
  edits(messageId: number): StoredEdit[] {
    return this.#edits(messageId).map(({ edit }) => edit);
  }

  /** The pinned ones of these messages. */
  pinnedOf(messageIds: readonly number[]): ReadonlySet<number> {
    const rows = this.#db
      .prepare<[string], { id: number }>(
        'SELECT message_id AS id FROM pins WHERE message_id IN (SELECT value FROM json_each(?)) AND pinned = 1',
      )
      .all(JSON.stringify(messageIds));
    return new Set(rows.map(({ id }) => id));
  }

  /** The version of the newest edit; null if there is none. */
  editVersion(messageId: number): Version | null {
    return this.#edits(messageId).at(-1)?.version ?? null;
  }

  #edits(messageId: number): { version: Version; edit: StoredEdit }[] {
    return this.#db
      .prepare<[number], VersionRow & { content: string }>(
        'SELECT sent_at, uid, sender, content FROM edits WHERE message_id = ?',
      )
      .all(messageId)
      .map((row) => {
        const version = { sentAt: row.sent_at, id: row.uid, sender: row.sender };
        return { version, edit: { ...(JSON.parse(row.content) as Edit), sentAt: row.sent_at } };
      })
      .sort((a, b) => compareVersions(a.version, b.version));
  }

  /** Deletes all reactions, edits and pins of a message. */
  erase(messageId: number): void {
    for (const table of ['reactions', 'pins', 'edits'])
      this.#db.prepare(`DELETE FROM ${table} WHERE message_id = ?`).run(messageId);
  }
}
