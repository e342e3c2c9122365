/** Procedures of the own devices. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { longest } from '../longest.ts';
import { AddedDevice, ChangesAnswered, DeviceChange, OwnDevice } from '../shapes/device.ts';
import { Id, Time } from '../shapes/values.ts';
import { nothing, Passphrase, Secret } from './inputs.ts';

export const deviceProcedures = {
  /** The devices certified by the person's wallet, this one first. */
  'devices.list': { input: nothing, output: z.array(OwnDevice) },
  /**
   * The wallet signs a list without another device, which then can neither read nor send. In all these calls `secret`
   * is the recovery phrase or private key, typed for this call; absent if this computer stores it.
   */
  'devices.revoke': {
    input: z.strictObject({ id: Id, secret: Secret.optional() }),
    output: z.array(OwnDevice),
  },
  /** Names a device for the person and their other devices. Null or empty removes the name. */
  'devices.rename': {
    input: z.strictObject({ id: Id, name: z.string().max(longest.name).nullable() }),
    output: z.array(OwnDevice),
  },
  /** Changes by own devices that were removed since, still in effect; at most 200, newest first. */
  'devices.changes': { input: nothing, output: z.array(DeviceChange) },
  /**
   * Kept settings become settings of this device; undone ones return to their previous value. Changes of groups are undone by an
   * entry of this device, messages by deleting them for everyone, at most 1,000 of a chat. All answers are sent to all own devices.
   */
  'devices.answerChanges': {
    input: z.strictObject({
      keys: z.array(z.string().max(128)).min(1).max(200),
      answer: z.enum(['keep', 'undo']),
    }),
    output: ChangesAnswered,
  },
  /** Devices added to the account elsewhere that the person has not confirmed yet, newest first. */
  'devices.added': { input: nothing, output: z.array(AddedDevice) },
  /** The person has added these devices. On this computer they are no longer announced. */
  'devices.confirmAdded': {
    input: z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(64) }),
    output: z.array(AddedDevice),
  },
  /**
   * Checks the code of a new computer while it is typed, without the relay; the reason for refusing it is in
   * `problem`.
   */
  'devices.checkCode': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ problem: FailureShape.nullable() }),
  },
  /** The computer waiting under a code. The name is its own claim. */
  'devices.findWaiting': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ id: Id, name: z.string(), expiresAt: Time }),
  },
  /**
   * The wallet signs a list with the computer waiting under a code, which then can read and write for the person. The
   * host asks for the passphrase if one is set and no secret is typed. `withHistory`: it gets the history of this one.
   */
  'devices.link': {
    input: z.strictObject({
      code: z.string().max(longest.code),
      withHistory: z.boolean(),
      passphrase: Passphrase.nullable(),
      secret: Secret.optional(),
    }),
    output: z.array(OwnDevice),
  },
  /** The wallet signs a list with this computer for another year. */
  'devices.renew': {
    input: z.strictObject({ secret: Secret.optional() }),
    output: z.array(OwnDevice),
  },
  /**
   * Deletes the recovery phrase from this computer. It must be typed, so that only a person who has it can do this.
   * The host also asks for the passphrase if one is set.
   */
  'devices.forgetSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable(), secret: Secret }),
    output: z.array(OwnDevice),
  },
} as const;
