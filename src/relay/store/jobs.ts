/** Jobs that run on one relay at a time, among relays that share a database. */

export interface Jobs {
  /**
   * Runs the job, unless another relay is running it.
   * @param work gets a signal that fires when another relay may take over; its later effects must still be correct
   * @returns true if it ran here
   */
  tryRun(work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
}

/** For a relay that shares its database with no other. */
export const OWN_JOBS: Jobs = {
  async tryRun(work) {
    await work(new AbortController().signal);
    return true;
  },
};
