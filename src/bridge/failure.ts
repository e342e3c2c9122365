/**
 * How a call fails across the bridge: a stable code for code, a sentence for the person, never a stack.
 */
import { z } from 'zod';

export const FailureCode = z.enum([
  /** The input does not have the shape that the contract asks for. */
  'invalid_input',
  'not_found',
  /** The relay cannot be reached now; what was queued stays queued. */
  'offline',
  /** The relay answered with a refusal; the sentence says which. */
  'refused',
  'handle_taken',
  /** The words of the recovery phrase were not the ones asked for. */
  'wrong_words',
  /** The group's password is another one. */
  'wrong_password',
  /** Waxwing is locked: no data is open. */
  'locked',
  'wrong_passphrase',
  /** Nothing was tried: there were too many wrong passphrases a moment ago. */
  'too_many_attempts',
  /** There is no identity yet, or there is one already. */
  'wrong_phase',
  /** The contact's keys do not prove what the relay claims. Nothing was sent. */
  'unverifiable',
  'internal',
]);
export type FailureCode = z.infer<typeof FailureCode>;

export const Failure = z.strictObject({ code: FailureCode, sentence: z.string() });
export type Failure = z.infer<typeof Failure>;

/** Every answer on the wire: carriers lose Error subclasses, so failure is data until the last step. */
export type Answer<T> = { ok: true; value: T } | { ok: false; failure: Failure };
