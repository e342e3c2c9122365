/**
 * Notices that the database was removed or replaced under a running relay, as by a restore without a stop: SQLite would
 * commit to a file without a name, and all of it would be lost with the process.
 */
import { renameSync, statSync } from 'node:fs';

/** The reason by which the relay stops. */
export const DATABASE_REPLACED = 'the database was removed or replaced while the relay used it';

/** A file by its number on its disk; null if there is none; undefined if that is unknown now. */
function numberOf(path: string): string | null | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev} ${found.ino}`;
  } catch {
    // For example a folder whose mode was changed.
    return undefined;
  }
}

export class OpenFiles {
  readonly #path: string;
  readonly #log: string;
  readonly #numbers: ReadonlyMap<string, string>;

  /** @param path of a database that is open, and has its log beside it */
  constructor(path: string) {
    this.#path = path;
    this.#log = `${path}-wal`;
    const known = [path, this.#log].flatMap((file): [string, string][] => {
      const number = numberOf(file);
      return number ? [[file, number]] : [];
    });
    this.#numbers = new Map(known);
  }

  /** True unless one of them has surely gone. */
  areInPlace(): boolean {
    for (const [file, number] of this.#numbers) {
      const now = numberOf(file);
      if (now !== undefined && now !== number) return false;
    }
    return true;
  }

  /**
   * Renames the log if another database is in the place of its own: the next start would write its pages into that one. It is
   * not deleted, because its own database may have been moved.
   */
  separateLog(): void {
    const [database, log] = [numberOf(this.#path), numberOf(this.#log)];
    const isReplaced = database != null && database !== this.#numbers.get(this.#path);
    if (!isReplaced || log == null || log !== this.#numbers.get(this.#log)) return;
    try {
      renameSync(this.#log, `${this.#log}.replaced`);
    } catch {
      // The relay stops in any case.
    }
  }
}
