/**
 * Values that shapes of several areas contain. Addresses are EIP-55 text, times are milliseconds since 1970 (UTC), ids are
 * opaque strings.
 */

import { z } from 'zod';
import { timerBounds } from '../setting-bounds.ts';

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
export const Time = z.number().int().nonnegative();
export const Id = z.string().min(1).max(128);

/** Lifetime of messages in seconds; 0 for never. Others may choose any value within these bounds. */
export const Seconds = z.union([z.literal(0), z.number().int().min(timerBounds.least).max(timerBounds.most)]);

/** Until a time, or forever. */
export const Muted = z.union([Time, z.literal('always')]);
export type Muted = z.infer<typeof Muted>;
