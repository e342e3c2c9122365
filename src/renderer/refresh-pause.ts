/**
 * The pause between two refreshes of the same data, in milliseconds. It doubles while changes follow each other quickly, as during a
 * backlog: each refresh fetches and draws content that no one can read so quickly.
 */
export const leastPause = 100;
const longestPause = 400;

/** The pause after the next refreshment, if there was a change during this one. */
export const nextPause = (pause: number): number => Math.min(2 * pause, longestPause);
