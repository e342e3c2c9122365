/** Procedures of groups, their members and their bots. */

import { z } from 'zod';
import { ChosenPicture } from '../files.ts';
import { longest } from '../longest.ts';
import { Conversation } from '../shapes/conversation.ts';
import { GroupDetails, GroupListing, JoinSetting } from '../shapes/group.ts';
import { GroupLink } from '../shapes/invite.ts';
import { Address, Id } from '../shapes/values.ts';
import { nothing } from './inputs.ts';

export const groupProcedures = {
  /** One page of the public directory; without a text, all groups by name. */
  'groups.browse': {
    input: z.strictObject({
      query: z.string().max(longest.name),
      cursor: z.string().max(512).nullable(),
    }),
    output: z.strictObject({ groups: z.array(GroupListing), nextCursor: z.string().nullable() }),
  },
  'groups.create': {
    input: z.strictObject({
      name: z.string().max(longest.name),
      description: z.string().max(longest.groupDescription),
      join: JoinSetting,
    }),
    output: Conversation,
  },
  'groups.join': {
    input: z.strictObject({ groupId: Id, password: z.string().max(longest.groupPassword).nullable() }),
    output: Conversation,
  },
  /** Leaves the group; its messages stay on this device. */
  'groups.leave': { input: z.strictObject({ conversationId: Id }), output: Conversation },
  /** Asks the relay again; changes of members appear in the timeline. */
  'groups.details': { input: z.strictObject({ conversationId: Id }), output: GroupDetails },
  /** Number of people in `invited` of the details, as far as this device knows: no request to the relay. 0 for members without rights. */
  'groups.invitedCount': {
    input: z.strictObject({ conversationId: Id }),
    output: z.strictObject({ count: z.number().int().nonnegative() }),
  },
  /**
   * Checks a group for changes, and whether the person is still a member: the app gets no notice of it.
   * Changes are reported by events. For an open chat, repeatedly.
   */
  'groups.look': { input: z.strictObject({ conversationId: Id }), output: nothing },
  /** Absent fields stay unchanged. Admins change name and description, the creator also the way to join. */
  'groups.change': {
    input: z.strictObject({
      conversationId: Id,
      name: z.string().max(longest.name).optional(),
      description: z.string().max(longest.groupDescription).optional(),
      join: JoinSetting.optional(),
    }),
    output: GroupDetails,
  },
  /** Sends each person an invitation with a ticket for joining. For the creator and admins. */
  'groups.invite': {
    input: z.strictObject({ conversationId: Id, addresses: z.array(Address).min(1).max(50) }),
    output: GroupDetails,
  },
  'groups.withdrawInvitation': {
    input: z.strictObject({ conversationId: Id, address: Address }),
    output: GroupDetails,
  },
  'groups.removeMember': {
    input: z.strictObject({ conversationId: Id, address: Address }),
    output: GroupDetails,
  },
  /** Makes a member an admin, or no longer one. For the creator. */
  'groups.setAdmin': {
    input: z.strictObject({ conversationId: Id, address: Address, isAdmin: z.boolean() }),
    output: GroupDetails,
  },
  /** Uploads a prepared picture of a group and sends it to the members; null removes it. For owner and admins. */
  'groups.setPicture': {
    input: z.strictObject({ conversationId: Id, picture: ChosenPicture.nullable() }),
    output: nothing,
  },
  /** Makes another member the creator, and the old one an admin. Tokens of the old one end. */
  'groups.transfer': {
    input: z.strictObject({ conversationId: Id, address: Address }),
    output: GroupDetails,
  },
  /** Continues sending, although the relay shows others another chain, or a removed device has made a change. */
  'groups.goOn': { input: z.strictObject({ conversationId: Id }), output: nothing },
  /**
   * Creates a bot token, and unless it is `alone` a key for its bot's signatures. Only this answer contains the
   * secrets; the relay never has the key. For the creator.
   */
  'groups.createToken': {
    input: z.strictObject({ conversationId: Id, name: z.string().max(longest.name), alone: z.boolean() }),
    output: z.strictObject({
      name: z.string(),
      secret: z.string(),
      botKey: z.string().nullable(),
      relayUrl: z.string(),
    }),
  },
  /** Ends a token and the bot of its name. For the creator. */
  'groups.revokeToken': {
    input: z.strictObject({ conversationId: Id, tokenId: Id }),
    output: GroupDetails,
  },
  /** Removes the key of a bot from the group, with or without tokens. For the creator. */
  'groups.removeBot': {
    input: z.strictObject({ conversationId: Id, key: z.string().max(64) }),
    output: GroupDetails,
  },
  /** True if members show unsigned posts with a bot token. For the creator. */
  'groups.setUnsignedBots': {
    input: z.strictObject({ conversationId: Id, allowed: z.boolean() }),
    output: GroupDetails,
  },
  /** Valid invite links of a group, those that end first at the top. For the creator; empty for all others. */
  'groups.links': {
    input: z.strictObject({ conversationId: Id }),
    output: z.strictObject({ links: z.array(GroupLink) }),
  },
  /** `expires`: in seconds from now. For the creator. */
  'groups.createLink': {
    input: z.strictObject({
      conversationId: Id,
      expires: z.union([z.literal(86_400), z.literal(604_800), z.literal(2_592_000)]),
    }),
    output: z.strictObject({ link: GroupLink }),
  },
  /** Ends a link: no one can join with it any more. For the creator. */
  'groups.cancelLink': {
    input: z.strictObject({ conversationId: Id, key: z.string().max(64) }),
    output: nothing,
  },
} as const;
