import { HistoryRecord } from '../../archive/history-records.ts';

const LINE_FEED = 10;

/** Records in lines of JSON, parsed one at a time: all at once would block the engine's thread, and fill its memory. */
export class RecordLines implements IterableIterator<HistoryRecord | null> {
  readonly #bytes: Buffer;
  #place = 0;
  /** Lines so far that are malformed, or of a form that this version does not know. */
  unusable = 0;

  /** @param text in UTF-8 */
  constructor(text: Uint8Array) {
    this.#bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  }

  /** Share of the text that was read, from 0 to 1. */
  get share(): number {
    return this.#bytes.length === 0 ? 1 : this.#place / this.#bytes.length;
  }

  /** The next record; null for one that this version does not know, or that is malformed. */
  next(): IteratorResult<HistoryRecord | null, undefined> {
    if (this.#place >= this.#bytes.length) return { done: true, value: undefined };
    const found = this.#bytes.indexOf(LINE_FEED, this.#place);
    const end = found < 0 ? this.#bytes.length : found;
    const line = this.#bytes.toString('utf8', this.#place, end);
    this.#place = end + 1;
    const value = recordIn(line);
    if (value === null) this.unusable += 1;
    return { done: false, value };
  }

  [Symbol.iterator](): this {
    return this;
  }
}

function recordIn(line: string): HistoryRecord | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  return HistoryRecord.safeParse(json).data ?? null;
}
