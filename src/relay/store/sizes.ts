/**
 * About how much memory what waits to be written takes, in bytes.
 */
import type { EnvelopesToAccept } from './records.ts';
import type { JudgedEntry } from './roster-records.ts';

/** Envelope fields besides the ciphertext. */
const ENVELOPE_OVERHEAD = 512;

/** A step brings what it changes, too: as much again for each thing that an entry names. */
export function entriesBytes(entries: readonly JudgedEntry[]): number {
  return entries.reduce((bytes, { entry }) => bytes + ENVELOPE_OVERHEAD + 4 * entry.body.length, 0);
}

export function bytesOf({ envelopes }: EnvelopesToAccept): number {
  let bytes = 0;
  for (const envelope of envelopes) bytes += envelope.ciphertext.length + ENVELOPE_OVERHEAD;
  return bytes;
}
