/** Posts the messages of one turn as one list: a page of received messages has hundreds of events, and each post wakes the other thread. */

export interface Posting {
  /** Adds a message to the list of this turn. Rejects if the list cannot be posted. */
  add(message: unknown): Promise<void>;
  /** Posts the list now. Call this at the end of a thread: after a fault no turn ends. */
  flush(): void;
}

/** @param post posts a list */
export function postTogether(post: (messages: readonly unknown[]) => void): Posting {
  let waiting: unknown[] = [];
  let posted = Promise.resolve();
  const flush = () => {
    if (waiting.length === 0) return;
    const messages = waiting;
    waiting = [];
    post(messages);
  };
  return {
    add(message) {
      waiting.push(message);
      if (waiting.length === 1) posted = Promise.resolve().then(flush);
      return posted;
    },
    flush,
  };
}
