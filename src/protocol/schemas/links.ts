/**
 * Links: what one computer of a person leaves at the relay for another, under a one-time code.
 */
import { z } from 'zod';
import { MAX_LINK_BYTES } from '../link.ts';
import { Bytes, BytesUpTo, WireTime } from '../primitives.ts';

const sealed = BytesUpTo(MAX_LINK_BYTES).describe(
  `Sealed under a key that the relay never sees; at most ${MAX_LINK_BYTES} bytes in base64url.`,
);

const id = Bytes(16).describe('Derived from the code: 16 bytes in base64url.');

export const LinkParams = z.strictObject({ id });

export const LinkRequest = z.strictObject({ sealed }).meta({ id: 'LinkRequest' });

export const PendingLink = z
  .object({ id, expiresAt: WireTime.describe('Until when it may be taken.') })
  .meta({ id: 'PendingLink' });

export const Link = z.object({ id, sealed }).meta({ id: 'Link' });
