/** Checks a part on its way to storage: its length, its hash, and that it is not text. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { ProblemError } from '../problems/problem-error.ts';

export interface ExpectedPart {
  /** In bytes. */
  length: number;
  /** SHA-256. */
  digest: Uint8Array;
  /** True for the first part, which must not be text. The others are not checked for text. */
  isFirst: boolean;
}

/**
 * Passes a part on as it arrives. Throws before the end if the part differs from the announced one. The caller
 * stays connected, so that it gets the answer.
 * @param signal ends it
 * @throws ProblemError too_large, invalid_request, plaintext_rejected, request_timeout
 */
export async function* checkPart(
  octets: Readable,
  expected: ExpectedPart,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  const text = expected.isFirst ? new TextWatch() : null;
  let length = 0;
  for await (const chunk of bytesOf(octets, signal)) {
    length += chunk.length;
    if (length > expected.length) {
      throw new ProblemError('too_large', 'blob_part', { bytes: expected.length });
    }
    hash.update(chunk);
    text?.look(chunk);
    yield chunk;
  }
  if (length !== expected.length) {
    throw new ProblemError('invalid_request', 'part_length', { bytes: expected.length });
  }
  if (!hash.digest().equals(expected.digest)) throw new ProblemError('invalid_request', 'part_digest');
  if (text?.isText) throw new ProblemError('plaintext_rejected', 'blob');
}

/** @throws ProblemError invalid_request if the caller disconnects, request_timeout if the signal fires */
async function* bytesOf(octets: Readable, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  // A reader that stops early keeps the connection open.
  const iterator = octets.iterator({ destroyOnReturn: false });
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new ProblemError('request_timeout', 'request_timeout'));
  late.catch(() => undefined);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const next = iterator.next().catch(() => {
        throw new ProblemError('invalid_request', 'body_length');
      });
      const { done, value } = await Promise.race([next, late]);
      if (done) return;
      yield value as Buffer;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Not awaited: it follows the read awaited just now.
    iterator.return?.().catch(() => undefined);
  }
}

/**
 * True if the bytes so far may be text in UTF-8. The last character may be incomplete: the rest may follow, or may
 * be cut off.
 */
class TextWatch {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  isText = true;

  look(chunk: Buffer): void {
    if (!this.isText) return;
    try {
      this.#decoder.decode(chunk, { stream: true });
    } catch {
      this.isText = false;
    }
  }
}
