/** Planned uploads and downloads of files. */
import type { Cache } from './database.ts';
import { type FileRow, fromRow, type StoredFile } from './files.ts';

export class FileTasks {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Plans a download.
   * @param automaticFor conversation of an automatic download; null for a request of the person
   * @param at earliest time, in milliseconds since 1970
   */
  planDownload(id: number, automaticFor: number | null, at = 0): void {
    this.#db
      .prepare(
        `UPDATE files SET task = 'download', problem = NULL, attempts = 0, next_attempt_at = ?, automatic_for = ?,
                is_cleared = 0
          WHERE id = ?`,
      )
      .run(at, automaticFor, id);
  }

  /**
   * Cancels planned automatic downloads, of files that only this person has sent.
   * @returns their conversations
   */
  cancelAutomatic(sender: string): number[] {
    const cancelled = this.#db
      .prepare<{ sender: string }, { id: number; chat: number }>(
        `SELECT id, automatic_for AS chat FROM files
          WHERE task = 'download' AND automatic_for IS NOT NULL
            AND EXISTS (SELECT 1 FROM message_files f JOIN messages m ON m.id = f.message_id
                         WHERE f.file_id = files.id AND m.sender = @sender)
            AND NOT EXISTS (SELECT 1 FROM message_files f JOIN messages m ON m.id = f.message_id
                             WHERE f.file_id = files.id AND m.sender <> @sender)`,
      )
      .all({ sender });
    const cancel = this.#db.prepare('UPDATE files SET task = NULL, automatic_for = NULL WHERE id = ?');
    for (const { id } of cancelled) cancel.run(id);
    return [...new Set(cancelled.map(({ chat }) => chat))];
  }

  /** Reports whether the download of a file is automatic. */
  isAutomatic(id: number): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM files WHERE id = ? AND automatic_for IS NOT NULL').get(id) !== undefined
    );
  }

  /** Bytes of the automatic downloads of a conversation, including planned ones. The smallest blob has 4 KiB. */
  automaticBytes(conversationId: number): number {
    return (
      this.#db
        .prepare<[number], { bytes: number | null }>(
          'SELECT sum(max(size, 4096)) AS bytes FROM files WHERE automatic_for = ?',
        )
        .get(conversationId)?.bytes ?? 0
    );
  }

  /**
   * Planned tasks that are due, small files first. A file that is being erased waits.
   * @param running ids of tasks in progress
   * @param first ids of the only downloads, which come before uploads; empty for all
   */
  due(now: number, running: readonly number[], limit: number, first: readonly number[]): StoredFile[] {
    return this.#db
      .prepare<{ now: number; running: string; limit: number; first: string }, FileRow>(
        `SELECT * FROM files WHERE task IS NOT NULL AND next_attempt_at <= @now
            AND id NOT IN (SELECT value FROM json_each(@running)) AND id NOT IN (SELECT id FROM removed_files)
            AND (@first = '[]' OR task = 'upload' OR id IN (SELECT value FROM json_each(@first)))
          ORDER BY id IN (SELECT value FROM json_each(@first)) DESC, size, id LIMIT @limit`,
      )
      .all({ now, running: JSON.stringify(running), limit, first: JSON.stringify(first) })
      .map(fromRow);
  }

  /** Time of the next task that is not due yet; null without one. */
  nextDue(now: number): number | null {
    return (
      this.#db
        .prepare<[number], { at: number | null }>(
          'SELECT min(next_attempt_at) AS at FROM files WHERE task IS NOT NULL AND next_attempt_at > ?',
        )
        .get(now)?.at ?? null
    );
  }

  postpone(id: number, until: number): void {
    this.#db
      .prepare('UPDATE files SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?')
      .run(until, id);
  }

  /** Makes all planned tasks due. */
  retryNow(): void {
    this.#db.prepare('UPDATE files SET next_attempt_at = 0 WHERE next_attempt_at > 0').run();
  }

  /** Plans the uploads of a message again. One that is at the relay still ends at once. */
  retryUploads(messageId: number): void {
    this.#db
      .prepare(
        `UPDATE files SET task = 'upload', problem = NULL, attempts = 0, next_attempt_at = 0
          WHERE is_here = 1 AND id IN (SELECT file_id FROM message_files WHERE message_id = ?)`,
      )
      .run(messageId);
  }
}
