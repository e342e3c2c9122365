/**
 * Notices that the computer slept, or that its clock was set: the wall clock has then moved otherwise than the clock
 * that is never set, or, where that one goes on in sleep, a look comes late.
 */

/** How often it is looked, in milliseconds. */
const LOOK_EVERY = 2_000;
/** What the two clocks may differ by between two looks, in milliseconds. */
const TOLERANCE = 5_000;

export interface Clocks {
  /** Milliseconds since 1970, as the system says. */
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
    // Watching alone keeps nobody awake.
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
    // On macOS the running clock goes on in sleep, and only the late look tells of it.
    const isLate = running - this.#lookedAt > LOOK_EVERY + TOLERANCE;
    this.#offset = offset;
    this.#lookedAt = running;
    if (hasJumped || isLate) this.#onJump();
  }
}
