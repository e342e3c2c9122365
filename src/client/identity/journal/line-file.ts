/** A file of JSON lines. Each line is synced before the program continues. Without a path, nothing is stored. */
import { appendFileSync, readFileSync } from 'node:fs';
import { writeDurably } from '../../../base/node/durable-file.ts';

/** Smaller files are not rewritten, in characters. */
const WORTH_COMPACTING = 64 * 1024;

export class LineFile {
  readonly #path: string | null;
  /** Lines of a batch; null outside of a batch. */
  #batch: string[] | null = null;
  /** In characters. */
  #size = 0;
  /** The size at which it is checked for obsolete lines: twice that of the last check. */
  #looksAt = WORTH_COMPACTING;

  /** @param path null to store nothing */
  constructor(path: string | null) {
    this.#path = path;
  }

  /** All lines, parsed; null for a line that is not JSON. */
  read(): unknown[] {
    const text = this.#path === null ? '' : readText(this.#path);
    this.#size = text.length;
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map(parse);
  }

  append(entry: object): void {
    // The line break comes first, so that a truncated line does not spoil the next.
    const line = `\n${JSON.stringify(entry)}`;
    if (this.#batch) this.#batch.push(line);
    else this.#write(line);
  }

  /** Writes all lines of a function with one sync. */
  together(work: () => void): void {
    if (this.#batch) {
      work();
      return;
    }
    const lines: string[] = [];
    this.#batch = lines;
    try {
      work();
    } finally {
      this.#batch = null;
      if (lines.length > 0) this.#write(lines.join(''));
    }
  }

  /** Reports whether it grew enough to look for obsolete lines. */
  get isDue(): boolean {
    return this.#batch === null && this.#size > this.#looksAt;
  }

  /**
   * Rewrites the file if more than half of it is obsolete.
   * @param entries of all lines that are not obsolete
   */
  compact(entries: () => readonly object[]): void {
    if (this.#path === null || this.#size <= WORTH_COMPACTING) return;
    const live = entries()
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
    if (this.#size > 2 * live.length) {
      writeDurably(this.#path, live);
      this.#size = live.length;
    }
    this.#looksAt = Math.max(WORTH_COMPACTING, 2 * live.length);
  }

  #write(lines: string): void {
    if (this.#path === null) return;
    appendFileSync(this.#path, lines, { mode: 0o600, flush: true });
    this.#size += lines.length;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
