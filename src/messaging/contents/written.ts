/**
 * When a message was written, for people to see. Nothing is ordered or judged by it.
 */
import { WireTime } from '../../protocol/primitives.ts';

/**
 * The time that the sender names as that of writing, where it was sealed later; else that of sealing. A later one is
 * ignored.
 */
export function writtenAtOf(body: { sentAt: string; writtenAt?: unknown }): string {
  const written = WireTime.safeParse(body.writtenAt);
  return written.success && written.data <= body.sentAt ? written.data : body.sentAt;
}
