/**
 * A limit for the faults in the log: while the database is away or the disk is full, each call fails, and each fault has
 * a stack. The line of each request has its code in any case.
 */
import type { SteadyClock } from '../steady-clock.ts';

/** In milliseconds. */
const PERIOD = 60_000;
/** Logged faults of one kind in a period. */
export const MOST_FAULTS = 20;

export class FaultLog {
  readonly #clock: SteadyClock;
  readonly #report: (omitted: number) => void;
  readonly #counts = new Map<string, number>();
  #omitted = 0;
  #end: (() => void) | null = null;

  /** @param report called at the end of a period in which faults were omitted */
  constructor(clock: SteadyClock, report: (omitted: number) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Counts a fault. @returns false if it is to be omitted */
  admits(error: unknown): boolean {
    this.#end ??= this.#clock.after(PERIOD, () => this.#renew());
    const kind = kindOf(error);
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    if (count < MOST_FAULTS) return true;
    this.#omitted++;
    return false;
  }

  /** Reports the omitted ones now. */
  close(): void {
    this.#end?.();
    this.#renew();
  }

  #renew(): void {
    const omitted = this.#omitted;
    this.#end = null;
    this.#omitted = 0;
    this.#counts.clear();
    if (omitted > 0) this.#report(omitted);
  }
}

/** Its class, its code, and the first place in its stack. All come from the program and are few. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const place = error.stack?.match(/^ {4}at .*$/m)?.[0] ?? '';
  return `${error.name} ${'code' in error ? String(error.code) : ''}${place}`;
}
