/** Procedures of messages: reading, sending, changing and searching them, and their export and import. */

import { z } from 'zod';
import { FileToSend, MAX_FILES, MAX_IMPORTED } from '../files.ts';
import { longest } from '../longest.ts';
import { PreviewToSend } from '../shapes/link-preview.ts';
import { Message, MessageInfo, SearchHit } from '../shapes/message.ts';
import { Id, Time } from '../shapes/values.ts';
import { Count, Mentions, nothing } from './inputs.ts';

/** Place of a message in a timeline. */
const TimelinePlace = z.strictObject({ place: z.int(), late: z.int(), id: z.int() });

export const messageProcedures = {
  /** One page in timeline order, oldest first. Without `before` and `after`: the newest page. */
  'messages.list': {
    input: z.strictObject({
      conversationId: Id,
      before: Id.optional(),
      after: Id.optional(),
      /** The page around this message. */
      around: Id.optional(),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.strictObject({ messages: z.array(Message), hasOlder: z.boolean(), hasNewer: z.boolean() }),
  },
  /** The first message that arrived at a time or later; without one the last message, and null in an empty chat. */
  'messages.from': {
    input: z.strictObject({ conversationId: Id, at: Time }),
    output: z.strictObject({ id: Id.nullable() }),
  },
  /**
   * One page of a chat for an export, in timeline order, as records (docs/export.md). Disappearing messages are left out.
   * @param after `next` of the page before; null for the first, which begins with the account
   */
  'messages.records': {
    input: z.strictObject({ conversationId: Id, after: TimelinePlace.nullable() }),
    output: z.strictObject({ records: z.array(z.json()), next: TimelinePlace.nullable() }),
  },
  /** Begins an import of exported records, and ends an earlier one. @param account the first record */
  'messages.beginImport': { input: z.strictObject({ account: z.unknown() }), output: nothing },
  /**
   * Adds further records of the import, in their order. Messages that are here stay unchanged; others are marked as imported.
   * All records of a call are valid, or none is added.
   * @param line number of the first one in its file, from 1
   */
  'messages.import': {
    input: z.strictObject({ records: z.array(z.unknown()).max(MAX_IMPORTED), line: Count }),
    /** Numbers of messages that were added, and of those without a chat: of an unknown group, or beyond the limit of requests. */
    output: z.strictObject({ added: Count, withoutChat: Count }),
  },
  /**
   * Durable as `queued` when this returns; the outbox delivers it. The text has at most 16,384 bytes of
   * UTF-8. A longer one is split into several messages if requested, and the first is returned.
   */
  'messages.send': {
    input: z.strictObject({
      conversationId: Id,
      text: z.string().min(1).max(longest.message),
      /** The answered message of the conversation. */
      replyTo: Id.optional(),
      mentions: Mentions.optional(),
      inParts: z.boolean().optional(),
      /** Left out unless its link is in the text. Not with `inParts`. */
      preview: PreviewToSend.optional(),
      /** The last message that the person has seen: those up to it are read then. By default all. */
      readUpTo: Id.optional(),
    }),
    output: Message,
  },
  /**
   * Same as `messages.send`, with prepared files. The message is delivered after its files are uploaded. A later message of
   * the conversation waits for it; other conversations do not.
   */
  'messages.sendFiles': {
    input: z.strictObject({
      conversationId: Id,
      files: z.array(FileToSend).min(1).max(MAX_FILES),
      /** The caption, possibly empty: at most 4,096 bytes of UTF-8. */
      text: z.string().max(longest.message),
      replyTo: Id.optional(),
      mentions: Mentions.optional(),
    }),
    output: Message,
  },
  'messages.retry': { input: z.strictObject({ id: Id }), output: Message },
  'messages.discard': { input: z.strictObject({ id: Id }), output: nothing },
  /**
   * All emoji of the person on a message. Replaces the previous ones; an empty list removes them. At most
   * five.
   */
  'messages.react': {
    input: z.strictObject({ id: Id, emoji: z.array(z.string().min(1).max(longest.emoji)).max(5) }),
    output: Message,
  },
  /** Replaces the text of an own message within 24 hours of sending it. It may be empty only for files: that removes the caption. */
  'messages.edit': {
    input: z.strictObject({
      id: Id,
      text: z.string().max(longest.message),
      mentions: Mentions.optional(),
    }),
    output: Message,
  },
  /** The stored texts of a message, first one first. */
  'messages.versions': {
    input: z.strictObject({ id: Id }),
    output: z.array(z.strictObject({ text: z.string(), at: Time })),
  },
  /** Transport details of a message, with its receipts. */
  'messages.info': { input: z.strictObject({ id: Id }), output: MessageInfo },
  /** Erases messages of one conversation: from this device, or for everyone, which `can.deleteForEveryone` allows. */
  'messages.delete': {
    input: z.strictObject({ ids: z.array(Id).min(1).max(50), forEveryone: z.boolean() }),
    output: nothing,
  },
  /** Sends the contents of messages to other conversations, in timeline order. */
  'messages.forward': {
    input: z.strictObject({ ids: z.array(Id).min(1).max(50), to: z.array(Id).min(1).max(20) }),
    output: nothing,
  },
  /** Pins a message for everyone, or unpins it. The limit is 50. */
  'messages.pin': { input: z.strictObject({ id: Id, pinned: z.boolean() }), output: Message },
  /** The pinned messages of a conversation, last pinned first. */
  'messages.pinned': { input: z.strictObject({ conversationId: Id }), output: z.array(Message) },
  /**
   * Messages that have all words of a search, the last to arrive first. The text may have filters: `from:ann`, `in:"a chat"`,
   * `has:link`, `has:file`, `has:picture`, `after:2026-01-31`, `before:2026-02-28`. Blocked chats are left out.
   */
  'search.messages': {
    input: z.strictObject({
      text: z.string().max(longest.search),
      /** Only this conversation. */
      conversationId: Id.optional(),
      /** Continues with messages before this one: `next` of the previous page. */
      before: Id.optional(),
      limit: z.number().int().min(1).max(50),
    }),
    output: z.strictObject({
      hits: z.array(SearchHit),
      /** The search can continue from here, also after an empty page; null at the end. */
      next: Id.nullable(),
      /** False while older messages are still being indexed. */
      isComplete: z.boolean(),
    }),
  },
  /**
   * Ids of all messages of a conversation that have the words of a search, the last of its timeline first. Of more than 1,000,
   * the last to arrive.
   */
  'search.inConversation': {
    input: z.strictObject({ conversationId: Id, text: z.string().max(longest.search) }),
    output: z.strictObject({
      ids: z.array(Id),
      hasMore: z.boolean(),
      /** The words without filters, as search compares them (src/base/search-text.ts). */
      terms: z.array(z.string()),
      isComplete: z.boolean(),
    }),
  },
} as const;
