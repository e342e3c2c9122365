/** A message with its parts, and its views in searches and details. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { MAX_FILES, MessageFile } from '../files.ts';
import { LinkPreview } from './link-preview.ts';
import { Person } from './person.ts';
import { Address, Id, Seconds, Time } from './values.ts';

/**
 * Proof of a message's sender. `verified`: by the sender's own wallet. `bot`: by a bot in the group's chain.
 * `api` and `token` are unsigned; `token` was posted with a group token.
 */
export const Trust = z.enum(['self', 'verified', 'bot', 'api', 'token', 'imported']);
export type Trust = z.infer<typeof Trust>;

/** Progress of an own message. `received` is for messages of others. */
export const MessageState = z.enum(['queued', 'sent', 'failed', 'received']);
export type MessageState = z.infer<typeof MessageState>;

/**
 * Delivery of an own sent message by receipts: all recipients have it, or have read it. `none` if one of them
 * sends no receipts, if none are expected, and for messages of others.
 */
export const Delivery = z.enum(['none', 'delivered', 'read']);
export type Delivery = z.infer<typeof Delivery>;

/** A line of a timeline that is not a message. */
export const TimelineEvent = z.strictObject({
  /**
   * New role of `who`: `owner`, `admin`, or `noAdmin`. `missing`: a message of theirs is missing, and they
   * have not sent it again. `timer`: they have changed the timer. `name` and `picture`: they have changed theirs.
   * `groupPicture`: they have changed the picture of the group. `linkMade`, `linkCanceled`: they made or canceled an invite link into
   * the group.
   */
  type: z.enum([
    'joined',
    'left',
    'owner',
    'admin',
    'noAdmin',
    'missing',
    'timer',
    'name',
    'picture',
    'groupPicture',
    'linkMade',
    'linkCanceled',
  ]),
  who: Person,
  /**
   * The person who made them owner or admin, or ended their membership; with `left` possibly themselves. Null if
   * unknown, and for other types.
   */
  by: Person.nullable(),
  /** New timer in seconds, 0 for never. Null for all others. */
  seconds: Seconds.nullable(),
  /** Their name before a change of it. Null for all others. */
  before: z.string().nullable(),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** Summary of a message for lists, quotes and notifications: src/words/summaries.ts has the texts. */
export const MessageSummary = z.strictObject({
  /** Same as of a message. */
  kind: z.string().min(1).max(32),
  fields: z.record(z.string(), z.json()),
  /** The beginning of the text or caption. */
  text: z.string(),
});
export type MessageSummary = z.infer<typeof MessageSummary>;

/** The message that a reply answers, as this device knows it now. */
export const Quote = z.strictObject({
  /**
   * `here`: it can be opened. `other`: its sender means a different message than the one here. `deleted`: its
   * text was erased. `missing`: it is not here.
   */
  is: z.enum(['here', 'other', 'deleted', 'missing']),
  /** Null unless it is here, or was deleted. */
  id: Id.nullable(),
  author: Person.nullable(),
  /** Name of the bot that wrote it, empty if unknown; null without a bot. */
  bot: z.string().nullable(),
  /** Null unless it is here. */
  summary: MessageSummary.nullable(),
});
export type Quote = z.infer<typeof Quote>;

/** A mention in a text, by places in JavaScript's count. */
export const PlacedMention = z.strictObject({
  from: z.number().int().nonnegative(),
  to: z.number().int().positive(),
  person: Person,
});
export type PlacedMention = z.infer<typeof PlacedMention>;

/** The same in a typed text: invalid ones are dropped (src/engine/writing/mentions.ts). */
export const WrittenMention = z.strictObject({
  from: PlacedMention.shape.from,
  to: PlacedMention.shape.to,
  address: Address,
});
export type WrittenMention = z.infer<typeof WrittenMention>;

/** Reactions to a message with one emoji. */
export const Reaction = z.strictObject({
  /** One grapheme. */
  emoji: z.string(),
  count: z.number().int().positive(),
  isMine: z.boolean(),
  /** The first of them, at most 50, the person first. */
  people: z.array(Person),
});
export type Reaction = z.infer<typeof Reaction>;
/** Limit of emoji shown on one message. */
export const MAX_REACTIONS = 20;

/** The person's current rights on a message. Other actions are possible for every message with text. */
export const MessageRights = z.strictObject({
  /** Reply to it, react to it and forward it. */
  refer: z.boolean(),
  edit: z.boolean(),
  deleteForEveryone: z.boolean(),
  pin: z.boolean(),
});
export type MessageRights = z.infer<typeof MessageRights>;

/** Lifetime of a disappearing message. */
export const Disappearing = z.strictObject({
  /** Seconds after sending; for messages of others, after reading. */
  after: z.number().int().positive(),
  /** End of the lifetime; null until it is sent, or read. */
  at: Time.nullable(),
});
export type Disappearing = z.infer<typeof Disappearing>;

export const Message = z.strictObject({
  id: Id,
  conversationId: Id,
  sender: Address,
  /** The sender as this device knows them. */
  author: Person,
  /**
   * A kind of src/messaging/contents; or `newer`: unknown to this version, with the sender's fallback in
   * `text`; or `event`; or `deleted`: erased for everyone.
   */
  kind: z.string().min(1).max(32),
  /** Only of kind `event`: then only the times are meaningful. */
  event: TimelineEvent.nullable(),
  /** Fields for the view of its kind, beside the text; see the kind's file. */
  fields: z.record(z.string(), z.json()),
  /** The text, or the caption of its files. */
  text: z.string(),
  files: z.array(MessageFile).max(MAX_FILES),
  /** Null for none, and in a message request. */
  preview: LinkPreview.nullable(),
  sentAt: Time,
  /** Time of storing on this device: the order of the timeline. */
  storedAt: Time,
  /** Display time of sending, even if this device fetched it much later. Never after `storedAt`. */
  at: Time,
  state: MessageState,
  delivery: Delivery,
  trust: Trust,
  /**
   * The bot that wrote it: by its signature, or if `trust` is 'token' by the server's claim; null if unknown.
   * `key` identifies it. Its name is the owner's choice, possibly empty.
   */
  bot: z.strictObject({ key: z.string(), name: z.string() }).nullable(),
  /** In a group: notes from its chain; null for none. */
  roster: z
    .strictObject({
      /** Members who had been removed ten minutes before, without the sender's knowledge. */
      unaware: z.array(Person),
      /** Its sender knows of changes that the relay does not show. */
      isBeyond: z.boolean(),
    })
    .nullable(),
  /** Reason of its failure, or of its wait. */
  problem: FailureShape.nullable(),
  replyTo: Quote.nullable(),
  mentions: z.array(PlacedMention),
  /** The most frequent first; further ones are left out, except for the person's own. */
  reactions: z.array(Reaction).max(MAX_REACTIONS),
  /** Number of further emoji. */
  moreReactions: z.number().int().nonnegative(),
  /** Time of the last edit; null for none. */
  editedAt: Time.nullable(),
  /** Only of kind `deleted`: who erased it. */
  deletedBy: Person.nullable(),
  forwarded: z.boolean(),
  pinned: z.boolean(),
  /** Null if it does not disappear. */
  disappears: Disappearing.nullable(),
  can: MessageRights,
});
export type Message = z.infer<typeof Message>;

/** A message found by a search. */
export const SearchHit = z.strictObject({
  id: Id,
  conversationId: Id,
  author: Person,
  /** Name of the bot that wrote it, possibly empty; null for a person. */
  bot: z.string().nullable(),
  /** Time that is shown. */
  at: Time,
  /** The part of the text with the first match, or the name of a file. */
  snippet: z.string(),
  /** Places of the words in it, in UTF-16: in order, without overlaps. */
  marks: z.array(z.strictObject({ from: z.number().int(), to: z.number().int() })),
  /** Content that it can be filtered by. */
  has: z.array(z.enum(['link', 'file', 'picture'])),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** Details of a message's transport. */
export const MessageInfo = z.strictObject({
  id: Id,
  conversationId: Id,
  author: Person,
  trust: Trust,
  /** Name of the bot that wrote it, empty if unknown; null without a bot. */
  bot: z.string().nullable(),
  /** According to its sender. */
  writtenAt: Time,
  /** Time of sealing, according to its sender. */
  sentAt: Time,
  /** Time of arrival at the server; null for messages written on this computer. */
  receivedAt: Time.nullable(),
  /** The signing device; null for an unsigned message. */
  device: z.strictObject({ id: Id, isThis: z.boolean() }).nullable(),
  /** Number of the device list named by the sender; null for none. */
  listSequence: z.number().int().positive().nullable(),
  /** True if the person compared the sender's address with the one that they showed. */
  isVerified: z.boolean(),
  /**
   * True if it is protected against quantum computers: all sent copies, or the received one. Null before
   * sending.
   */
  postQuantum: z.boolean().nullable(),
  /**
   * Recipients of an own message with their receipts. Null if there are none and none are expected, and for
   * messages of others.
   */
  recipients: z.array(z.strictObject({ person: Person, delivery: Delivery })).nullable(),
  /** Null if it does not disappear. */
  disappears: Disappearing.nullable(),
  /** Number of stored edits. */
  edits: z.number().int().nonnegative(),
});
export type MessageInfo = z.infer<typeof MessageInfo>;
