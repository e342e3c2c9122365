/** Own devices of the person. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { Id, Time } from './values.ts';

/** An own device with the person's name for it; null: not named. */
export const NamedDevice = z.strictObject({ id: z.string(), name: z.string().nullable() });
export type NamedDevice = z.infer<typeof NamedDevice>;

/** A device of the person's own. */
export const OwnDevice = z.strictObject({
  id: Id,
  /** The person's name for it, set on any of their devices; null: not named. */
  name: z.string().nullable(),
  type: z.enum(['app', 'api']),
  isThis: z.boolean(),
  validUntil: Time,
  /** Start of its current seal key; null without a usable one. */
  sealKeySince: Time.nullable(),
  /** True if the recovery phrase is stored there; null if this computer cannot know. */
  keepsPhrase: z.boolean().nullable(),
});
export type OwnDevice = z.infer<typeof OwnDevice>;

/** A device of the person's own that was added elsewhere, until the person has confirmed it. */
export const AddedDevice = z.strictObject({
  ...NamedDevice.shape,
  type: z.enum(['app', 'api']),
  /** Date of its list, at the latest the time at which this computer saw it. */
  at: Time,
});
export type AddedDevice = z.infer<typeof AddedDevice>;

/** A current value set, or messages sent, by an own device that was removed since. */
export const DeviceChange = z.strictObject({
  /** Key for the answer. */
  key: z.string().max(128),
  mark: z.enum([
    'verified',
    'blocked',
    'nickname',
    'muted',
    'pinned',
    'archived',
    'displayName',
    'about',
    'avatar',
    'timer',
    'chatTimer',
    'groupTimer',
    'deviceName',
    'groupName',
    'groupText',
    'groupJoin',
    'groupPassword',
    'groupUnsigned',
    'groupMember',
    'groupRole',
    'groupBot',
    'groupBotName',
    'groupLink',
    'groupLinkEnd',
    'groupPicture',
    'messages',
  ]),
  /** The person's or the group's name, without a nickname; null: it is about the person themselves. */
  subject: z.string().nullable(),
  /** Name of the group; null if it is about none. */
  group: z.string().nullable(),
  /** True if it was set; false: removed. */
  isSet: z.boolean(),
  /** The new name, way to join, or role. */
  text: z.string().nullable(),
  /** The previous name or way to join. */
  before: z.string().nullable(),
  /** Of the timer of a chat or group, in seconds with 0 for never: the new and the previous value. */
  seconds: z.strictObject({ now: z.number(), before: z.number() }).nullable(),
  /** The messages in one chat, with the first of them. `isMore`: there are more than counted. */
  messages: z
    .strictObject({ conversationId: Id, firstId: Id, count: z.number(), isMore: z.boolean() })
    .nullable(),
  /** `left`: the person is not in the group; `rights`: only its owner or an admin can; `never`: no one can. */
  undo: z.enum(['possible', 'left', 'rights', 'never']),
  device: NamedDevice,
});
export type DeviceChange = z.infer<typeof DeviceChange>;

/** The result of an answer. */
export const ChangesAnswered = z.strictObject({
  /** Changes that need a decision. */
  changes: z.array(DeviceChange),
  /** Chats or groups whose answer failed; the others are answered. */
  failures: z.array(z.strictObject({ name: z.string(), failure: FailureShape })),
  /** Number of messages that could not be deleted for everyone. */
  undeleted: z.number(),
});
export type ChangesAnswered = z.infer<typeof ChangesAnswered>;
