/** The last backup, its reminder, and a restore that is not complete. */
import type { Cache } from './database.ts';

/** A complete, verified backup. */
export interface LastBackup {
  /** Time of its beginning, in milliseconds since 1970. */
  at: number;
  /** Of the file. */
  bytes: number;
}

/** A restore that continues after a restart. */
export interface StoredRestore {
  path: string;
  /** 32 bytes, of the backup. */
  key: Uint8Array;
  /** Of the backup. */
  id: string;
  /** Numbers of merged messages: src/engine/history/merge.ts. */
  shift: number;
  ceiling: number;
  /** Number of merged blocks and restored files. */
  done: number;
}

export class BackupRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  last(): LastBackup | null {
    return this.#db.prepare<[], LastBackup>('SELECT at, bytes FROM last_backup').get() ?? null;
  }

  setLast({ at, bytes }: LastBackup): void {
    this.#db
      .prepare(
        `INSERT INTO last_backup (one, at, bytes) VALUES (1, @at, @bytes)
         ON CONFLICT DO UPDATE SET at = @at, bytes = @bytes`,
      )
      .run({ at, bytes });
  }

  /** Time before which nothing reminds of a backup, in milliseconds since 1970; 0 for none. */
  remindFrom(): number {
    return this.#db.prepare<[], { at: number }>('SELECT at FROM backup_reminder').get()?.at ?? 0;
  }

  setRemindFrom(at: number): void {
    this.#db.prepare('INSERT OR REPLACE INTO backup_reminder (one, at) VALUES (1, ?)').run(at);
  }

  restore(): StoredRestore | null {
    const row = this.#db
      .prepare<[], StoredRestore>(
        'SELECT path, backup_key AS key, backup_id AS id, shift, ceiling, done FROM restore',
      )
      .get();
    return row ? { ...row, key: new Uint8Array(row.key) } : null;
  }

  beginRestore(restore: StoredRestore): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO restore (one, path, backup_key, backup_id, shift, ceiling, done)
         VALUES (1, @path, @key, @id, @shift, @ceiling, @done)`,
      )
      .run({ ...restore });
  }

  setRestored(done: number): void {
    this.#db.prepare('UPDATE restore SET done = ?').run(done);
  }

  endRestore(): void {
    this.#db.prepare('DELETE FROM restore').run();
  }
}
