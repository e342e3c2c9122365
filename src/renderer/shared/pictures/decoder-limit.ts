/** Limits of decoders of the browser: a broken file may keep one busy for ever. */

/** Longest time of a decoder, in milliseconds. */
const LONGEST = 30_000;

/** The result of some work, or null if the signal is aborted before. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs a decoder within the longest time.
 * @param work ends when its signal is aborted: after that time, or by the given signal
 */
export async function withinLimit<T>(
  work: (end: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LONGEST);
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
