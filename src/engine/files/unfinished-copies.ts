/**
 * Unfinished copies in folders of the person: plain files, and backups. Each is noted before it is made, so that the next start
 * removes one that a killed program left, and nothing else.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { describe } from '../../base/error-facts.ts';
import { log } from '../../base/log.ts';
import { writeDurably } from '../../base/node/durable-file.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';

/** A name that only {@link UnfinishedCopies} makes. */
const PARTIAL = /^\.waxwing-[\w-]{12}\.partial$/;

export class UnfinishedCopies {
  readonly #notes: string;

  /** @param folder folder of the sealed files; the notes are beside it */
  constructor(folder: string) {
    this.#notes = join(dirname(folder), 'unfinished-copies');
  }

  /** Notes a new path in the folder of a target. A name of its own: the person may have a file of any other. */
  begin(target: string): string {
    const token = encodeBase64Url(randomBytes(9));
    const path = join(dirname(target), `.waxwing-${token}.partial`);
    mkdirSync(this.#notes, { recursive: true, mode: 0o700 });
    writeDurably(join(this.#notes, token), path);
    return path;
  }

  /** Forgets a copy that is complete or removed. */
  end(path: string): void {
    rmSync(join(this.#notes, basename(path).slice('.waxwing-'.length, -'.partial'.length)), { force: true });
  }

  /** Reports whether a killed program left copies. */
  get hasUnfinished(): boolean {
    return this.#names().length > 0;
  }

  /** Removes the copies of a killed program. */
  async removeUnfinished(): Promise<void> {
    // Read at once: a later copy is not among them.
    for (const token of this.#names()) {
      try {
        const path = readFileSync(join(this.#notes, token), 'utf8');
        const isOurs = isAbsolute(path) && PARTIAL.test(basename(path)) && basename(path).includes(token);
        // Of a disk that is away, the next start tries again.
        if (isOurs && !(await exists(dirname(path)))) continue;
        if (isOurs && (await isFile(path))) await rm(path, { force: true });
        rmSync(join(this.#notes, token), { force: true });
      } catch (error) {
        // Refused by the system: the next start tries again.
        log('info', 'file.copy_kept', describe(error));
      }
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#notes);
    } catch {
      return [];
    }
  }
}

const isFile = async (path: string) => (await statusOf(path))?.isFile() ?? false;
const exists = async (path: string) => (await statusOf(path)) !== null;

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
