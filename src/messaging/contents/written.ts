/** Display time of writing. It affects neither order nor verdicts. */
import { WireTime } from '../../protocol/primitives.ts';

/**
 * The time of writing according to the sender, if it was sealed later; else the time of sealing. A later one
 * is ignored.
 */
export function writtenAtOf(body: { sentAt: string; writtenAt?: unknown }): string {
  const written = WireTime.safeParse(body.writtenAt);
  return written.success && written.data <= body.sentAt ? written.data : body.sentAt;
}
