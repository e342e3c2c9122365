/**
 * Sending sealed envelopes.
 */
import { z } from 'zod';
import { HEADER_BYTES, NONCE_BYTES, TAG_BYTES } from '../envelope.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { Bytes, BytesUpTo, Key, OpaqueId, WireAddress, WireTime } from './primitives.ts';

/** The opaque fields of one sealed copy. */
export const sealedFields = {
  ciphertext: BytesUpTo(HEADER_BYTES + DEFAULT_LIMITS.payloadBytes + TAG_BYTES),
  ephemeralPublicKey: Key,
  nonce: Bytes(NONCE_BYTES),
};

export const Envelope = z.strictObject({
  toAddress: WireAddress,
  /** The seal key of the device that the copy is for. Without it every device of the address gets it. */
  recipientDeviceKey: Key.optional(),
  ...sealedFields,
  /** First contact. The same as in the header of the ciphertext. */
  asRequest: z.boolean().optional(),
});
export type Envelope = z.infer<typeof Envelope>;

export const EnvelopeBatch = z.strictObject({
  envelopes: z.array(Envelope).min(1).max(DEFAULT_LIMITS.batchEnvelopes),
});
/** One envelope or a batch. */
export const SendRequest = z.union([Envelope, EnvelopeBatch]);

/** 201 the first time; 200 with the same values when it is sent again. */
export const Accepted = z.object({ id: OpaqueId, acceptedAt: WireTime });
export type Accepted = z.infer<typeof Accepted>;

/** What became of one envelope of a batch. */
export const SendResult = z.union([
  z.object({ status: z.enum(['accepted', 'duplicate']), id: OpaqueId }),
  z.object({
    status: z.literal('rejected'),
    error: z.object({ code: z.string(), detail: z.string() }),
  }),
]);
export type SendResult = z.infer<typeof SendResult>;

/** In the order of the request. */
export const SendResults = z.object({ results: z.array(SendResult) });
export type SendResults = z.infer<typeof SendResults>;

export const SendResponse = z.union([Accepted, SendResults]);
