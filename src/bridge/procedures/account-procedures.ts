/** Procedures of the own account: handle, profile, deletion, and the connection to the relay. */

import { z } from 'zod';
import { ChosenPicture } from '../files.ts';
import { longest } from '../longest.ts';
import { Connection, Me } from '../shapes/account.ts';
import { nothing } from './inputs.ts';

export const accountProcedures = {
  /** Checks a handle while it is typed. */
  'handle.check': {
    input: z.strictObject({ handle: z.string().max(longest.name) }),
    output: z.strictObject({ status: z.enum(['free', 'mine', 'taken', 'reserved', 'invalid']) }),
  },
  /** The name is public at the relay. Name and text are sent sealed to accepted contacts and groups. */
  'profile.save': {
    input: z.strictObject({
      handle: z.string().max(longest.name).optional(),
      displayName: z.string().max(longest.name),
      about: z.string().max(longest.about).optional(),
    }),
    output: Me,
  },
  /** Uploads a prepared picture of the person and sends it to the same; null removes it. */
  'profile.setPicture': {
    input: z.strictObject({ picture: ChosenPicture.nullable() }),
    output: Me,
  },
  /**
   * Leaves all groups and deletes the account at the relay: in seven days, or now with its recovery phrase or
   * private key. Data on this computer stays.
   */
  'account.delete': {
    input: z.strictObject({ secret: z.string().max(longest.secret).nullable() }),
    output: nothing,
  },
  /** Cancels a planned deletion. */
  'account.keep': { input: nothing, output: nothing },
  /**
   * Reopens a deleted account, and registers this device.
   * @param secret its recovery phrase or private key; null if this computer stores it
   */
  'account.reopen': {
    input: z.strictObject({ secret: z.string().max(longest.secret).nullable() }),
    output: nothing,
  },
  'connection.get': { input: nothing, output: Connection },
  /** Retries at once instead of waiting for the back-off. */
  'connection.retry': { input: nothing, output: nothing },
} as const;
