/** Details of a contact, with their devices. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { Person } from './person.ts';
import { Id, Time } from './values.ts';

export const ContactDevice = z.strictObject({
  id: Id,
  type: z.enum(['app', 'api']),
  validUntil: Time,
});
export type ContactDevice = z.infer<typeof ContactDevice>;

/** One of two signed device lists of a contact that contradict each other. */
export const DeviceListSide = z.strictObject({
  /** Id of the list: SHA-256 of its text, base64url. */
  hash: z.string().length(43),
  /** Its number. */
  sequence: z.number().int().positive(),
  /** Time of signing, by the clock of the signing device. */
  issuedAt: Time,
  devices: z.array(ContactDevice),
  /** True if the relay showed it last. */
  isShown: z.boolean(),
});
export type DeviceListSide = z.infer<typeof DeviceListSide>;

/** All known facts about a contact, for the details pane. */
export const ContactDetails = z.strictObject({
  person: Person,
  /** Their own text about themselves; null without one. */
  about: z.string().nullable(),
  /** Sequence of the pinned device list; 0 while none was seen. */
  listSequence: z.number().int().nonnegative(),
  devices: z.array(ContactDevice),
  /** Ids of devices without a post-quantum key: a quantum computer could read their messages one day. */
  notPostQuantum: z.array(Id),
  /** True if the owner allows unsigned messages. */
  unsigned: z.array(z.literal('api')),
  firstSeenAt: Time.nullable(),
  /** Time of the last signature of their devices at the relay, if it is too long ago. */
  notSeenSince: Time.nullable(),
  /** Reason why the relay's data about them does not count, or only in part; null for none. */
  problem: z
    .strictObject({
      /**
       * `waiting`: their newest devices are not shown. `fork`: the person has to choose a list. `unproven`:
       * the relay's data does not prove itself. `old-key`: an old key was skipped, and the others are used.
       */
      kind: z.enum(['waiting', 'fork', 'unproven', 'old-key']),
      failure: FailureShape,
    })
    .nullable(),
  /** Two signed device lists that contradict each other: sending stops until the person chooses one. */
  fork: z.strictObject({ known: DeviceListSide, other: DeviceListSide }).nullable(),
});
export type ContactDetails = z.infer<typeof ContactDetails>;
