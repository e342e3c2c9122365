/**
 * Downloads that are read while they arrive: their chunks that are verified and written, and the readers that wait for
 * others.
 */
import { Failure, type FailureData, failureFrom } from '../../base/failure.ts';
import type { ChunkReaders } from '../../client/files/fetching.ts';

/** Limit of waiting readers of a file. The oldest ends: a page that moves to another place leaves readers behind. */
const MAX_OF_FILE = 16;
/** Limit of waiting readers of all files. The oldest ends. */
const MAX_WAITING = 64;
/** The longest wait for a chunk, in milliseconds. */
const LONGEST_WAIT = 60_000;

interface Waiting {
  id: number;
  chunk: number;
  timer: NodeJS.Timeout;
  end: (failure: Failure | null) => void;
}

export class Arrivals {
  /** Written chunks of downloads, by the ids of their files. */
  readonly #written = new Map<number, Set<number>>();
  /** The newest last. */
  readonly #waiting: Waiting[] = [];
  /** Called when a reader waits, by the ids of files with a connection. */
  readonly #onWait = new Map<number, () => void>();

  /** Readers of a download that begins or continues. */
  readersOf(id: number): ChunkReaders {
    return {
      restart: () => void this.#written.set(id, new Set()),
      add: (chunk) => {
        this.#written.get(id)?.add(chunk);
        this.#endAll(null, (each) => each.id === id && each.chunk === chunk);
      },
      wanted: () => this.#waiting.findLast((each) => each.id === id)?.chunk ?? null,
      onWait: (listener) => {
        this.#onWait.set(id, listener);
        return { [Symbol.dispose]: () => void this.#onWait.delete(id) };
      },
    };
  }

  /**
   * Waits until a chunk is written, or the file is complete.
   * @throws Failure of the download; file_too_slow after a minute; file_missing if newer readers wait
   */
  async until(id: number, chunk: number): Promise<void> {
    if (this.#written.get(id)?.has(chunk)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (failure: Failure | null) => (failure ? reject(failure) : resolve());
    const waiting: Waiting = {
      id,
      chunk,
      end,
      timer: setTimeout(
        () => this.#endAll(new Failure('file_too_slow'), (each) => each === waiting),
        LONGEST_WAIT,
      ),
    };
    this.#waiting.push(waiting);
    this.#limit(
      this.#waiting.filter((each) => each.id === id),
      MAX_OF_FILE,
    );
    this.#limit(this.#waiting, MAX_WAITING);
    this.#onWait.get(id)?.();
    await promise;
  }

  #limit(readers: readonly Waiting[], most: number): void {
    const [oldest] = readers;
    if (readers.length > most) this.#endAll(new Failure('file_missing'), (each) => each === oldest);
  }

  /** Reports whether a download of a file has begun and not ended. */
  isArriving(id: number): boolean {
    return this.#written.has(id);
  }

  /** Number of written chunks in a row, from this one on. */
  countFrom(id: number, chunk: number, most: number): number {
    const written = this.#written.get(id);
    let count = 0;
    while (count < most && written?.has(chunk + count)) count++;
    return count;
  }

  /** Ends the readers of a download that has ended. @param failure null if the file is complete */
  end(id: number, failure: FailureData | null): void {
    this.#written.delete(id);
    this.#endAll(failure && failureFrom(failure), (each) => each.id === id);
  }

  #endAll(failure: Failure | null, fits: (each: Waiting) => boolean): void {
    for (const each of this.#waiting.filter(fits)) {
      clearTimeout(each.timer);
      this.#waiting.splice(this.#waiting.indexOf(each), 1);
      each.end(failure);
    }
  }
}
