/**
 * Rate limit of a log. An error in a loop is logged a few times, and then counted. It must neither fill the
 * disk nor displace earlier records.
 */
import type { LogRecord } from './log-record.ts';

/** Period of the limits, in milliseconds. */
const PERIOD = 60_000;
/** Records of one kind in a period. */
const MAX_EQUAL = 20;
/** Records of one level in a period. */
const MAX_OF_LEVEL = 300;

/** Kind of a record: records that differ only in times and ids are the same. */
const kindOf = ({ level, event, of, code, stack }: LogRecord) =>
  [level, event, of, code, stack?.[0]].join(' ');

export class LogLimit {
  readonly #sink: (record: LogRecord) => void;
  #since = performance.now();
  readonly #counts = new Map<string, number>();
  /** Number of dropped records, by event. */
  readonly #dropped = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sink: (record: LogRecord) => void) {
    this.#sink = sink;
  }

  write(record: LogRecord): void {
    if (performance.now() - this.#since >= PERIOD) this.flush();
    // Already limited in another thread, whose records also arrive here.
    if (record.event === 'log.dropped' || this.#allows(record)) this.#sink(record);
    else this.#drop(record);
  }

  #allows(record: LogRecord): boolean {
    const kind = kindOf(record);
    const equal = this.#counts.get(kind) ?? 0;
    const ofLevel = this.#counts.get(record.level) ?? 0;
    if (equal >= MAX_EQUAL || ofLevel >= MAX_OF_LEVEL) return false;
    this.#counts.set(kind, equal + 1).set(record.level, ofLevel + 1);
    return true;
  }

  /** Reports dropped records, and starts a new period. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const dropped = [...this.#dropped];
    this.#since = performance.now();
    this.#counts.clear();
    this.#dropped.clear();
    for (const [of, count] of dropped) this.#sink({ level: 'warn', event: 'log.dropped', of, count });
  }

  #drop({ event }: LogRecord): void {
    this.#dropped.set(event, (this.#dropped.get(event) ?? 0) + 1);
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.flush(), this.#since + PERIOD - performance.now());
    // The timer does not keep a process running.
    this.#timer.unref();
  }
}
