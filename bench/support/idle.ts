/** Waits until the process is idle, so that earlier work does not count as time of the next operations. */
import { setTimeout as delay } from 'node:timers/promises';

/** A process counts as idle if it used at most so many microseconds of the processors in {@link IDLE_MS} milliseconds. */
const IDLE = 500;
const IDLE_MS = 10;
/** Two seconds: a sweep of the memory takes a small part of it. */
const MAX_ATTEMPTS = 200;

/** Microseconds of processor time of this process, all threads, as OpenSSL counts its own. Other programs delay it, and do not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Waits until the threads of V8 have swept the memory of the last collection.
 * @param time processor time in microseconds
 * @param wait waits for a number of milliseconds
 * @returns false if the process is still busy after {@link MAX_ATTEMPTS} attempts
 */
export async function untilIdle(
  time: () => number = processorTime,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<boolean> {
  let last = time();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await wait(IDLE_MS);
    const now = time();
    if (now - last <= IDLE) return true;
    last = now;
  }
  return false;
}
