/**
 * The most writes in the next flush. After a pause it is all that wait. Otherwise it is half of those that wait or were just answered:
 * their senders write again while the other half is committed, so that answering and committing overlap. Flushes of all that waits
 * would be large and small in turn, such as 28 and 4 with 32 connections.
 * @param waiting number of waiting writes
 * @param answered number of writes in the flush that has just ended; 0 after a pause
 */
export function mostInFlush(waiting: number, answered: number): number {
  return answered === 0 ? waiting : Math.ceil((waiting + answered) / 2);
}
