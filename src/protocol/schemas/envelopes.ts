/**
 * Sending sealed envelopes.
 */
import { z } from 'zod';
import { MAX_ENVELOPE_OVERHEAD, NONCE_BYTES } from '../envelope-form.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { Bytes, BytesUpTo, Key, OpaqueId, WireAddress, WireTime } from '../primitives.ts';

/** The opaque fields of one sealed copy. */
export const sealedFields = {
  ciphertext: BytesUpTo(DEFAULT_LIMITS.payloadBytes + MAX_ENVELOPE_OVERHEAD).describe(
    'Header (12 bytes), in suite 2 ML-KEM’s ciphertext (1,088), sealed payload, tag (16), in base64url without padding.',
  ),
  ephemeralPublicKey: Key.describe('The sender’s X25519 key, fresh for this copy: HPKE’s `enc`.'),
  nonce: Bytes(NONCE_BYTES).describe('The AES-256-GCM nonce: 12 random bytes in base64url.'),
};

export const Envelope = z
  .strictObject({
    toAddress: WireAddress.describe('The recipient.'),
    recipientDeviceKey: Key.optional().describe(
      'The seal key of the receiving device. Without it every device of the address receives the copy.',
    ),
    ...sealedFields,
    asRequest: z
      .boolean()
      .optional()
      .describe(
        'First contact: the recipient receives a message request. Must equal the flag in the header of the ciphertext.',
      ),
  })
  .meta({ id: 'Envelope', description: 'One sealed copy.' });
export type Envelope = z.infer<typeof Envelope>;

export const EnvelopeBatch = z
  .strictObject({
    envelopes: z.array(Envelope).min(1).max(DEFAULT_LIMITS.batchEnvelopes),
  })
  .meta({ id: 'EnvelopeBatch' });
/** One envelope or a batch. */
export const SendRequest = z.union([Envelope, EnvelopeBatch]);

export const Accepted = z
  .object({
    id: OpaqueId.describe(
      'A hash of the envelope. An envelope that is sent again has the same id and is delivered once.',
    ),
    acceptedAt: WireTime,
  })
  .meta({ id: 'Accepted' });
export type Accepted = z.infer<typeof Accepted>;

export const SendResult = z
  .union([
    z.object({ status: z.enum(['accepted', 'duplicate']), id: OpaqueId }),
    z.object({
      status: z.literal('rejected'),
      error: z.object({ code: z.string(), reason: z.string().optional(), detail: z.string() }),
    }),
  ])
  .meta({ id: 'SendResult', description: 'The result for one envelope.' });
export type SendResult = z.infer<typeof SendResult>;

export const SendResults = z
  .object({ results: z.array(SendResult).describe('In the order of the request.') })
  .meta({ id: 'SendResults' });
export type SendResults = z.infer<typeof SendResults>;

export const SendResponse = z.union([Accepted, SendResults]);
