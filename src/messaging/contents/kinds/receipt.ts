/**
 * `receipt`: the delivered, read and missing messages of an author's devices, by number. Each device counts
 * its messages (`seq`).
 */
import { z } from 'zod';
import { Bytes } from '../../../protocol/primitives.ts';
import { GroupId } from '../fields.ts';
import { controlKind } from '../kind.ts';

const MAX_DEVICES = 20;
const MAX_NUMBERS = 20;

const DeviceId = Bytes(16);
const Seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/**
 * Values by devices. They are counted before they are parsed: a body has room for thousands, and each key that is no device costs an
 * error, 10 ms in all.
 */
const byDevice = <Value extends z.ZodType>(value: Value) =>
  z
    .unknown()
    .refine((devices) => Object.keys(devices ?? {}).length <= MAX_DEVICES)
    .pipe(z.record(DeviceId, value));
const ByDevice = byDevice(Seq);
const Numbers = byDevice(z.array(Seq).min(1).max(MAX_NUMBERS));

/**
 * All messages of a device from one number up to another, as far as they were sealed for the sender of the
 * receipt, except those in `missing`.
 */
export const ReceiptContent = z.looseObject({
  kind: z.literal('receipt'),
  /** The group of the messages; by default the conversation of the receipt. */
  group: GroupId.optional(),
  delivered: ByDevice.optional(),
  read: ByDevice.optional(),
  /** The first covered number; by default 1. Earlier ones may have been dropped, such as those before the end of a block. */
  from: ByDevice.optional(),
  /** Numbers to send again. */
  missing: Numbers.optional(),
  /** The answer: no message exists under these numbers of the sender's own devices. */
  skipped: Numbers.optional(),
});
export type ReceiptContent = z.infer<typeof ReceiptContent>;

/** Changes no message. `missing` and `skipped` are processed with gaps (src/messaging/gaps). */
export const receipt = controlKind({ name: 'receipt', channels: ['direct'], schema: ReceiptContent });
