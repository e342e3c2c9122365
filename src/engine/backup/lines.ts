import type { HistoryRecord } from '../../archive/history-records.ts';

/** Bytes of UTF-8 for one UTF-16 unit, at most. */
const MOST_BYTES = 3;
const LINE_FEED = 10;

/** Records as lines of JSON in UTF-8: another thread gets bytes with less work than a string. */
export class Lines {
  #memory: Buffer;
  #length = 0;

  /** @param bytes of memory at first; it grows */
  constructor(bytes: number) {
    this.#memory = Buffer.allocUnsafeSlow(bytes);
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(record: HistoryRecord): void {
    const text = JSON.stringify(record);
    const most = this.#length + text.length * MOST_BYTES + 1;
    if (most > this.#memory.length) {
      const memory = Buffer.allocUnsafeSlow(2 * most);
      memory.set(this.#memory.subarray(0, this.#length));
      this.#memory = memory;
    }
    this.#length += this.#memory.write(text, this.#length);
    this.#memory[this.#length] = LINE_FEED;
    this.#length += 1;
  }

  /** A copy of all lines. The next ones begin anew. */
  end(): Uint8Array {
    const bytes = new Uint8Array(this.#memory.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }
}
