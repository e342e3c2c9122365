/**
 * Sends sealed copies in as few calls as a relay's limits allow, by number and by bytes. If a relay still
 * finds a call too large, half of it is sent, and no larger call after it.
 */
import type { Limits } from '../../protocol/limits.ts';
import type { Envelope } from '../../protocol/schemas/envelopes.ts';
import { RelayRefusal } from '../relay.ts';

/** Upper limit for the fields of an envelope beside the ciphertext, with their names. */
const ENVELOPE_OVERHEAD = 400;

export interface ChunkLimits {
  /** Copies per call. */
  count: number;
  /** Bytes of the request body. */
  bytes: number;
}

/** Limits of one `POST /envelopes`. */
export function batchLimits({ batchEnvelopes, bodyBytes }: Limits): ChunkLimits {
  return { count: batchEnvelopes, bytes: bodyBytes };
}

/** Limits of one `POST /groups/:id/envelopes`. */
export function postLimits({ groupEnvelopes, bodyBytes }: Limits): ChunkLimits {
  return { count: groupEnvelopes, bytes: bodyBytes };
}

/**
 * Sends copies in order, split into calls. A single copy is sent regardless of its size: the relay decides.
 * @param send sends some of them in one call; called again with fewer copies after a 413
 * @throws the errors of `send`
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
