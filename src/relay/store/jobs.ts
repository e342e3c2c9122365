/**
 * Work that relays which share a database do one at a time, whichever of them does it.
 */

export interface Jobs {
  /**
   * Does the work, unless another relay is at it.
   * @param work is told by the signal when another relay may take over: what it does then has to be right all the same
   * @returns whether it was done here
   */
  tryRun(work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
}

/** Of a relay that shares its database with none. */
export const OWN_JOBS: Jobs = {
  async tryRun(work) {
    await work(new AbortController().signal);
    return true;
  },
};
