/** The last backup, its reminder, the folder for automatic backups, and a restore that is not complete. */

import type { BackupFolder } from '../../archive/folder-writer.ts';
import type { BackupHeader } from '../../archive/form.ts';
import type { Cache } from './database.ts';

/** A complete, verified backup. */
export interface LastBackup {
  /** Time of its beginning, in milliseconds since 1970. */
  at: number;
  /** Of the file, or of all blocks of an automatic one. */
  bytes: number;
  /** Number of files that this computer could not read. They are not in it. */
  missingFiles: number;
}

export interface StoredFolder extends BackupFolder {
  /** Digest of the manifest of its last backup; null before the first. */
  digest: string | null;
  /** Time of its last backup, in milliseconds since 1970; null before the first. */
  at: number | null;
}

/** A restore that continues after a restart. */
export interface StoredRestore {
  path: string;
  /** 32 bytes, of the backup. */
  key: Uint8Array;
  /** Of the backup. */
  digest: string;
  /** Numbers of merged messages: src/engine/history/merge.ts. */
  shift: number;
  ceiling: number;
  /** Number of merged blocks and restored files. */
  done: number;
  /** Number of records in these blocks that were left out. */
  leftOut: number;
  /** Number of newer backups in the chosen folder that could not be opened. */
  skipped: number;
}

export class BackupRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  last(): LastBackup | null {
    const row = this.#db
      .prepare<[], LastBackup>('SELECT at, bytes, missing_files AS missingFiles FROM last_backup')
      .get();
    return row ?? null;
  }

  setLast({ at, bytes, missingFiles }: LastBackup): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO last_backup (one, at, bytes, missing_files) VALUES (1, ?, ?, ?)')
      .run(at, bytes, missingFiles);
  }

  /** Time before which nothing reminds of a backup, in milliseconds since 1970; 0 for none. */
  remindFrom(): number {
    return this.#db.prepare<[], { at: number }>('SELECT at FROM backup_reminder').get()?.at ?? 0;
  }

  setRemindFrom(at: number): void {
    this.#db.prepare('INSERT OR REPLACE INTO backup_reminder (one, at) VALUES (1, ?)').run(at);
  }

  /** The folder for automatic backups; null for none. */
  folder(): StoredFolder | null {
    const row = this.#db
      .prepare<[], Omit<StoredFolder, 'header'> & { header: string }>(
        'SELECT path, header, backup_key AS key, digest, at FROM backup_folder',
      )
      .get();
    // Written by this app only.
    return row
      ? { ...row, key: new Uint8Array(row.key), header: JSON.parse(row.header) as BackupHeader }
      : null;
  }

  setFolder({ path, header, key }: BackupFolder): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO backup_folder (one, path, header, backup_key) VALUES (1, ?, ?, ?)')
      .run(path, JSON.stringify(header), key);
  }

  endFolder(): void {
    this.#db.prepare('DELETE FROM backup_folder').run();
    this.#db.prepare('DELETE FROM changed_ranges').run();
  }

  /** Ranges of messages that changed since the last automatic backup. Later changes count for the next one. */
  drainChanges(): number[] {
    this.#db.prepare('UPDATE changed_ranges SET taken = 1').run();
    return this.#db
      .prepare<[], { range: number }>('SELECT range FROM changed_ranges')
      .all()
      .map(({ range }) => range);
  }

  /** Notes a complete automatic backup, with all changes in it. */
  setBackedUp(digest: string | null, at: number): void {
    this.#db.prepare('UPDATE backup_folder SET digest = ?, at = ?').run(digest, at);
    this.#db.prepare('DELETE FROM changed_ranges WHERE taken = 1').run();
  }

  restore(): StoredRestore | null {
    const row = this.#db
      .prepare<[], StoredRestore>(
        `SELECT path, backup_key AS key, backup_digest AS digest, shift, ceiling, done, left_out AS leftOut, skipped
         FROM restore`,
      )
      .get();
    return row ? { ...row, key: new Uint8Array(row.key) } : null;
  }

  beginRestore(restore: StoredRestore): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO restore (one, path, backup_key, backup_digest, shift, ceiling, done, left_out, skipped)
         VALUES (1, @path, @key, @digest, @shift, @ceiling, @done, @leftOut, @skipped)`,
      )
      .run({ ...restore });
  }

  setRestored({ done, leftOut }: Pick<StoredRestore, 'done' | 'leftOut'>): void {
    this.#db.prepare('UPDATE restore SET done = ?, left_out = ?').run(done, leftOut);
  }

  endRestore(): void {
    this.#db.prepare('DELETE FROM restore').run();
  }
}
