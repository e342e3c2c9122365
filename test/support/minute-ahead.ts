/**
 * Preloaded by an engine's process: its clock is a minute ahead.
 */
const now = Date.now.bind(Date);
Date.now = () => now() + 60_000;
