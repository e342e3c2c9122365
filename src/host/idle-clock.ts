/**
 * Calls back after the idle time chosen by the person. Checks the wall clock every few seconds: a timer would
 * stop while the machine sleeps.
 */
const LOOK_EVERY = 5_000;

export class IdleClock {
  readonly #timer: ReturnType<typeof setInterval>;
  #activeAt = Date.now();

  /** @param minutes read each time; null for never */
  constructor(minutes: () => number | null, onIdle: () => void) {
    this.#timer = setInterval(() => {
      const most = minutes();
      const now = Date.now();
      // A clock that was set back: otherwise it would not lock until the former time.
      this.#activeAt = Math.min(this.#activeAt, now);
      if (most !== null && now - this.#activeAt >= most * 60_000) onIdle();
    }, LOOK_EVERY);
    this.#timer.unref();
  }

  /** Records activity. */
  active(): void {
    this.#activeAt = Date.now();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
