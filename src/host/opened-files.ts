/**
 * Plain copies of files that the person opened in other programs. They are in a private folder, and are removed after some hours,
 * at a lock, at the end and at the next start, whichever is first.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';

/** Lifetime of a copy, in milliseconds. */
export const OPENED_FOR = 4 * 3_600_000;

const FOLDER = 'opened';

export class OpenedFiles {
  readonly #folder: string;

  /** @param folder the data folder */
  constructor(folder: string) {
    this.#folder = join(folder, FOLDER);
    this.clear();
  }

  /** Path for a copy, in a new folder of its own. */
  pathFor(name: string): string {
    const folder = join(this.#folder, randomUUID());
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    setTimeout(() => remove(folder), OPENED_FOR).unref();
    return join(folder, name);
  }

  /** Removes one copy. @param path of {@link pathFor} */
  remove(path: string): void {
    remove(dirname(path));
  }

  clear(): void {
    remove(this.#folder);
  }
}

/** Removes the copies in a data folder, for a host that ends. */
export function removeOpened(dataFolder: string): void {
  remove(join(dataFolder, FOLDER));
}

/** On Windows, a file that another program has open stays until the next time. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    log('info', 'file.copy_kept', describe(error));
  }
}
