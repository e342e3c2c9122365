/**
 * The log of device lists: proofs and entries (docs/protocol.md, 'The log'). The checkpoint itself is text.
 */
import { z } from 'zod';
import { LAST_SEQUENCE } from '../../../../src/protocol/limits.ts';
import { Bytes, QueryInteger, WireAddress } from '../../../../src/protocol/primitives.ts';
import { LOG_ENTRY_BYTES } from './entry.ts';
import { MAX_PROOF_HASHES } from './tree.ts';

/** Entries in one answer. */
export const LOG_PAGE = 1_000;
const MAX_SIZE = 9_999_999_999;

const proof = z
  .array(Bytes(32))
  .max(MAX_PROOF_HASHES)
  .describe('Hashes of the tree, as RFC 9162 has them, from the leaf upwards.');
const size = z.number().int().min(0).max(MAX_SIZE);

export const LogProofQuery = z.strictObject({
  address: WireAddress,
  sequence: QueryInteger(1, LAST_SEQUENCE).describe('Number of the device list.'),
  size: QueryInteger(1, MAX_SIZE).describe('Size of the tree that it is to be proven in.'),
});

export const LogProof = z
  .object({ index: size.describe('Which entry of the log it is, from 0.'), proof })
  .meta({ id: 'LogProof', description: 'That a device list is in the log.' });
export type LogProof = z.infer<typeof LogProof>;

export const LogConsistencyQuery = z.strictObject({
  from: QueryInteger(0, MAX_SIZE).describe('Size of the smaller tree.'),
  to: QueryInteger(0, MAX_SIZE).describe('Size of the larger tree.'),
});

export const LogConsistency = z
  .object({ proof })
  .meta({ id: 'LogConsistency', description: 'That one tree goes on from another.' });
export type LogConsistency = z.infer<typeof LogConsistency>;

export const LogEntriesQuery = z.strictObject({
  after: QueryInteger(0, MAX_SIZE).optional().describe('How many entries to pass over. None unless said.'),
});

export const LogEntries = z
  .object({
    entries: z.array(Bytes(LOG_ENTRY_BYTES)).max(LOG_PAGE).describe('In the order of the log.'),
    more: z.boolean().describe('Whether there are more after these.'),
  })
  .meta({ id: 'LogEntries' });
export type LogEntries = z.infer<typeof LogEntries>;
