/** Blobs: sealed files stored at the relay (docs/protocol.md, 'Attachments'). */
import { z } from 'zod';
import { readContentDigest } from '../blob/digest.ts';
import { isBlobLength, MAX_BLOB_BYTES, PART_BYTES, partsOf } from '../blob/layout.ts';
import { FIELD_FAULTS } from '../faults.ts';
import { Bytes, WireTime } from '../primitives.ts';

const MAX_PARTS = partsOf(MAX_BLOB_BYTES).length;

const id = Bytes(16).describe('Derived from the key of the file: 16 bytes in base64url.');
const size = z.number().int().min(1).max(MAX_BLOB_BYTES);
const expiresAt = WireTime.describe('The end of its storage at the relay.');

export const BlobParams = z.strictObject({ id });
export const BlobPartParams = z.strictObject({
  id,
  part: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,2})$/, FIELD_FAULTS.blob_part())
    .describe('Number of the part, from 0.'),
});

export const BlobPartHeaders = z.object({
  'content-digest': z
    .string({ error: FIELD_FAULTS.content_digest() })
    .refine((header) => readContentDigest(header) !== null, FIELD_FAULTS.content_digest())
    .describe('SHA-256 of the part: `sha-256=:base64:` (RFC 9530).'),
});

export const BlobReadHeaders = z.object({
  range: z
    .string()
    .optional()
    .describe(
      'One range of bytes, such as `bytes=0-65551` (RFC 9110). Several ranges and other units are ignored.',
    ),
});

export const BlobRequest = z
  .strictObject({
    size: size
      .refine(isBlobLength, FIELD_FAULTS.blob_length())
      .describe('Length of the blob in bytes, tags and padding included.'),
  })
  .meta({ id: 'BlobRequest' });

export const BlobUpload = z
  .object({
    partBytes: z.literal(PART_BYTES).describe('Length of each part except the last, in bytes.'),
    parts: z
      .array(
        z
          .number()
          .int()
          .min(0)
          .max(MAX_PARTS - 1),
      )
      .max(MAX_PARTS)
      .describe('Numbers of the parts that the relay has, ascending.'),
    expiresAt,
  })
  .meta({ id: 'BlobUpload', description: 'A blob that is being uploaded.' });
export type BlobUpload = z.infer<typeof BlobUpload>;

export const StoredBlob = z.object({ size, expiresAt }).meta({ id: 'StoredBlob' });
export type StoredBlob = z.infer<typeof StoredBlob>;
