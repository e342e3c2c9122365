/**
 * Reads on what follows a refusal. A client that still sends would otherwise see its connection break, and not the answer.
 */
import type { IncomingMessage } from 'node:http';

/** So much is read of what nobody wants: more than any call takes, in bytes and in milliseconds. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_TIME = 10_000;

/** Throws away the rest of a body, and ends the connection if that is too long. */
export function readOn(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = MOST_BYTES;
  const timer = setTimeout(() => request.destroy(), MOST_TIME);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
}
