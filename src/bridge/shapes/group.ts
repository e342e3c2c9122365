/** A group, its members and its bots. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { longest } from '../longest.ts';
import { Person } from './person.ts';
import { Id, Time } from './values.ts';

/** Ways to join a group; an invitation always works. */
const JoinWay = z.enum(['open', 'password', 'invite']);
export type JoinWay = z.infer<typeof JoinWay>;

/** Setting for joining a group, with the password if there is one. */
export const JoinSetting = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('open') }),
  z.strictObject({ mode: z.literal('password'), password: z.string().max(longest.groupPassword) }),
  z.strictObject({ mode: z.literal('invite') }),
]);
export type JoinSetting = z.infer<typeof JoinSetting>;

/** A group in the list of conversations. */
export const Group = z.strictObject({
  /** The relay's id. */
  groupId: Id,
  name: z.string(),
  /** Id of its picture, for `pictures.open`; null without one. */
  picture: Id.nullable(),
  /** True if the relay's operator confirms the name. */
  verified: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  join: JoinWay,
  isCreator: z.boolean(),
  /** False after the person has left or was removed: no messages are sent or received. */
  joined: z.boolean(),
  /** True for a group of a backup or history until the server has shown its members. `joined` is false meanwhile. */
  isLoading: z.boolean(),
  isAdmin: z.boolean(),
  /** Reason for not sending to it; null if sending is possible. */
  problem: FailureShape.nullable(),
  /** True if the person can continue all the same. */
  canGoOn: z.boolean(),
});
export type Group = z.infer<typeof Group>;

/** A group in the public directory. */
export const GroupListing = z.strictObject({
  groupId: Id,
  name: z.string(),
  verified: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  join: JoinWay,
  /** Person to ask for admission; null for a group without an owner. */
  owner: Person.nullable(),
  /** The conversation of a group that the person has joined. */
  conversationId: Id.nullable(),
});
export type GroupListing = z.infer<typeof GroupListing>;

export const GroupMember = z.strictObject({
  person: Person,
  isCreator: z.boolean(),
  isMe: z.boolean(),
  isAdmin: z.boolean(),
  /** Number of their devices that can read new messages. */
  devices: z.number().int().nonnegative(),
  /** Reason for not sealing for them; null for none. */
  problem: FailureShape.nullable(),
});
export type GroupMember = z.infer<typeof GroupMember>;

/** A bot token, without its secret. `signs`: its bot has its own key in the group's chain. */
export const BotToken = z.strictObject({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  signs: z.boolean(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
});
export type BotToken = z.infer<typeof BotToken>;

/** Contents of the group panel. */
export const GroupDetails = z.strictObject({
  conversationId: Id,
  group: Group,
  description: z.string(),
  createdAt: Time,
  members: z.array(GroupMember),
  /** People invited by this device who have not joined yet. Only for the creator and admins. */
  invited: z.array(Person).nullable(),
  /** Only for the creator. */
  botTokens: z.array(BotToken).nullable(),
  /** Bots with their own key but without a token, as far as the relay shows them. Only for the creator. */
  lostBots: z.array(z.strictObject({ key: z.string(), name: z.string() })).nullable(),
  /** True if members show unsigned posts with a bot token. */
  unsignedBots: z.boolean(),
});
export type GroupDetails = z.infer<typeof GroupDetails>;
