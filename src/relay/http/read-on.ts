/**
 * Reads the rest of a refused body. Otherwise a client that still sends would see a broken connection instead of
 * the answer.
 */
import type { IncomingMessage } from 'node:http';

/** Limits for reading a refused body: more than any call needs, in bytes and in milliseconds. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TIME = 10_000;

/** Discards the rest of a body, and ends the connection if the rest is too long. */
export function readOn(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = MAX_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_TIME);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
}
