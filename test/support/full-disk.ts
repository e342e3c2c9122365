/** Fills the disks of file threads (test/support/full-disk-thread.ts), or makes room. */
import { BroadcastChannel } from 'node:worker_threads';

/** @param threads number of threads that answer */
export async function setFull(isFull: boolean, threads: number): Promise<void> {
  const channel = new BroadcastChannel('full disk');
  const done = Promise.withResolvers<void>();
  let answers = 0;
  channel.onmessage = () => {
    answers += 1;
    if (answers === threads) done.resolve();
  };
  channel.postMessage(isFull);
  await done.promise;
  channel.close();
}
