/**
 * What several commands read from their arguments.
 */
import { InvalidArgumentError } from 'commander';

/**
 * A port from an argument: 0 to 65535, 0 for any free one.
 * @throws InvalidArgumentError
 */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

/** Resolves when the process is asked to stop: Ctrl+C, or a supervisor's SIGTERM. */
export function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  return promise;
}
