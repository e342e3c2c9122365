/** The last refused envelopes of an identity. Only facts: sealed contents would let a stranger fill the disk. */
import { z } from 'zod';
import type { RefusedData } from '../../../base/refused-sentences.ts';
import { OpaqueId, WireAddress } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

const MAX_REFUSED = 100;

/** Written by this program: the compiler checks each code and its parameters. */
const Why = z.strictObject({
  code: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
}) as unknown as z.ZodType<RefusedData, RefusedData>;

/** The refused envelope. */
const RefusedEnvelope = z.object({ id: OpaqueId, from: WireAddress });
export type RefusedEnvelope = z.infer<typeof RefusedEnvelope>;

/** A refused envelope with the reason. `at` is in milliseconds since 1970. */
const RefusedRecord = z.strictObject({ refused: RefusedEnvelope, why: Why, at: z.number() });
export type RefusedRecord = z.infer<typeof RefusedRecord>;

export class RefusedEnvelopes implements Table<RefusedRecord> {
  readonly schema = RefusedRecord;
  #records: RefusedRecord[] = [];

  apply(record: RefusedRecord): void {
    this.#records = [...this.#records, record].slice(-MAX_REFUSED);
  }

  entries(): RefusedRecord[] {
    return this.#records;
  }
}
