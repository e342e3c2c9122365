/**
 * Collects the messages of one turn and posts them as one list: a page of received messages has hundreds of events, and each post
 * wakes the other thread.
 * @param post posts a list
 * @returns the function that adds a message
 */
export function postTogether(post: (messages: readonly unknown[]) => void): (message: unknown) => void {
  let waiting: unknown[] = [];
  return (message) => {
    waiting.push(message);
    if (waiting.length > 1) return;
    queueMicrotask(() => {
      const messages = waiting;
      waiting = [];
      post(messages);
    });
  };
}
