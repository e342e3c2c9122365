/** Handles in the form of the API. */
import { encodeTime } from '../../../protocol/encoding.ts';
import type { HandleRecord } from '../../../protocol/schemas/directory.ts';
import type { HandleEntry } from '../records.ts';

/** A handle in the form of the API. */
export function describeHandle(entry: HandleEntry): HandleRecord {
  return { ...entry, createdAt: encodeTime(entry.createdAt) };
}
