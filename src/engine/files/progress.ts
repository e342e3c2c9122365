/** Reports of a transfer: at most one in an interval, and always the last one. */

/** Pause between two reports, in milliseconds. */
const REPORT_EVERY = 100;

export class ProgressReports {
  readonly #report: (done: number, total: number) => void;
  #timer: NodeJS.Timeout | null = null;
  #latest: [done: number, total: number] | null = null;

  constructor(report: (done: number, total: number) => void) {
    this.#report = report;
  }

  add(done: number, total: number): void {
    this.#latest = [done, total];
    if (this.#timer === null) this.#send();
  }

  /** Reports the remaining progress. Nothing may be added later. */
  end(): void {
    if (this.#latest) this.#send();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(): void {
    const latest = this.#latest;
    this.#latest = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#latest) this.#send();
    }, REPORT_EVERY);
    if (latest) this.#report(...latest);
  }
}
