/**
 * The pause between two refreshments of one thing, in milliseconds. It doubles while changes follow each other quickly, as during a
 * backlog: each refreshment fetches and draws what nobody can read in that time.
 */
export const leastPause = 100;
const longestPause = 400;

/** The pause after the next refreshment, if there was a change during this one. */
export const nextPause = (pause: number): number => Math.min(2 * pause, longestPause);
