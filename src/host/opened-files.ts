/**
 * Plain copies of files that the person opened in other programs. They are in a private folder, and are removed at the next
 * start: the other program may use them until then.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export class OpenedFiles {
  readonly #folder: string;

  /** @param folder the data folder */
  constructor(folder: string) {
    this.#folder = join(folder, 'opened');
    this.clear();
  }

  /** Path for a copy, in a new folder of its own. */
  pathFor(name: string): string {
    const folder = join(this.#folder, randomUUID());
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
