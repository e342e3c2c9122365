/** `head` of a body: the relay's signature about its log of device lists (docs/protocol.md, 'The log'). */
import { z } from 'zod';
import { Bytes } from './primitives.ts';

export const LogHead = z.strictObject({
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  root: Bytes(32),
  signature: Bytes(64),
});
export type LogHead = z.infer<typeof LogHead>;
