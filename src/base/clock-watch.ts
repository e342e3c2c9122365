/**
 * Detects that the computer slept, or that its clock was set. Then the wall clock has moved differently from
 * the monotonic clock. Where the monotonic clock continues in sleep, the check comes late.
 */

/** Interval of the check, in milliseconds. */
const LOOK_EVERY = 2_000;
/** Allowed difference between the two clocks per check, in milliseconds. */
const TOLERANCE = 5_000;

export interface Clocks {
  /** Milliseconds since 1970, by the system clock. */
  wall: () => number;
  /** Milliseconds, never set. */
  running: () => number;
}

export class ClockWatch {
  readonly #onJump: () => void;
  readonly #clocks: Clocks;
  #timer: NodeJS.Timeout | undefined;
  #offset = 0;
  #lookedAt = 0;

  constructor(onJump: () => void, clocks: Clocks = { wall: Date.now, running: () => performance.now() }) {
    this.#onJump = onJump;
    this.#clocks = clocks;
  }

  start(): void {
    this.#offset = this.#difference();
    this.#lookedAt = this.#clocks.running();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    // Watching alone does not keep a process running.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #difference(): number {
    return this.#clocks.wall() - this.#clocks.running();
  }

  #look(): void {
    const offset = this.#difference();
    const running = this.#clocks.running();
    const hasJumped = Math.abs(offset - this.#offset) > TOLERANCE;
    // On macOS the monotonic clock continues in sleep, and only the late check shows it.
    const isLate = running - this.#lookedAt > LOOK_EVERY + TOLERANCE;
    this.#offset = offset;
    this.#lookedAt = running;
    if (hasJumped || isLate) this.#onJump();
  }
}
