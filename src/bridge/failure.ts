/** The failure of a call across the bridge: as data, never as a stack. */
import { z } from 'zod';
import type { FailureData } from '../base/failure.ts';

/** Both sides are from the same build: the form is checked here, codes and parameters by the compiler. */
export const FailureShape = z.strictObject({
  code: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
}) as unknown as z.ZodType<FailureData, FailureData>;

/** Every answer on the wire: transports lose Error subclasses, so a failure is data until the last step. */
export type Answer<T> = { ok: true; value: T } | { ok: false; failure: FailureData };
