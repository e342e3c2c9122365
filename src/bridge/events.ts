import { z } from 'zod';
import { FilePlace } from './files.ts';
import { Count, nothing } from './procedures/inputs.ts';
import { Settings } from './settings.ts';
import { Connection } from './shapes/account.ts';
import { UpdateState } from './shapes/app.ts';
import { LockState } from './shapes/lock-state.ts';
import { MessageSummary } from './shapes/message.ts';
import { Person } from './shapes/person.ts';
import { Address, Id } from './shapes/values.ts';

/** Events of an engine or host: something changed, and its answers must be queried again. */
export const events = {
  /** Identity, handle or phase changed. */
  'app.changed': nothing,
  'connection.changed': Connection,
  /** `devices.list`, `devices.changes` or `devices.added` has a new answer. `isNew`: a device was added elsewhere. */
  'devices.changed': z.strictObject({ isNew: z.boolean() }),
  /** `invites.list` has a new answer. */
  'invites.changed': nothing,
  /** Conversations were created, changed or removed: `conversations.get` has a new answer. */
  'conversations.changed': z.strictObject({ ids: z.array(Id) }),
  /** `people.details` has a new answer for these people. */
  'people.changed': z.strictObject({ addresses: z.array(Address) }),
  /** `groups.details` and `groups.invitedCount` have new answers for the groups of these conversations. */
  'groups.changed': z.strictObject({ conversationIds: z.array(Id) }),
  /** Bytes of a file on its way, of its sealed form. */
  'files.progress': z.strictObject({ ...FilePlace.shape, conversationId: Id, done: Count, total: Count }),
  /** Messages of a conversation were added or changed. */
  'messages.changed': z.strictObject({ conversationId: Id }),
  /** All messages are indexed: searches have complete answers. */
  'search.completed': nothing,
  /** The state of backups has changed. */
  'backup.changed': nothing,
  /** `history.get` has a new answer. */
  'history.changed': nothing,
  /** Messages were erased at the end of their lifetime: their notifications must be dismissed. */
  'messages.expired': z.strictObject({ conversationId: Id, ids: z.array(Id) }),
  /** A message arrived that deserves a notification; the host decides on showing it. */
  'message.arrived': z.strictObject({
    conversationId: Id,
    messageId: Id,
    from: Person,
    /** Name of the bot that wrote it, empty if unknown; null without a bot. */
    bot: z.string().nullable(),
    /** Name of its group; null for a direct message. */
    group: z.string().nullable(),
    /** True if another person in its group, or in another direct chat, has the same name: shown with the handle. */
    hasNamesake: z.boolean(),
    summary: MessageSummary,
    request: z.boolean(),
    /** True if it mentions the person. */
    mentionsMe: z.boolean(),
    /** True if its conversation is muted: the event is sent only because it mentions the person. */
    muted: z.boolean(),
  }),
  /** Someone reacted to a message of the person, in a chat that is not muted; the host decides on showing it. */
  'reaction.arrived': z.strictObject({
    conversationId: Id,
    /** The message of the person. */
    messageId: Id,
    from: Person,
    /** Name of the bot that reacted, empty if unknown; null without a bot. */
    bot: z.string().nullable(),
    /** Name of its group; null for a direct message. */
    group: z.string().nullable(),
    /** True if another person in its group, or in another direct chat, has the same name: shown with the handle. */
    hasNamesake: z.boolean(),
    emoji: z.string(),
    /** Of the message. */
    summary: MessageSummary,
  }),
  'settings.changed': Settings,
  /** `host.desktop` has a new answer. */
  'desktop.changed': nothing,
  'updates.changed': UpdateState,
  /** Locked, unlocked, or with a new protection. Unless it is open, no earlier answer may be shown. */
  'lock.changed': LockState,
  /** The connection to the engine is restored: events may be missing, query everything again. */
  'bridge.resumed': nothing,
  /** A link was opened: `host.receiveLink` returns its request. */
  'link.waiting': nothing,
  /** The host wants the interface to show a conversation, after a click on a notification. */
  'navigate.conversation': z.strictObject({ conversationId: Id }),
} as const;
