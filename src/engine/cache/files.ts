/** Files of messages and faces: their keys and states, and the messages that they belong to. */
import type { FailureData } from '../../base/failure.ts';
import { fileTypeOf } from '../../messaging/contents/file-types.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { BLOB_LIFE, blobLayout } from '../../protocol/blob/layout.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';

export interface StoredFile {
  id: number;
  /** 32 bytes. */
  key: Uint8Array;
  /** Null while it is being sealed. */
  digest: Uint8Array | null;
  /** In bytes. */
  size: number;
  /** By the first bytes; null until it is here. */
  mediaType: string | null;
  isHere: boolean;
  /** True if it is not part of a message yet. */
  isPrepared: boolean;
  task: 'upload' | 'download' | null;
  attempts: number;
  /** Failure of the last task. */
  problem: FailureData | null;
}

/** A stored file in its message. */
export interface PlacedFile extends StoredFile {
  messageId: number;
  place: number;
}

/** A file that the relay deletes soon. */
export interface ExpiringFile {
  id: number;
  size: number;
  /** Time of its deletion there. */
  until: number;
}

/** A message that contains files. */
export interface FileHolder {
  id: number;
  conversationId: number;
}

export interface FileRow {
  id: number;
  file_key: Uint8Array;
  digest: Uint8Array | null;
  size: number;
  media_type: string | null;
  is_here: number;
  is_prepared: number;
  task: StoredFile['task'];
  attempts: number;
  problem: string | null;
}

interface PlacedRow extends FileRow {
  message_id: number;
  place: number;
}

/** A file from its row. */
export function fromRow(row: FileRow): StoredFile {
  return {
    id: row.id,
    key: row.file_key,
    digest: row.digest,
    size: row.size,
    mediaType: row.media_type,
    isHere: row.is_here === 1,
    isPrepared: row.is_prepared === 1,
    task: row.task,
    attempts: row.attempts,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as FailureData),
  };
}

export class Files {
  readonly #db: Cache;
  readonly #now: () => number;
  #onRemoved: (ids: readonly number[]) => void = () => undefined;

  /** @param now milliseconds since 1970 */
  constructor(db: Cache, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Stores a file that is about to be sealed, as prepared. @returns its id */
  prepare(key: Uint8Array, size: number): number {
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO files (file_key, size, blob_length, is_prepared) VALUES (?, ?, ?, 1)')
      .run(key, size, blobLayout(size).length);
    return Number(lastInsertRowid);
  }

  /** Stores the digest of a sealed file, which is here. */
  setSealed(id: number, digest: Uint8Array, mediaType: string): void {
    this.#db
      .prepare('UPDATE files SET digest = ?, media_type = ?, is_here = 1, here_since = ? WHERE id = ?')
      .run(digest, mediaType, this.#now(), id);
  }

  /**
   * Adds prepared files to an own message, and plans their uploads.
   * @param ids of the prepared files, in order
   */
  attach(message: FileHolder, files: readonly AttachedFile[], ids: readonly number[]): void {
    for (const [place, id] of ids.entries()) {
      this.#place(message, place, id, files[place]);
      this.planUpload(id);
    }
  }

  /** Plans the upload of a prepared file that became part of a message. */
  planUpload(id: number): void {
    this.#db
      .prepare("UPDATE files SET is_prepared = 0, task = 'upload', next_attempt_at = 0 WHERE id = ?")
      .run(id);
  }

  /**
   * Stores the files of a received or forwarded message. A file of an earlier message is the same one.
   * @returns their ids
   */
  add(message: FileHolder, files: readonly AttachedFile[]): number[] {
    return files.map((file, place) => {
      const id = this.ensure(file);
      this.#place(message, place, id, file);
      return id;
    });
  }

  /** The row of a file, made if there is none. @returns its id */
  ensure(file: AttachedFile): number {
    const name = [decodeBase64Url(file.key), decodeBase64Url(file.digest), file.size] as const;
    this.#db
      .prepare(
        'INSERT INTO files (file_key, digest, size, blob_length) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(...name, blobLayout(file.size).length);
    const row = this.#db
      .prepare<[Uint8Array, Uint8Array, number], { id: number }>(
        'SELECT id FROM files WHERE file_key = ? AND digest = ? AND size = ?',
      )
      .get(...name);
    if (!row) throw new Error('a file that was just inserted is missing');
    return row.id;
  }

  /** Marks a prepared file as used. */
  setUsed(id: number): void {
    this.#db.prepare('UPDATE files SET is_prepared = 0 WHERE id = ?').run(id);
  }

  #place({ id, conversationId }: FileHolder, place: number, fileId: number, file?: AttachedFile): void {
    const type = file ? fileTypeOf(file) : 'other';
    const isMedia = type === 'image' || type === 'video' ? 1 : 0;
    this.#db
      .prepare('UPDATE files SET type = ? WHERE id = ? AND type IS NULL')
      .run(type === 'voice' ? 'audio' : type, fileId);
    this.#db
      .prepare(
        `INSERT INTO message_files (message_id, place, file_id, conversation_id, is_media, until)
         SELECT ?, ?, ?, ?, ?, received_at + ${BLOB_LIFE} FROM messages WHERE id = ?`,
      )
      .run(id, place, fileId, conversationId, isMedia, id);
  }

  /** Ids of messages with such files before another, newest first. */
  list(conversationId: number, isMedia: boolean, before: number, limit: number): number[] {
    return this.#db
      .prepare<[number, number, number, number], { id: number }>(
        `SELECT DISTINCT message_id AS id FROM message_files
          WHERE conversation_id = ? AND is_media = ? AND message_id < ? ORDER BY message_id DESC LIMIT ?`,
      )
      .all(conversationId, isMedia ? 1 : 0, before, limit)
      .map(({ id }) => id);
  }

  /** Uploads of a message: all done, still running, or failed. */
  uploadsOf(messageId: number): 'done' | 'running' | FailureData {
    const files = this.ofMessages([messageId]);
    if (files.some(({ task }) => task === 'upload')) return 'running';
    return files.find(({ problem, isHere }) => isHere && problem)?.problem ?? 'done';
  }

  get(id: number): StoredFile | null {
    const row = this.#db.prepare<[number], FileRow>('SELECT * FROM files WHERE id = ?').get(id);
    return row ? fromRow(row) : null;
  }

  /** The files of messages, in order of their place. */
  ofMessages(ids: readonly number[]): PlacedFile[] {
    return this.#db
      .prepare<[string], PlacedRow>(
        `SELECT f.*, m.message_id, m.place FROM message_files m JOIN files f ON f.id = m.file_id
          WHERE m.message_id IN (SELECT value FROM json_each(?)) ORDER BY m.message_id, m.place`,
      )
      .all(JSON.stringify(ids))
      .map((row) => ({ ...fromRow(row), messageId: row.message_id, place: row.place }));
  }

  /** Messages of a conversation with files that are at the relay only, and have no task: newest first. */
  withRemote(conversationId: number, limit: number): number[] {
    return this.#db
      .prepare<[number, number], { id: number }>(
        `SELECT DISTINCT m.message_id AS id FROM message_files m JOIN files f ON f.id = m.file_id
          WHERE m.conversation_id = ? AND f.is_here = 0 AND f.task IS NULL AND f.problem IS NULL
          ORDER BY m.message_id DESC LIMIT ?`,
      )
      .all(conversationId, limit)
      .map(({ id }) => id);
  }

  /**
   * Files of a conversation that are at the relay only, without a task, and are deleted there in a period. Without those that
   * the person has removed from this computer.
   * @param until the end of the period
   */
  expiring(conversationId: number, now: number, until: number, limit: number): ExpiringFile[] {
    return this.#db
      .prepare<[number, number, number, number], ExpiringFile>(
        `SELECT f.id, f.size, min(m.until) AS until FROM message_files m INDEXED BY message_files_by_end
           JOIN files f ON f.id = m.file_id
          WHERE m.conversation_id = ? AND m.until > ? AND m.until <= ? AND f.is_here = 0 AND f.is_cleared = 0
            AND f.task IS NULL AND (f.problem IS NULL OR f.problem ->> 'code' <> 'file_gone')
          GROUP BY f.id LIMIT ?`,
      )
      .all(conversationId, now, until, limit);
  }

  /** Messages that contain a file, with their conversations. */
  messagesOf(fileId: number): { messageId: number; conversationId: number; place: number }[] {
    return this.#db
      .prepare<[number], { messageId: number; conversationId: number; place: number }>(
        `SELECT m.id AS messageId, m.conversation_id AS conversationId, f.place
           FROM message_files f JOIN messages m ON m.id = f.message_id WHERE f.file_id = ?`,
      )
      .all(fileId);
  }

  setUploaded(id: number): void {
    this.#db.prepare('UPDATE files SET task = NULL, problem = NULL WHERE id = ?').run(id);
  }

  setDownloaded(id: number, mediaType: string): void {
    this.#db
      .prepare(
        `UPDATE files SET task = NULL, problem = NULL, is_here = 1, here_since = ?, media_type = ? WHERE id = ?`,
      )
      .run(this.#now(), mediaType, id);
  }

  /** Records that a file is not on the disk any more. A prepared or unsent one stays: only this device had it. */
  setLost(id: number): void {
    this.#db
      .prepare(
        `UPDATE files SET is_here = 0, media_type = NULL, automatic_for = NULL
          WHERE id = ? AND is_prepared = 0 AND task IS NULL`,
      )
      .run(id);
  }

  /** Ends a task by a failure; null: by the person. */
  setFailed(id: number, problem: FailureData | null): void {
    this.#db
      .prepare('UPDATE files SET task = NULL, problem = ? WHERE id = ?')
      .run(problem && JSON.stringify(problem), id);
  }

  /** Removes prepared files: some, or all. */
  removePrepared(ids: readonly number[] | 'all'): void {
    const where = ids === 'all' ? '' : ' AND id IN (SELECT value FROM json_each(@ids))';
    this.#db
      .prepare(`DELETE FROM files WHERE is_prepared = 1${where}`)
      .run(ids === 'all' ? {} : { ids: JSON.stringify(ids) });
  }

  /** Removes the files of an erased message. */
  detach(messageId: number): void {
    this.#db.prepare('DELETE FROM message_files WHERE message_id = ?').run(messageId);
  }

  /** Ids of all files. */
  ids(): number[] {
    return this.#db
      .prepare<[], { id: number }>('SELECT id FROM files')
      .all()
      .map(({ id }) => id);
  }

  countPrepared(): number {
    return (
      this.#db
        .prepare<[], { count: number }>('SELECT count(*) AS count FROM files WHERE is_prepared = 1')
        .get()?.count ?? 0
    );
  }

  /** Sets the function that erases files from the disk. */
  onRemoved(listener: (ids: readonly number[]) => void): void {
    this.#onRemoved = listener;
  }

  /** Called after rows were removed: reports the ids of their files. */
  reportRemoved(): void {
    const ids = this.#db
      .prepare<[], { id: number }>('SELECT id FROM removed_files')
      .all()
      .map(({ id }) => id);
    if (ids.length > 0) this.#onRemoved(ids);
  }

  /** Records that files are erased from the disk. */
  setErased(ids: readonly number[]): void {
    this.#db
      .prepare('DELETE FROM removed_files WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids));
  }
}
