/**
 * Open resources, closed in reverse order: an AsyncDisposableStack, which Node 22 lacks.
 */

export class ResourceStack implements AsyncDisposable {
  #closers: (() => unknown)[] = [];

  /** Adds the function that closes a resource. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Moves all resources to a new stack. This one is empty afterwards. */
  move(): ResourceStack {
    const moved = new ResourceStack();
    moved.#closers = this.#closers;
    this.#closers = [];
    return moved;
  }

  /**
   * Closes every resource once, also after a failure.
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
    if (failures.length > 1) throw new AggregateError(failures, 'several resources could not be closed');
    if (failures.length === 1) throw failures[0];
  }
}
