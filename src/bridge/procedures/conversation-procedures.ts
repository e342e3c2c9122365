/** Procedures of conversations and their settings. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { Conversation } from '../shapes/conversation.ts';
import { Person } from '../shapes/person.ts';
import { Address, Id, Muted, Seconds } from '../shapes/values.ts';
import { Mentions, nothing } from './inputs.ts';

export const conversationProcedures = {
  'conversations.list': { input: nothing, output: z.array(Conversation) },
  'conversations.get': { input: z.strictObject({ id: Id }), output: Conversation },
  /** Opens the conversation with an address, and creates an empty one if there is none. */
  'conversations.open': { input: z.strictObject({ address: Address }), output: Conversation },
  'conversations.accept': { input: z.strictObject({ id: Id }), output: Conversation },
  'conversations.block': { input: z.strictObject({ id: Id }), output: Conversation },
  /**
   * Returns the conversation to its state before the block: a request stays a request. Null if the block made it, and it was
   * removed.
   */
  'conversations.unblock': { input: z.strictObject({ id: Id }), output: Conversation.nullable() },
  /** Removes the conversation and its messages from this device. */
  'conversations.delete': { input: z.strictObject({ id: Id }), output: nothing },
  /** Marks everything up to and including this message as read; null: all of it. */
  'conversations.markRead': { input: z.strictObject({ id: Id, upTo: Id.nullable() }), output: nothing },
  /**
   * Marks it as unread on all own devices until it is read again: from a message on, or as a whole.
   * @param from id of the first unread message; null: the last one
   */
  'conversations.markUnread': {
    input: z.strictObject({ id: Id, from: Id.nullable() }),
    output: Conversation,
  },
  /**
   * Mutes until a time or forever, or with null unmutes. This and the following ones are shared by all own
   * devices.
   */
  'conversations.setMuted': {
    input: z.strictObject({ id: Id, until: Muted.nullable() }),
    output: Conversation,
  },
  /** A pinned conversation is not archived, and vice versa. */
  'conversations.setPinned': { input: z.strictObject({ id: Id, pinned: z.boolean() }), output: Conversation },
  'conversations.setArchived': {
    input: z.strictObject({ id: Id, archived: z.boolean() }),
    output: Conversation,
  },
  /**
   * Timer of new messages in seconds; 0 for never. Set by either side of a direct chat, and by the creator
   * and admins of a group.
   */
  'conversations.setTimer': { input: z.strictObject({ id: Id, seconds: Seconds }), output: Conversation },
  /** The same for new chats, on all own devices. */
  'conversations.defaultTimer': { input: nothing, output: z.strictObject({ seconds: Seconds }) },
  'conversations.setDefaultTimer': {
    input: z.strictObject({ seconds: Seconds }),
    output: z.strictObject({ seconds: Seconds }),
  },
  'conversations.saveDraft': {
    input: z.strictObject({
      id: Id,
      text: z.string().max(longest.message),
      mentions: Mentions.optional(),
    }),
    output: nothing,
  },
  /**
   * Members of a group, or both people of a direct chat, whose name, nickname or handle contains the text.
   * First the last authors, then names that begin with the text. The person is last.
   */
  'conversations.mentionable': {
    input: z.strictObject({ id: Id, text: z.string().max(longest.name) }),
    output: z.array(Person).max(8),
  },
  /** Records that the person has seen the change of this contact's devices. */
  'conversations.acknowledgeDevices': { input: z.strictObject({ id: Id }), output: nothing },
} as const;
