/**
 * Handles as the API tells them.
 */
import { encodeTime } from '../../../protocol/encoding.ts';
import type { HandleRecord } from '../../../protocol/schemas/directory.ts';
import type { HandleEntry } from '../records.ts';

/** A handle as the API tells it. */
export function describeHandle(entry: HandleEntry): HandleRecord {
  return { ...entry, createdAt: encodeTime(entry.createdAt) };
}
