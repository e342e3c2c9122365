/**
 * The form of a part of a history for a linked computer (docs/protocol.md, 'History for a linked computer'): a line of JSON
 * about the part, then records as lines. A piece of a file is a line about it, followed by its bytes.
 */
import { z } from 'zod';
import { MAX_FILE_BYTES } from '../../protocol/blob/layout.ts';
import { Bytes, WireAddress } from '../../protocol/primitives.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Parts that are made before the recipient has the first of them. */
export const WINDOW = 3;
/** Contents of the first part with messages: the newest ones are there soon. */
export const FIRST_BYTES = MEBIBYTE;
/** Contents of other parts with messages. */
export const RECORD_BYTES = 8 * MEBIBYTE;
/** Contents of a part with files. */
export const FILE_BYTES = 32 * MEBIBYTE;
/** The least room of a part. A relay with less gets no history: each part would have almost nothing. */
export const LEAST_BYTES = 64 * KIBIBYTE;
/** The largest part that a recipient accepts. */
export const MAX_PART_BYTES = 64 * MEBIBYTE;
/** A record, or a line about something else. */
export const MAX_LINE_BYTES = 16 * MEBIBYTE;

/** Time without any request of the recipient after which the sender gives up, in milliseconds; the same for the recipient. */
export const LIFE = 30 * 24 * 3_600_000;
/**
 * Time without a request of its own after which a recipient begins again, in milliseconds: it was off. The sender may be
 * about to give up, and a day allows for the difference of two clocks.
 */
export const MAX_ABSENCE = LIFE - 24 * 3_600_000;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** First line of a part. */
export const PartLine = z.strictObject({
  type: z.literal('part'),
  /** Version of its records: src/archive/history-records.ts. */
  version: z.number().int().min(1),
  snapshot: Bytes(16),
  part: z.number().int().min(1),
  /** The account. */
  address: WireAddress,
  /** Greatest `arrival` of the messages in all parts. */
  lastArrival: z
    .number()
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50),
});

/** Before the bytes of a piece of a file. */
export const PieceLine = z.strictObject({
  type: z.literal('piece'),
  key: Bytes(32),
  digest: Bytes(32),
  /** Of the file, in bytes. */
  size: z.number().int().min(0).max(MAX_FILE_BYTES),
  /** Place of the piece in the blob of the file. */
  offset: Count,
  bytes: z.number().int().min(1).max(MAX_PART_BYTES),
});
export type PieceLine = z.infer<typeof PieceLine>;

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
