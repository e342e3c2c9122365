/** Invite links. */

import { z } from 'zod';
import { Address, Id, Time } from './values.ts';

const place = {
  /** Origin of its server. */
  server: z.string(),
  /** False before set-up. */
  isSameServer: z.boolean(),
  /** Code for an account at that server, if it requires one. */
  invitation: z.string().nullable(),
};

/** The contents of an invite link. */
export const ReadInvite = z.discriminatedUnion('to', [
  z.strictObject({
    to: z.literal('person'),
    address: Address,
    /** The public handle of the address, by the server's statement alone; null if there is none or the server did not answer. */
    handle: z.string().nullable(),
    ...place,
  }),
  z.strictObject({
    to: z.literal('group'),
    groupId: Id,
    ...place,
    /** As the group's owner or an admin has signed it; null if unknown. */
    name: z.string().nullable(),
    isMember: z.boolean(),
  }),
]);
export type ReadInvite = z.infer<typeof ReadInvite>;

/** An invite link to the person. */
export const OwnLink = z.strictObject({
  id: z.string(),
  /** The form for a browser. */
  url: z.string(),
  /** The form that opens the app. */
  app: z.string(),
  expires: Time,
});
export type OwnLink = z.infer<typeof OwnLink>;

/** An invite link into a group, for its owner. */
export const GroupLink = z.strictObject({
  /** Public key in the group's chain. */
  key: z.string(),
  /** Null if no own device has sent its secret here. */
  url: z.string().nullable(),
  expires: Time,
});
export type GroupLink = z.infer<typeof GroupLink>;
