/** The file thread of an engine on a day 31 days later. */
const AHEAD = 31 * 24 * 3_600_000;
const now = Date.now.bind(Date);
Date.now = () => now() + AHEAD;
await import('../../src/engine/files/worker.ts');

export {};
