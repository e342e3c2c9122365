/** The account of the person, and the connection to its relay. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { Address, Id, Time } from './values.ts';

export const Connection = z.strictObject({
  state: z.enum(['online', 'connecting', 'offline']),
  /** The last failure, while not online. */
  problem: FailureShape.nullable(),
  /** The relay has stored no new key of this computer for a week. */
  isKeyOverdue: z.boolean(),
  nextRetryAt: Time.nullable(),
  /** Own messages waiting for the relay. */
  queued: z.number().int().nonnegative(),
});
export type Connection = z.infer<typeof Connection>;

export const Me = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** A text about themselves, for contacts and groups. */
  about: z.string().nullable(),
  /** Id of their picture, for `pictures.open`; null without one. */
  picture: Id.nullable(),
  deviceId: Id,
  relayUrl: z.string(),
  /** True if the recovery phrase, or the private key, is stored on this computer. */
  keepsPhrase: z.boolean(),
  /** End of this computer's certificate, if it is soon and this computer cannot renew it; else null. */
  endsAt: Time.nullable(),
});
export type Me = z.infer<typeof Me>;

/** The end of the account at its relay: planned, with its last time for cancelling, or done. */
export const Deletion = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('planned'), at: Time }),
  z.strictObject({ kind: z.literal('done') }),
]);
export type Deletion = z.infer<typeof Deletion>;
