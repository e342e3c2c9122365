/**
 * What several commands read from their arguments.
 */
import { InvalidArgumentError } from 'commander';
import { normaliseRelayUrl, RelayUrlError } from '../client/check.ts';

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

/**
 * The base URL of a relay that this computer is to talk to.
 * @throws InvalidArgumentError
 */
export function parseRelay(text: string): string {
  try {
    return normaliseRelayUrl(text);
  } catch (error) {
    throw error instanceof RelayUrlError ? new InvalidArgumentError(error.message) : error;
  }
}

/**
 * The URL under which clients know a relay: http or https, a host, perhaps a port.
 * @throws InvalidArgumentError
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw new InvalidArgumentError('It has to look like https://relay.example, with nothing after the host.');
  return url.origin;
}

/** Resolves when the process is asked to stop: Ctrl+C, or a supervisor's SIGTERM. */
export function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  return promise;
}
