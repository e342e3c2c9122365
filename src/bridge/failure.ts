/**
 * How a call fails across the bridge: as data, never as a stack.
 */
import { z } from 'zod';
import type { FailureData } from '../base/failure.ts';

/** Both sides are of one build: the form is checked here, and each code and its parameters by the compiler. */
export const FailureShape = z.strictObject({
  code: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
}) as unknown as z.ZodType<FailureData, FailureData>;

/** Every answer on the wire: carriers lose Error subclasses, so failure is data until the last step. */
export type Answer<T> = { ok: true; value: T } | { ok: false; failure: FailureData };
