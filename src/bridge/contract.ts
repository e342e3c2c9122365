/**
 * The contract between a user interface and an engine, with its host in between.
 *
 * Every call is a name and one input object, with schemas for input and output. `engineProcedures` are answered by
 * the engine's worker thread, `hostProcedures` by the host itself (Electron's main process, or the browser host).
 *
 * This file has only names and schemas. Procedures are grouped by area; shapes used by two of them are in
 * ./shapes.ts.
 */

import { z } from 'zod';
import type { Answer } from './failure.ts';
import { FailureShape } from './failure.ts';
import {
  ChatUse,
  ChosenPicture,
  FileAddress,
  FilePlace,
  FileToSend,
  MOST_FILES,
  MOST_IMPORTED,
  MOST_PICTURE_BYTES,
} from './files.ts';
import { longest } from './longest.ts';
import { Settings } from './settings.ts';
import {
  Address,
  ApiKey,
  ApiKeyEntitlement,
  Connection,
  ContactDetails,
  Conversation,
  Deletion,
  DesktopState,
  DeveloperAccess,
  DeviceChange,
  GroupDetails,
  GroupListing,
  Id,
  JoinSetting,
  KeyProtection,
  LockState,
  Me,
  Message,
  MessageInfo,
  MessagePreview,
  Muted,
  OwnDevice,
  PageOfLink,
  Person,
  PreviewToSend,
  SearchHit,
  Seconds,
  Time,
  UpdateState,
  WrittenMention,
} from './shapes.ts';

const nothing = z.strictObject({});
const Passphrase = z.string().max(longest.passphrase);
/** What opens a new backup: at least one of them. */
const BackupSecret = z
  .strictObject({ passphrase: Passphrase.nullable(), withPhrase: z.boolean() })
  .refine(({ passphrase, withPhrase }) => passphrase !== null || withPhrase);
const Secret = z.string().max(longest.secret);
/** A code for a new account, if the relay requires one. */
const Invitation = z.string().max(longest.invitation);
const Count = z.number().int().min(0);
/** Place of a message in a timeline. */
const TimelinePlace = z.strictObject({ place: z.int(), late: z.int(), id: z.int() });
/** The mentions of a text, in order. */
const Mentions = z.array(WrittenMention).max(50);
export const RelayChoice = z.discriminatedUnion('kind', [
  /** The relay started by this app on this computer. */
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({ kind: z.literal('url'), url: z.string().max(longest.url) }),
]);

export const engineProcedures = {
  /** Progress of the set-up: nothing yet, no handle yet, or ready. */
  'app.state': {
    input: nothing,
    output: z.strictObject({
      phase: z.enum(['new', 'needs-handle', 'ready']),
      me: Me.nullable(),
      /** The relay's last answer since the start; null: not ending, or not known yet. */
      deletion: Deletion.nullable(),
      /** Options of the first run. `fixed` is the relay given on the command line. */
      relays: z.strictObject({ embedded: z.boolean(), fixed: z.string().nullable() }),
    }),
  },

  /** Asks a relay for its description. Never fails for an unreachable relay: the reason is in `problem`. */
  'relay.check': {
    input: z.strictObject({ url: z.string().max(longest.url) }),
    output: z.strictObject({
      ok: z.boolean(),
      url: z.string(),
      name: z.string().nullable(),
      version: z.string().nullable(),
      /** Condition for opening an account there: none, a code, or an address on its operator's list. */
      registration: z.enum(['open', 'code', 'list']).nullable(),
      problem: FailureShape.nullable(),
    }),
  },

  /** A new recovery phrase of 12 words, kept in memory only, and the three places (1-based) to confirm. */
  'setup.newPhrase': {
    input: nothing,
    output: z.strictObject({
      words: z.array(z.string()).length(12),
      ask: z.array(z.number().int()).length(3),
    }),
  },
  /**
   * Checks a recovery phrase or private key while it is typed; the reason for refusing it is in `problem`.
   */
  'setup.checkSecret': {
    input: z.strictObject({ secret: Secret }),
    output: z.strictObject({
      kind: z.enum(['phrase', 'key']).nullable(),
      address: Address.nullable(),
      problem: FailureShape.nullable(),
    }),
  },
  /** The existing devices of an account, proven before its recovery here. */
  'setup.otherDevices': {
    input: z.strictObject({ relay: RelayChoice, invitation: Invitation.optional(), secret: Secret }),
    output: z.array(OwnDevice),
  },
  /**
   * Makes a key for this computer and announces at the relay that it waits to be linked. The code is not
   * secret.
   */
  'setup.startLink': {
    input: z.strictObject({ relay: RelayChoice }),
    output: z.strictObject({
      code: z.string(),
      /** Contents of its QR code. */
      uri: z.string(),
      expiresAt: Time,
    }),
  },
  /** Asks the relay whether another computer has linked this one. `handle` is the relay's claim. */
  'setup.findOffer': {
    input: nothing,
    output: z.strictObject({
      offer: z.strictObject({ address: Address, handle: z.string().nullable() }).nullable(),
    }),
  },
  /** Creates or imports the identity, signs in at the relay and certifies this device. */
  'setup.finish': {
    input: z.strictObject({
      relay: RelayChoice,
      invitation: Invitation.optional(),
      identity: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('new'), answers: z.array(z.string().max(longest.name)).length(3) }),
        /** `without`: ids of devices to remove from the account. */
        z.strictObject({
          kind: z.literal('import'),
          secret: Secret,
          without: z.array(Id).max(16).optional(),
        }),
        /** The account that `setup.findOffer` found, and to which the person has agreed. */
        z.strictObject({ kind: z.literal('link'), address: Address }),
      ]),
    }),
    output: Me,
  },
  /** Checks a handle while it is typed. */
  'handle.check': {
    input: z.strictObject({ handle: z.string().max(longest.name) }),
    output: z.strictObject({ status: z.enum(['free', 'mine', 'taken', 'invalid']) }),
  },
  /** The name is public at the relay. Name and text are sent sealed to accepted contacts and groups. */
  'profile.save': {
    input: z.strictObject({
      handle: z.string().max(longest.name).optional(),
      displayName: z.string().max(longest.name),
      about: z.string().max(longest.about).optional(),
    }),
    output: Me,
  },
  /** Uploads a prepared picture of the person and sends it to the same; null removes it. */
  'profile.setPicture': {
    input: z.strictObject({ picture: ChosenPicture.nullable() }),
    output: Me,
  },

  /**
   * Leaves all groups and deletes the account at the relay: in seven days, or now with its recovery phrase or
   * private key. Data on this computer stays.
   */
  'account.delete': {
    input: z.strictObject({ secret: z.string().max(longest.secret).nullable() }),
    output: nothing,
  },
  /** Cancels a planned deletion. */
  'account.keep': { input: nothing, output: nothing },
  /**
   * Reopens a deleted account, and registers this device.
   * @param secret its recovery phrase or private key; null if this computer stores it
   */
  'account.reopen': {
    input: z.strictObject({ secret: z.string().max(longest.secret).nullable() }),
    output: nothing,
  },

  'connection.get': { input: nothing, output: Connection },
  /** Retries at once instead of waiting for the back-off. */
  'connection.retry': { input: nothing, output: nothing },

  'conversations.list': { input: nothing, output: z.array(Conversation) },
  'conversations.get': { input: z.strictObject({ id: Id }), output: Conversation },
  /** Opens the conversation with an address, and creates an empty one if there is none. */
  'conversations.open': { input: z.strictObject({ address: Address }), output: Conversation },
  'conversations.accept': { input: z.strictObject({ id: Id }), output: Conversation },
  'conversations.block': { input: z.strictObject({ id: Id }), output: Conversation },
  'conversations.unblock': { input: z.strictObject({ id: Id }), output: Conversation },
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
    input: z.strictObject({ records: z.array(z.unknown()).max(MOST_IMPORTED), line: Count }),
    /** Number of messages that were added. */
    output: z.strictObject({ added: Count }),
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
      files: z.array(FileToSend).min(1).max(MOST_FILES),
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
  /** Replaces the text of an own message within 24 hours of sending it. */
  'messages.edit': {
    input: z.strictObject({
      id: Id,
      text: z.string().min(1).max(longest.message),
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
      /** The search may go on from here, also after an empty page; null at the end. */
      next: Id.nullable(),
      /** False while older messages are still being indexed. */
      isComplete: z.boolean(),
    }),
  },
  /** Ids of all messages of a conversation that have the words of a search, the last to arrive first, at most 1,000. */
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

  /**
   * Prepares a file for sending. The page then writes its bytes in order, in pieces, to `path`: `PUT path?offset=0`. They
   * are sealed on arrival. Files that are not sent are removed at the next start.
   */
  'files.begin': {
    input: z.strictObject({ conversationId: Id, size: Count }),
    output: z.strictObject({ id: Id, path: z.string() }),
  },
  /** Prepares a picture of the person or of a group, which is written as the file of `files.begin`. */
  'pictures.begin': {
    input: z.strictObject({ size: z.number().int().min(1).max(MOST_PICTURE_BYTES) }),
    output: z.strictObject({ id: Id, path: z.string() }),
  },
  /** Address of the picture of a person or group. */
  'pictures.open': { input: z.strictObject({ id: Id }), output: FileAddress },
  /** Removes prepared files. */
  'files.drop': { input: z.strictObject({ ids: z.array(Id).max(MOST_FILES) }), output: nothing },
  /** Downloads a file of a message. */
  'files.download': { input: FilePlace, output: nothing },
  /** Stops the download of a file, or the upload of its message, which then has failed and can be sent again. */
  'files.stop': { input: FilePlace, output: nothing },
  /** Address of a file that is here. */
  'files.open': { input: FilePlace, output: FileAddress },
  /** Messages of a conversation with files, newest first: with a picture or video, or with other files. */
  'files.list': {
    input: z.strictObject({
      conversationId: Id,
      type: z.enum(['media', 'other']),
      before: Id.optional(),
      limit: z.number().int().min(1).max(100),
    }),
    output: z.strictObject({ messages: z.array(Message), hasOlder: z.boolean() }),
  },

  /** Files of a conversation that are at the relay only, and are deleted there within seven days. None of a request. */
  'files.expiring': {
    input: z.strictObject({ conversationId: Id }),
    output: z.strictObject({
      count: Count,
      bytes: Count,
      /** Time of the first deletion; null for none. */
      until: Time.nullable(),
    }),
  },
  /** Downloads these files. */
  'files.downloadExpiring': { input: z.strictObject({ conversationId: Id }), output: nothing },

  /**
   * Fetches the description of a public https page, for a preview in a message of this person; null for none. Ends the call
   * before. The host refuses it unless the setting `linkPreviews` is on.
   */
  'links.preview': {
    input: z.strictObject({ url: z.string().min(1).max(2_048) }),
    output: z.strictObject({ page: PageOfLink.nullable() }),
  },
  /** Links in messages of a conversation, newest first, with their messages. None of a message request. */
  'links.list': {
    input: z.strictObject({
      conversationId: Id,
      /** The last one of the page before. */
      before: z.strictObject({ messageId: Id, place: Count }).optional(),
      limit: z.number().int().min(1).max(100),
    }),
    output: z.strictObject({
      links: z.array(z.strictObject({ messageId: Id, place: Count, href: z.string() })),
      messages: z.array(Message),
      hasOlder: z.boolean(),
    }),
  },

  /** Use of this computer's disk, and the chats with files on it: the largest first. Bytes of the encrypted form. */
  'storage.get': {
    input: z.strictObject({ limit: z.number().int().min(1).max(1_000) }),
    output: z.strictObject({
      messageBytes: Count,
      fileBytes: Count,
      chats: z.array(ChatUse),
      hasMore: z.boolean(),
    }),
  },
  /**
   * Removes the files of a conversation, or with null of all, from this computer. Messages stay, and so do files that are not
   * sent yet, or that another conversation contains.
   */
  'storage.clear': { input: z.strictObject({ conversationId: Id.nullable() }), output: nothing },

  /** The last backup, and the work in progress. */
  'backup.get': {
    input: nothing,
    output: z.strictObject({
      last: z.strictObject({ at: Time, bytes: Count }).nullable(),
      /** `checking` comes before a restore, `verifying` at the end of a backup. Only the ratio of the numbers is meaningful. */
      progress: z
        .strictObject({
          is: z.enum(['making', 'verifying', 'checking', 'restoring']),
          done: z.number(),
          total: z.number(),
        })
        .nullable(),
      /** Of the last backup or restore since the start. */
      problem: FailureShape.nullable(),
      /** Automatic backups, with the time and the failure of the last one; null for none. */
      folder: z
        .strictObject({ path: z.string(), at: Time.nullable(), problem: FailureShape.nullable() })
        .nullable(),
      /** A restore is incomplete. It continues when its file is chosen again. */
      isRestoreOpen: z.boolean(),
      /** The recovery phrase or private key is on this computer. */
      hasPhrase: z.boolean(),
      /** There is no backup of the last month, and the person has not postponed the reminder. */
      isDue: z.boolean(),
    }),
  },
  /** Postpones the reminder of a backup by a month. */
  'backup.remindLater': { input: nothing, output: nothing },
  /** Makes an automatic backup now. Its end is in `backup.get`. */
  'backup.folderNow': { input: nothing, output: nothing },
  /** Ends automatic backups. Those in the folder stay. */
  'backup.folderEnd': { input: nothing, output: nothing },
  /** Stops a backup or restore that is running. */
  'backup.stop': { input: nothing, output: nothing },
  /** Gives up an incomplete restore. What it has restored stays. */
  'backup.giveUp': { input: nothing, output: nothing },

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
  'groups.mintToken': {
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

  /** The devices certified by the person's wallet, this one first. */
  'devices.list': { input: nothing, output: z.array(OwnDevice) },
  /**
   * The wallet signs a list without another device, which then can neither read nor send. In all these calls `secret`
   * is the recovery phrase or private key, typed for this call; absent if this computer stores it.
   */
  'devices.revoke': {
    input: z.strictObject({ id: Id, secret: Secret.optional() }),
    output: z.array(OwnDevice),
  },
  /** Names a device for the person and their other devices. Null or empty removes the name. */
  'devices.rename': {
    input: z.strictObject({ id: Id, name: z.string().max(longest.name).nullable() }),
    output: z.array(OwnDevice),
  },
  /** Changes by own devices that were removed since, still in effect; at most 200, newest first. */
  'devices.changes': { input: nothing, output: z.array(DeviceChange) },
  /**
   * Kept changes become changes of this device; undone ones return to their previous value. Both are sent to all own
   * devices.
   */
  'devices.answerChanges': {
    input: z.strictObject({
      keys: z.array(z.string().max(128)).min(1).max(200),
      answer: z.enum(['keep', 'undo']),
    }),
    output: z.array(DeviceChange),
  },
  /**
   * Checks the code of a new computer while it is typed, without the relay; the reason for refusing it is in
   * `problem`.
   */
  'devices.checkCode': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ problem: FailureShape.nullable() }),
  },
  /** The computer waiting under a code. The name is its own claim. */
  'devices.findWaiting': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ id: Id, name: z.string(), expiresAt: Time }),
  },
  /**
   * The wallet signs a list with the computer waiting under a code, which then can read and write for the person. The
   * host asks for the passphrase if one is set and no secret is typed.
   */
  'devices.link': {
    input: z.strictObject({
      code: z.string().max(longest.code),
      passphrase: Passphrase.nullable(),
      secret: Secret.optional(),
    }),
    output: z.array(OwnDevice),
  },
  /** The wallet signs a list with this computer for another year. */
  'devices.renew': {
    input: z.strictObject({ secret: Secret.optional() }),
    output: z.array(OwnDevice),
  },
  /**
   * Deletes the recovery phrase from this computer. It must be typed, so that only a person who has it can do this.
   * The host also asks for the passphrase if one is set.
   */
  'devices.forgetSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable(), secret: Secret }),
    output: z.array(OwnDevice),
  },

  'developer.get': { input: nothing, output: DeveloperAccess },
  /**
   * The wallet signs that unsigned messages of programs are allowed; then the relay accepts API keys. With the
   * secret, unless this computer stores it.
   */
  'developer.unlock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /**
   * Revokes every API key; then the wallet signs that unsigned messages of programs are not allowed. With the secret,
   * unless this computer stores it.
   */
  'developer.lock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /** Only this answer contains the secret. */
  'developer.createKey': {
    input: z.strictObject({
      name: z.string().max(longest.name),
      entitlements: z.array(ApiKeyEntitlement).max(5),
      /** Null: no expiry. */
      days: z.number().int().min(1).max(3_650).nullable(),
    }),
    output: z.strictObject({ key: ApiKey, secret: z.string(), relayUrl: z.string() }),
  },
  'developer.revokeKey': { input: z.strictObject({ id: Id }), output: DeveloperAccess },

  /** Counts and states for an error report: only numbers and codes. */
  'diagnostics.counts': {
    input: nothing,
    output: z.strictObject({
      relay: z.enum(['none', 'embedded', 'other']),
      connection: z.enum(['none', 'online', 'connecting', 'offline']),
      /** The code of the failure of the connection to the relay. */
      problem: z.string().max(64).nullable(),
      /** Version of the cache's schema, and the size of its file in bytes. */
      version: Count,
      bytes: Count,
      contacts: Count,
      conversations: Count,
      requests: Count,
      groups: Count,
      messages: Count,
      queued: Count,
      failed: Count,
      quarantined: Count,
    }),
  },

  /** Finds one person by `@handle`, `handle` or address; the error has the reason for refusing the query. */
  'people.resolve': { input: z.strictObject({ query: z.string().max(longest.person) }), output: Person },
  /**
   * One page of the public directory: people whose handle contains the query, or whose display name matches it;
   * without a query, all.
   */
  'people.search': {
    input: z.strictObject({
      query: z.string().max(longest.name),
      /** Only handles that the relay's operator confirmed. */
      verifiedOnly: z.boolean(),
      cursor: z.string().max(512).nullable(),
    }),
    output: z.strictObject({ people: z.array(Person), nextCursor: z.string().nullable() }),
  },
  /** Records whether the person has compared this address with the one that its owner showed. */
  /** Known people whose handle or name contains the text, without asking the relay. */
  'people.known': {
    input: z.strictObject({ query: z.string().max(longest.name) }),
    output: z.array(Person).max(30),
  },
  'people.setVerified': {
    input: z.strictObject({ address: Address, verified: z.boolean() }),
    output: Conversation,
  },
  /** The person's private name for someone, on all own devices; null or no visible character removes it. */
  'people.setNickname': {
    input: z.strictObject({ address: Address, nickname: z.string().max(longest.name).nullable() }),
    output: Person,
  },
  'people.details': { input: z.strictObject({ address: Address }), output: ContactDetails },
  /** Chooses one of two contradicting device lists by its hash. Messages are sealed for it again. */
  'people.chooseList': {
    input: z.strictObject({ address: Address, hash: z.string().length(43) }),
    output: ContactDetails,
  },
} as const;

export const hostProcedures = {
  'host.info': {
    input: nothing,
    output: z.strictObject({
      kind: z.enum(['electron', 'browser']),
      version: z.string(),
      platform: z.string(),
      keyProtection: KeyProtection,
    }),
  },
  /** Restrictions by the desktop. */
  'host.desktop': { input: nothing, output: DesktopState },
  /** The conversation in front of the person; null for none, or if the window is not in use. */
  'host.attend': { input: z.strictObject({ conversationId: Id.nullable() }), output: nothing },
  /** The request of an opened `waxwing:` link, returned once: data for the person to confirm. */
  'host.takeLink': {
    input: nothing,
    output: z.strictObject({ contact: z.strictObject({ address: Address }).nullable() }),
  },
  /**
   * An error report as text: versions, settings, numbers, and the newest records of the log. No contents, names,
   * addresses, server names or secrets. Also available while locked.
   */
  'diagnostics.text': { input: nothing, output: z.strictObject({ text: z.string().max(65_536) }) },
  /**
   * An error of the interface, for the log, which stores its class and place. The message is needed only to remove it
   * from the stack.
   */
  'diagnostics.report': {
    input: z.strictObject({
      name: z.string().max(64),
      message: z.string().max(4_096),
      stack: z.string().max(16_384),
    }),
    /** Shown to the person, and recorded in the log. */
    output: z.strictObject({ id: z.string().max(16) }),
  },
  /** Shows the folder of the log if the host can; otherwise only its path is available. */
  'diagnostics.openLogs': {
    input: nothing,
    output: z.strictObject({ isOpened: z.boolean(), path: z.string().max(4_096) }),
  },
  'lock.state': { input: nothing, output: LockState },
  /** Sets the first passphrase if nothing else can protect the key. */
  'lock.choose': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.unlock': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  /** Unlocks with the recovery phrase or private key. A passphrase, if given, protects the key from then on. */
  'lock.recover': {
    input: z.strictObject({ secret: z.string().max(longest.secret), passphrase: Passphrase.nullable() }),
    output: LockState,
  },
  /** Tries the key store again. */
  'lock.retry': { input: nothing, output: LockState },
  /** Locks: closes the data and forgets the key, if a passphrase is set. */
  'lock.now': { input: nothing, output: LockState },
  /** Turns App lock on. */
  'lock.turnOn': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.turnOff': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.change': { input: z.strictObject({ passphrase: Passphrase, next: Passphrase }), output: LockState },
  /**
   * The recovery phrase, or the private key if there was none. Requires the passphrase if one is set. Desktop only.
   */
  'lock.revealSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable() }),
    output: z.strictObject({ kind: z.enum(['phrase', 'key']), secret: z.string() }),
  },
  /** Deletes identity and messages from this computer, and starts again. Requires the passphrase if one is set. */
  'lock.wipe': { input: z.strictObject({ passphrase: Passphrase.nullable() }), output: LockState },
  /** Restarts the app, so that Electron tries the key store again. Desktop only. */
  'host.restart': { input: nothing, output: nothing },
  /** Copies a text. A secret is removed from the clipboard after a minute if it is still there. Desktop only. */
  'clipboard.copy': {
    input: z.strictObject({ text: z.string().max(longest.message), isSecret: z.boolean() }),
    output: nothing,
  },
  /**
   * Saves a file that is here in a folder of the person's choice; false if the person cancels. Desktop only: a browser
   * downloads it from its address.
   */
  'files.save': { input: FilePlace, output: z.strictObject({ isSaved: z.boolean() }) },
  /**
   * Makes a backup in a place of the person's choice, opened by a passphrase of its own, by the recovery phrase, or by both.
   * False if the person cancels. In a browser, `download` is the path of the backup.
   */
  'backup.make': {
    input: BackupSecret,
    output: z.strictObject({ isMade: z.boolean(), download: z.string().nullable() }),
  },
  /** Begins automatic backups in a folder of the person's choice; false if the person cancels. Desktop only. */
  'backup.chooseFolder': { input: BackupSecret, output: z.strictObject({ isChosen: z.boolean() }) },
  /** Asks for the backup to restore, or for the folder with it; false if the person cancels. Desktop only. */
  'backup.choose': {
    input: z.strictObject({ from: z.enum(['file', 'folder']) }),
    output: z.strictObject({ isChosen: z.boolean() }),
  },
  /** Begins to write the backup to restore, in pieces to this path. For a browser. */
  'backup.upload': { input: z.strictObject({ size: Count }), output: z.strictObject({ path: z.string() }) },
  /**
   * Restores the backup that was chosen or written. Nothing changes before all of it is verified.
   * @param secret its passphrase, or the recovery phrase; null: the phrase on this computer
   */
  'backup.restore': {
    input: z.strictObject({ secret: z.string().min(1).max(longest.secret).nullable() }),
    /** Time of the backup, and the number of newer ones in its folder that could not be opened. */
    output: z.strictObject({ at: Time, skipped: Count }),
  },
  /**
   * Opens a file that is here in another program, after a question of the interface. Programs and scripts are refused.
   * Desktop only.
   */
  'files.launch': { input: FilePlace, output: nothing },
  /** Restarts the timer of the automatic lock: someone is using the interface. */
  'lock.active': { input: nothing, output: nothing },
  /** Update state of the app. Desktop only. */
  'updates.state': { input: nothing, output: UpdateState },
  /** Asks the update server now, and downloads a newer version. Returns afterwards. */
  'updates.check': { input: nothing, output: UpdateState },
  'settings.get': { input: nothing, output: Settings },
  'settings.set': { input: Settings.partial(), output: Settings },
} as const;

export const procedures = { ...engineProcedures, ...hostProcedures } as const;

/** Events of an engine or host: something changed, and its answers must be queried again. */
export const events = {
  /** Identity, handle or phase changed. */
  'app.changed': nothing,
  'connection.changed': Connection,
  /** Conversations were created, changed or removed: `conversations.get` has a new answer. */
  'conversations.changed': z.strictObject({ ids: z.array(Id) }),
  /** `people.details` has a new answer for these people. */
  'people.changed': z.strictObject({ addresses: z.array(Address) }),
  /** `groups.details` has a new answer for the groups of these conversations. */
  'groups.changed': z.strictObject({ conversationIds: z.array(Id) }),
  /** Bytes of a file on its way, of its sealed form. */
  'files.progress': z.strictObject({ ...FilePlace.shape, conversationId: Id, done: Count, total: Count }),
  /** Messages of a conversation were added or changed. */
  'messages.changed': z.strictObject({ conversationId: Id }),
  /** All messages are indexed: searches have complete answers. */
  'search.completed': nothing,
  /** The state of backups has changed. */
  'backup.changed': nothing,
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
    gist: MessagePreview,
    request: z.boolean(),
    /** True if it mentions the person. */
    mentionsMe: z.boolean(),
    /** True if its conversation is muted: the event is sent only because it mentions the person. */
    muted: z.boolean(),
  }),
  'settings.changed': Settings,
  /** `host.desktop` has a new answer. */
  'desktop.changed': nothing,
  'updates.changed': UpdateState,
  /** Locked, unlocked, or with a new protection. Unless it is open, no earlier answer may be shown. */
  'lock.changed': LockState,
  /** The connection to the engine is restored: events may be missing, query everything again. */
  'bridge.resumed': nothing,
  /** The host wants the interface to show a conversation, after a click on a notification. */
  /** A link was opened: `host.takeLink` returns its request. */
  'link.waiting': nothing,
  'navigate.conversation': z.strictObject({ conversationId: Id }),
} as const;

export type EngineProcedures = typeof engineProcedures;
export type HostProcedures = typeof hostProcedures;
export type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
export type Input<P extends ProcedureName> = z.input<Procedures[P]['input']>;
export type Output<P extends ProcedureName> = z.output<Procedures[P]['output']>;
export type Events = typeof events;
export type EventName = keyof Events;
export type EventPayload<E extends EventName> = z.output<Events[E]>;
export type RelayChoice = z.infer<typeof RelayChoice>;

/** Calls a procedure. Never rejects: the context bridge loses Error subclasses, so a failure is data. */
export type Call<P extends ProcedureName> = (input: Input<P>) => Promise<Answer<Output<P>>>;

/** The type of `window.waxwing`, for every transport. */
export interface Bridge {
  readonly calls: { readonly [P in ProcedureName]: Call<P> };
  /** Subscribes to an event; returns the function that unsubscribes. */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
}
