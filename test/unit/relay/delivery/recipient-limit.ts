/** Shared by the quick and the slow tests of recipient-limit. */
import type { RecipientLimit } from '../../../../src/relay/delivery/recipient-limit.ts';

export const RATE = { burst: 1_000, perSecond: 10 };

export const SHARES = { sender: 1 / 4, network: 1 / 2 };

/** Number of envelopes that one sender can send to Ann in a row. */
export function send(limit: RecipientLimit, from: string, network: string | null = null): number {
  let sent = 0;
  while (limit.tryConsume('ann', { from, network }) === 0) sent++;
  return sent;
}
