/** Approximate memory of writes that wait. */
import type { EnvelopesToAccept } from './records.ts';
import type { VerifiedEntry } from './roster-records.ts';

/** Envelope fields besides the ciphertext. */
const ENVELOPE_OVERHEAD = 512;

/** A step also has its changes: as much again for each item that an entry names. */
export function entriesBytes(entries: readonly VerifiedEntry[]): number {
  return entries.reduce((bytes, { entry }) => bytes + ENVELOPE_OVERHEAD + 4 * entry.body.length, 0);
}

export function bytesOf({ envelopes }: Pick<EnvelopesToAccept, 'envelopes'>): number {
  let bytes = 0;
  for (const envelope of envelopes) bytes += envelope.ciphertext.length + ENVELOPE_OVERHEAD;
  return bytes;
}
