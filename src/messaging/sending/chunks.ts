/**
 * Sealed copies in as few calls as a relay's limits allow: by number and by bytes. Where a relay
 * finds a call too large all the same, its half is sent, and no larger one after it.
 */
import type { Limits } from '../../protocol/limits.ts';
import type { Envelope } from '../../protocol/schemas/envelopes.ts';
import { RelayRefusal } from '../relay.ts';

/** Beside the ciphertext, an envelope has fields of fixed length; this is more than they and their names take. */
const ENVELOPE_OVERHEAD = 400;

export interface ChunkLimits {
  /** Copies in one call. */
  count: number;
  /** Bytes of its body. */
  bytes: number;
}

/** What one `POST /envelopes` takes. */
export function batchLimits({ batchEnvelopes, bodyBytes }: Limits): ChunkLimits {
  return { count: batchEnvelopes, bytes: bodyBytes };
}

/** What one `POST /groups/:id/envelopes` takes. */
export function postLimits({ groupEnvelopes, bodyBytes }: Limits): ChunkLimits {
  return { count: groupEnvelopes, bytes: bodyBytes };
}

/**
 * Sends copies, in order, each in one call. A copy alone is sent however large it is: the relay decides.
 * @param send sends some of them in one call; is called with the same copies again, and fewer, if it fails with 413
 * @throws what `send` throws
 */
export async function sendInChunks<T extends Pick<Envelope, 'ciphertext'>>(
  copies: readonly T[],
  limits: ChunkLimits,
  send: (chunk: T[]) => Promise<void>,
): Promise<void> {
  let { count } = limits;
  for (let start = 0; start < copies.length; ) {
    const chunk = chunkAt(copies, start, { ...limits, count });
    try {
      await send(chunk);
      start += chunk.length;
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.status !== 413 || chunk.length === 1) throw error;
      count = Math.ceil(chunk.length / 2);
    }
  }
}

function chunkAt<T extends Pick<Envelope, 'ciphertext'>>(
  copies: readonly T[],
  start: number,
  { count, bytes }: ChunkLimits,
): T[] {
  const chunk: T[] = [];
  let size = ENVELOPE_OVERHEAD;
  for (const copy of copies.slice(start, start + count)) {
    size += copy.ciphertext.length + ENVELOPE_OVERHEAD;
    if (chunk.length > 0 && size > bytes) break;
    chunk.push(copy);
  }
  return chunk;
}
