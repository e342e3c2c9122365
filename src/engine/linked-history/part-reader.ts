/** Reads a part of a history in order: lines, and places of bytes between them. */
import type { StoredFile } from '../cache/files.ts';
import { MAX_READ_BYTES } from '../files/functions.ts';
import type { FileThread } from '../files/thread.ts';
import { sealedOf } from '../files/transfers.ts';
import { MAX_LINE_BYTES } from './form.ts';

const LINE_FEED = 10;

/** A part that is not in the form of this version. */
export class MalformedPart extends Error {}

export class PartReader {
  readonly #thread: FileThread;
  readonly #file: StoredFile;
  #buffer = Buffer.alloc(0);
  /** Place of the buffer in the part. */
  #start = 0;

  constructor(thread: FileThread, file: StoredFile) {
    this.#thread = thread;
    this.#file = file;
  }

  /** Place after the last line. */
  get position(): number {
    return this.#start;
  }

  /** The next line as JSON; undefined at the end. @throws MalformedPart */
  async line(): Promise<unknown> {
    for (let searched = 0; ; ) {
      const end = this.#buffer.indexOf(LINE_FEED, searched);
      if (end >= 0) {
        const text = this.#buffer.toString('utf8', 0, end);
        this.#advance(end + 1);
        return parsed(text);
      }
      searched = this.#buffer.length;
      if (searched > MAX_LINE_BYTES) throw new MalformedPart();
      if (!(await this.#readMore())) {
        if (searched > 0) throw new MalformedPart();
        return undefined;
      }
    }
  }

  /** Passes over bytes. @throws MalformedPart if there are fewer */
  skip(bytes: number): void {
    if (this.#start + bytes > this.#file.size) throw new MalformedPart();
    this.#advance(bytes);
  }

  #advance(bytes: number): void {
    this.#buffer = this.#buffer.subarray(Math.min(bytes, this.#buffer.length));
    this.#start += bytes;
  }

  async #readMore(): Promise<boolean> {
    const at = this.#start + this.#buffer.length;
    if (at >= this.#file.size) return false;
    const more = await this.#thread.call((functions) =>
      functions.read(sealedOf(this.#file), at, MAX_READ_BYTES),
    );
    this.#buffer = Buffer.concat([this.#buffer, more]);
    return true;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new MalformedPart();
  }
}
