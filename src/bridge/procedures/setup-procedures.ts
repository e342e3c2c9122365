/** Procedures of the first run: the phase of the set-up, the relay, and the identity. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { longest } from '../longest.ts';
import { Deletion, Me } from '../shapes/account.ts';
import { OwnDevice } from '../shapes/device.ts';
import { Address, Id, Time } from '../shapes/values.ts';
import { Invitation, nothing, Secret } from './inputs.ts';

export const RelayChoice = z.discriminatedUnion('kind', [
  /** The relay started by this app on this computer. */
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({ kind: z.literal('url'), url: z.string().max(longest.url) }),
]);
export type RelayChoice = z.infer<typeof RelayChoice>;

export const setupProcedures = {
  /** Progress of the set-up: nothing yet, no handle yet, or ready. */
  'app.state': {
    input: nothing,
    output: z.strictObject({
      phase: z.enum(['new', 'needs-handle', 'ready']),
      me: Me.nullable(),
      /** The relay's last answer since the start; null: not ending, or not known yet. */
      deletion: Deletion.nullable(),
      /** Options of the first run. `fixed` is the relay given on the command line. */
      relays: z.strictObject({ embedded: z.boolean(), fixed: z.string().nullable() }),
      /** True after the recovery of an account, until `setup.endRestore`: its history may be in a backup. */
      offersRestore: z.boolean(),
    }),
  },
  /** Asks a relay for its description. Never fails for an unreachable relay: the reason is in `problem`. */
  'relay.check': {
    input: z.strictObject({ url: z.string().max(longest.url) }),
    output: z.strictObject({
      ok: z.boolean(),
      url: z.string(),
      name: z.string().nullable(),
      version: z.string().nullable(),
      /** Condition for opening an account there: none, a code, or an address on its operator's list. */
      registration: z.enum(['open', 'code', 'list']).nullable(),
      problem: FailureShape.nullable(),
    }),
  },
  /** A new recovery phrase of 12 words, kept in memory only, and the three places (1-based) to confirm. */
  'setup.newPhrase': {
    input: nothing,
    output: z.strictObject({
      words: z.array(z.string()).length(12),
      places: z.array(z.number().int()).length(3),
    }),
  },
  /**
   * Checks a recovery phrase or private key while it is typed; `problem` has the reason of a refusal.
   */
  'setup.checkSecret': {
    input: z.strictObject({ secret: Secret }),
    output: z.strictObject({
      kind: z.enum(['phrase', 'key']).nullable(),
      address: Address.nullable(),
      problem: FailureShape.nullable(),
    }),
  },
  /** The existing devices of an account, proven before its recovery here. */
  'setup.otherDevices': {
    input: z.strictObject({ relay: RelayChoice, invitation: Invitation.optional(), secret: Secret }),
    output: z.array(OwnDevice),
  },
  /**
   * Makes a key for this computer and announces at the relay that it waits to be linked. The code is not
   * secret.
   */
  'setup.startLink': {
    input: z.strictObject({ relay: RelayChoice }),
    output: z.strictObject({
      code: z.string(),
      /** Contents of its QR code. */
      uri: z.string(),
      expiresAt: Time,
    }),
  },
  /** Asks the relay whether another computer has linked this one. `handle` is the relay's claim. */
  'setup.findOffer': {
    input: nothing,
    output: z.strictObject({
      offer: z.strictObject({ address: Address, handle: z.string().nullable() }).nullable(),
    }),
  },
  /** Creates or imports the identity, signs in at the relay and certifies this device. */
  'setup.finish': {
    input: z.strictObject({
      relay: RelayChoice,
      invitation: Invitation.optional(),
      identity: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('new'), answers: z.array(z.string().max(longest.name)).length(3) }),
        /** `without`: ids of devices to remove from the account. */
        z.strictObject({
          kind: z.literal('import'),
          secret: Secret,
          without: z.array(Id).max(16).optional(),
        }),
        /** The account that `setup.findOffer` found, and to which the person has agreed. */
        z.strictObject({ kind: z.literal('link'), address: Address }),
      ]),
    }),
    output: Me,
  },
  /** Ends the offer to restore a backup after a recovery. */
  'setup.endRestore': { input: nothing, output: nothing },
} as const;
