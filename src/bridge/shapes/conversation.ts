/** A direct or group conversation. */

import { z } from 'zod';
import { NamedDevice } from './device.ts';
import { Group } from './group.ts';
import { Delivery, MessageState, MessageSummary, WrittenMention } from './message.ts';
import { Person } from './person.ts';
import { Id, Muted, Seconds, Time } from './values.ts';

const conversationFields = {
  id: Id,
  /**
   * `request`: an unknown person wrote first, or a program wrote to them with the person's API key. Replying
   * requires acceptance.
   */
  state: z.enum(['accepted', 'request', 'blocked']),
  unread: z.number().int().nonnegative(),
  /** Number of unread mentions of the person. */
  unreadMentions: z.number().int().nonnegative(),
  /** Id of the first unread message when the conversation was fetched. */
  firstUnreadId: Id.nullable(),
  /** Id of the first unread mention. */
  firstMentionId: Id.nullable(),
  /** Number of own messages that failed. */
  failed: z.number().int().nonnegative(),
  /** Number of times that sending an own message failed, retries included. It never decreases. */
  failures: z.number().int().nonnegative(),
  draft: z.string(),
  draftMentions: z.array(WrittenMention),
  /** Manually marked as unread: `unread` counts from the mark on, and may be 0. */
  markedUnread: z.boolean(),
  /** End of the mute: no notifications, and excluded from the unread count. Never in the past. */
  mutedUntil: Muted.nullable(),
  /** Shown above the others. */
  pinned: z.boolean(),
  /** Shown in a separate list. */
  archived: z.boolean(),
  /** Timer for new messages, in seconds; 0 for never. */
  timer: Seconds,
  /** Time of the last message, or of creation. Sort key of lists. */
  activeAt: Time,
  last: z
    .strictObject({
      summary: MessageSummary,
      at: Time,
      outgoing: z.boolean(),
      state: MessageState,
      delivery: Delivery,
      /** Its author. */
      author: Person,
      /** Name of the bot that wrote it, empty if unknown; null without a bot. */
      bot: z.string().nullable(),
    })
    .nullable(),
};

export const DirectConversation = z.strictObject({
  kind: z.literal('direct'),
  ...conversationFields,
  peer: Person,
  /** Notes to oneself. */
  isSelf: z.boolean(),
  /**
   * True if the contact has written. If not, a request was started by a program with the person's API key.
   */
  peerHasWritten: z.boolean(),
  /** True if the contact has written, or sent a receipt. If not, they see the chat as a message request. */
  peerHasAccepted: z.boolean(),
  /**
   * True if the person followed an invite link of the contact, who has not accepted yet. With a valid link the chat is no request.
   */
  followsInvite: z.boolean(),
  /** Number of certified devices that the contact added and removed, not yet seen by the person. */
  devicesChange: z
    .strictObject({
      at: Time,
      added: z.number().int().nonnegative(),
      removed: z.number().int().nonnegative(),
    })
    .nullable(),
  /** Time at which the person compared the address with the one that the contact showed; null if never. */
  verifiedAt: Time.nullable(),
  /** The other own device that verified it; null for this one, or if unverified. */
  setBy: NamedDevice.nullable(),
});
export type DirectConversation = z.infer<typeof DirectConversation>;

export const GroupConversation = z.strictObject({
  kind: z.literal('group'),
  ...conversationFields,
  group: Group,
});
export type GroupConversation = z.infer<typeof GroupConversation>;

export const Conversation = z.discriminatedUnion('kind', [DirectConversation, GroupConversation]);
export type Conversation = z.infer<typeof Conversation>;
