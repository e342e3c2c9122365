/** Calls of another thread, which works on them in their order: the caller prepares the next ones meanwhile. */
export class Calls {
  readonly #limit: number;
  /** Oldest first. */
  readonly #pending: { call: Promise<void>; size: number }[] = [];
  #size = 0;

  /** @param limit of the sizes of all pending calls; a single call may be larger */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for older calls until there is room, and begins one. @throws the failure of an older call */
  async begin(work: () => Promise<void>, size = 1): Promise<void> {
    for (
      let oldest = this.#pending[0];
      oldest && this.#size + size > this.#limit;
      oldest = this.#pending[0]
    ) {
      await oldest.call;
      this.#pending.shift();
      this.#size -= oldest.size;
    }
    const call = work();
    // A later `begin` or `end` throws its failure.
    call.catch(() => undefined);
    this.#pending.push({ call, size });
    this.#size += size;
  }

  /** Waits for the ends of all calls, also after a failure. @throws the failure of the oldest one that failed */
  async end(): Promise<void> {
    const ends = await Promise.allSettled(this.#pending.map(({ call }) => call));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
