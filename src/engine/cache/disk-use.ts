/**
 * Use of the disk by files and messages, and removal of files whose messages stay. The sums are kept by triggers
 * (./schema.ts), so that no query reads all files.
 */
import type { Cache } from './database.ts';

type DiskType = 'image' | 'video' | 'audio' | 'other';

interface Use {
  files: number;
  /** On the disk, of their sealed form. */
  bytes: number;
}

export interface ChatUse extends Record<DiskType, Use> {
  conversationId: number;
  bytes: number;
}

/** A file that is here, as a candidate for removal. */
export interface FileHere {
  id: number;
  hereSince: number;
}

/** Place in the order of arrival of files. */
export type HereCursor = FileHere;

export const FIRST_HERE: HereCursor = { id: 0, hereSince: 0 };

/**
 * The file `f` is not sent, so that only this device has its bytes; or it is the picture of a person or group, or part of a
 * history.
 */
const IS_NEEDED = `f.is_prepared = 1 OR EXISTS (SELECT 1 FROM face_files WHERE file_id = f.id) OR f.task IS NOT NULL
  OR EXISTS (SELECT 1 FROM history_parts WHERE file_id = f.id) OR EXISTS (
  SELECT 1 FROM message_files p JOIN messages m ON m.id = p.message_id
   WHERE p.file_id = f.id AND m.state IN ('queued', 'failed'))`;

/** Files that arrived after a place, in their order: each page reads as many rows as it returns. */
const PAGE = `
  SELECT * FROM files INDEXED BY files_here
   WHERE is_here = 1 AND (here_since, id) > (@hereSince, @id) AND here_since <= @upTo
   ORDER BY here_since, id LIMIT @limit`;

export class DiskUse {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Size of the database with all messages, in bytes. */
  messageBytes(): number {
    const pragma = (name: string) => this.#db.pragma(name, { simple: true }) as number;
    return pragma('page_count') * pragma('page_size');
  }

  /** Bytes of all files on the disk. */
  fileBytes(): number {
    return (
      this.#db
        .prepare<[], { bytes: number }>(
          "SELECT bytes FROM disk_use WHERE conversation_id = 0 AND type = 'all'",
        )
        .get()?.bytes ?? 0
    );
  }

  /** Conversations with files on the disk, largest first. */
  chats(limit: number): ChatUse[] {
    const rows = this.#db
      .prepare<[number], Use & { conversationId: number; type: DiskType }>(
        `SELECT u.conversation_id AS conversationId, u.type, u.files, u.bytes FROM disk_use u JOIN (
           SELECT conversation_id, sum(bytes) AS bytes FROM disk_use WHERE conversation_id > 0
            GROUP BY conversation_id ORDER BY bytes DESC, conversation_id LIMIT ?) c
          ON c.conversation_id = u.conversation_id ORDER BY c.bytes DESC, u.conversation_id`,
      )
      .all(limit);
    const nothing = (): Use => ({ files: 0, bytes: 0 });
    return [...Map.groupBy(rows, ({ conversationId }) => conversationId)].map(([conversationId, types]) => {
      const chat: ChatUse = {
        conversationId,
        bytes: types.reduce((sum, { bytes }) => sum + bytes, 0),
        ...{ image: nothing(), video: nothing(), audio: nothing(), other: nothing() },
      };
      for (const { type, files, bytes } of types) chat[type] = { files, bytes };
      return chat;
    });
  }

  /**
   * Files that are here in the order of their arrival, and whether each can be removed: it is sent or received, and in no
   * other conversation.
   * @param conversationId null: in any conversation
   */
  removable(
    conversationId: number | null,
    after: HereCursor,
    limit: number,
  ): (FileHere & { isRemovable: boolean })[] {
    return this.#page(
      `(@conversationId IS NULL
        OR EXISTS (SELECT 1 FROM message_files WHERE file_id = f.id AND conversation_id = @conversationId)
           AND NOT EXISTS (SELECT 1 FROM message_files WHERE file_id = f.id AND conversation_id <> @conversationId))
       AND NOT (${IS_NEEDED})`,
      { conversationId, ...after, upTo: Number.MAX_SAFE_INTEGER, limit },
    );
  }

  /**
   * Files that have been here since a time at the latest, and whether each can be removed: all of its messages are older, and
   * none is pinned or unsent.
   */
  outdated(after: HereCursor, upTo: number, limit: number): (FileHere & { isRemovable: boolean })[] {
    return this.#page(
      `NOT (${IS_NEEDED}) AND NOT EXISTS (
         SELECT 1 FROM message_files p JOIN messages m ON m.id = p.message_id
           LEFT JOIN pins ON pins.message_id = m.id
          WHERE p.file_id = f.id AND (m.stored_at > @upTo OR pins.pinned = 1))`,
      { ...after, upTo, limit },
    );
  }

  #page(
    condition: string,
    parameters: Record<string, number | null>,
  ): (FileHere & { isRemovable: boolean })[] {
    return this.#db
      .prepare<[Record<string, number | null>], FileHere & { isRemovable: number }>(
        `SELECT f.id, f.here_since AS hereSince, (${condition}) AS isRemovable FROM (${PAGE}) f`,
      )
      .all(parameters)
      .map((row) => ({ ...row, isRemovable: row.isRemovable === 1 }));
  }

  /**
   * Records that files are no longer here, and must be erased from the disk. Their messages stay.
   * @returns the conversations of these files
   */
  remove(ids: readonly number[]): number[] {
    const list = JSON.stringify(ids);
    this.#db
      .prepare(
        `UPDATE files SET is_here = 0, is_cleared = 1, media_type = NULL, automatic_for = NULL
          WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .run(list);
    this.#db.prepare('INSERT OR IGNORE INTO removed_files (id) SELECT value FROM json_each(?)').run(list);
    return this.#db
      .prepare<[string], { id: number }>(
        `SELECT DISTINCT conversation_id AS id FROM message_files
          WHERE file_id IN (SELECT value FROM json_each(?))`,
      )
      .all(list)
      .map(({ id }) => id);
  }
}
