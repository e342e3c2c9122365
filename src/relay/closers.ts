/**
 * What was opened and has to be closed, the newest first. Node 22 has no AsyncDisposableStack of its own.
 */

export class Closers implements AsyncDisposable {
  #closers: (() => unknown)[] = [];

  /** Remembers what closes the thing that was just opened. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Takes everything out, into a new set: what is closed here afterwards is nothing. */
  move(): Closers {
    const moved = new Closers();
    moved.#closers = this.#closers;
    this.#closers = [];
    return moved;
  }

  /**
   * Closes everything once, also when one of them fails.
   * @throws the failure, or an AggregateError of several
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 1) throw new AggregateError(failures, 'several things could not be closed');
    if (failures.length === 1) throw failures[0];
  }
}
