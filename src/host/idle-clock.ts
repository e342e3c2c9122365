/**
 * Calls when nobody has used the interface for as long as the person has chosen. Looks at the clock of the day every
 * few seconds: a timer would stand still while the machine sleeps.
 */
const LOOK_EVERY = 5_000;

export class IdleClock {
  readonly #timer: ReturnType<typeof setInterval>;
  #activeAt = Date.now();

  /** @param minutes asked each time; null for never */
  constructor(minutes: () => number | null, onIdle: () => void) {
    this.#timer = setInterval(() => {
      const most = minutes();
      if (most !== null && Date.now() - this.#activeAt >= most * 60_000) onIdle();
    }, LOOK_EVERY);
    this.#timer.unref();
  }

  /** Someone is there. */
  active(): void {
    this.#activeAt = Date.now();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
