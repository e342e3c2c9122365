/**
 * `receipt`: what has come of an author's devices, what was read, and what is missing. Numbers are those that the author's
 * devices count up (`seq`).
 */
import { z } from 'zod';
import { Bytes } from '../../../protocol/primitives.ts';
import { GroupId } from '../fields.ts';
import { controlKind } from '../kind.ts';

const MOST_DEVICES = 20;
const MOST_NUMBERS = 20;

const DeviceId = Bytes(16);
const Seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const isShort = (devices: object) => Object.keys(devices).length <= MOST_DEVICES;
const UpTo = z.record(DeviceId, Seq).refine(isShort);
const Numbers = z.record(DeviceId, z.array(Seq).min(1).max(MOST_NUMBERS)).refine(isShort);

/** Of all messages of a device up to a number, as far as they were sealed for who says so, except those in `missing`. */
export const ReceiptContent = z.looseObject({
  kind: z.literal('receipt'),
  /** The group that it is about; else the conversation that it came in. */
  group: GroupId.optional(),
  delivered: UpTo.optional(),
  read: UpTo.optional(),
  /** Please send again. */
  missing: Numbers.optional(),
  /** The answer: there is nothing under these numbers of the sender's own devices. */
  skipped: Numbers.optional(),
});
export type ReceiptContent = z.infer<typeof ReceiptContent>;

/** It changes no message. What is missing and skipped counts where gaps are followed (src/messaging/gaps). */
export const receipt = controlKind({ name: 'receipt', channels: ['direct'], schema: ReceiptContent });

/** What a receipt says of a message: that it was read, or delivered, or nothing. Neither is taken back by a later receipt. */
export function saidOf(
  { delivered, read, missing }: ReceiptContent,
  deviceId: string,
  seq: number,
): 'read' | 'delivered' | null {
  if (seq === 0 || missing?.[deviceId]?.includes(seq)) return null;
  if (seq <= (read?.[deviceId] ?? 0)) return 'read';
  return seq <= (delivered?.[deviceId] ?? 0) ? 'delivered' : null;
}
