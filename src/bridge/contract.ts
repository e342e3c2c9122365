/**
 * The contract between a user interface and an engine, with its host in between.
 *
 * Every call is a name and one input object; every name has a schema for what goes in and what comes out.
 * `engineProcedures` are answered by the engine's worker thread, `hostProcedures` by the host itself
 * (Electron's main process, or the browser host).
 *
 * Names and schemas alone: a procedure stands with the others of its area, and what two of them share is a shape (./shapes.ts).
 */

import { z } from 'zod';
import type { Answer } from './failure.ts';
import { FailureShape } from './failure.ts';
import { longest } from './longest.ts';
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
  Person,
  Seconds,
  Settings,
  Time,
  UpdateState,
  WrittenMention,
} from './shapes.ts';

const nothing = z.strictObject({});
const Passphrase = z.string().max(longest.passphrase);
const Secret = z.string().max(longest.secret);
/** A code for a new account, if the relay requires one. */
const Invitation = z.string().max(longest.invitation);
const Count = z.number().int().min(0);
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
  'profile.save': {
    input: z.strictObject({
      handle: z.string().max(longest.name).optional(),
      displayName: z.string().max(longest.name),
    }),
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
  /** Makes another member the creator, and the old one an admin. Tokens of the old one end. */
  'groups.transfer': {
    input: z.strictObject({ conversationId: Id, address: Address }),
    output: GroupDetails,
  },
  /** The person goes on, though the relay shows others another chain, or a device that was removed has changed something. */
  'groups.goOn': { input: z.strictObject({ conversationId: Id }), output: nothing },
  /**
   * A bot token, and unless it is to be `alone` a key with which its bot signs. The secrets are in this answer and nowhere
   * else, ever; the relay never has the key. For the creator.
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
  /** Takes the key of a bot out of the group, whatever tokens there are. For the creator. */
  'groups.removeBot': {
    input: z.strictObject({ conversationId: Id, key: z.string().max(64) }),
    output: GroupDetails,
  },
  /** True if members show what a bot token posted and nobody signed. For the creator. */
  'groups.setUnsignedBots': {
    input: z.strictObject({ conversationId: Id, allowed: z.boolean() }),
    output: GroupDetails,
  },

  /** The devices that the person's wallet has certified, this one first. */
  'devices.list': { input: nothing, output: z.array(OwnDevice) },
  /**
   * The wallet signs the next list without another device, which then can neither read nor send. In each call here
   * `secret` is the recovery phrase or private key, typed for this once; left out where it is kept on this computer.
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
  /** What own devices set that were removed since, and that still stands; at most 200, newest first. */
  'devices.changes': { input: nothing, output: z.array(DeviceChange) },
  /** What is kept becomes the word of this device; what is undone is as it was before. Both go to all own devices. */
  'devices.answerChanges': {
    input: z.strictObject({
      keys: z.array(z.string().max(128)).min(1).max(200),
      answer: z.enum(['keep', 'undo']),
    }),
    output: z.array(DeviceChange),
  },
  /** Checks the code of a new computer as it is typed; `problem` says what is wrong with it. The relay is not asked. */
  'devices.checkCode': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ problem: FailureShape.nullable() }),
  },
  /** Who waits under a code. The name is what that computer says of itself. */
  'devices.findWaiting': {
    input: z.strictObject({ code: z.string().max(longest.code) }),
    output: z.strictObject({ id: Id, name: z.string(), expiresAt: Time }),
  },
  /**
   * The wallet signs the next list with the computer that waits under a code, which can then read and write as the
   * person. The host asks for the passphrase, where one is set and no secret is typed.
   */
  'devices.link': {
    input: z.strictObject({
      code: z.string().max(longest.code),
      passphrase: Passphrase.nullable(),
      secret: Secret.optional(),
    }),
    output: z.array(OwnDevice),
  },
  /** The wallet signs the next list with this computer for another year. */
  'devices.renew': {
    input: z.strictObject({ secret: Secret.optional() }),
    output: z.array(OwnDevice),
  },
  /**
   * Takes the recovery phrase off this computer. It is typed, so that nobody does this who does not have it; the host
   * asks for the passphrase, too, where one is set.
   */
  'devices.forgetSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable(), secret: Secret }),
    output: z.array(OwnDevice),
  },

  'developer.get': { input: nothing, output: DeveloperAccess },
  /**
   * The wallet signs that unsigned messages of programs may be accepted; then the relay lets API keys in. With the secret,
   * where it is not kept here.
   */
  'developer.unlock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /**
   * Every API key stops working; then the wallet signs that no unsigned message of a program is to be accepted. With the
   * secret, where it is not kept here.
   */
  'developer.lock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /** The secret is in this answer and nowhere else, ever. */
  'developer.createKey': {
    input: z.strictObject({
      name: z.string().max(longest.name),
      entitlements: z.array(ApiKeyEntitlement).max(5),
      /** Null: it never expires. */
      days: z.number().int().min(1).max(3_650).nullable(),
    }),
    output: z.strictObject({ key: ApiKey, secret: z.string(), relayUrl: z.string() }),
  },
  'developer.revokeKey': { input: z.strictObject({ id: Id }), output: DeveloperAccess },

  /** What there is and how it goes, for a report of a fault: numbers and codes, and nothing of what they count. */
  'diagnostics.counts': {
    input: nothing,
    output: z.strictObject({
      relay: z.enum(['none', 'embedded', 'other']),
      connection: z.enum(['none', 'online', 'connecting', 'offline']),
      /** The code of the failure for which the relay is not there. */
      problem: z.string().max(64).nullable(),
      /** Number of the schema of the cache, and the bytes of its file. */
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

  /** Finds one person by `@handle`, `handle` or address; the error says what is wrong with the query. */
  'people.resolve': { input: z.strictObject({ query: z.string().max(longest.person) }), output: Person },
  /** One page of the public directory: whose handle begins like the query or contains it, or who is called so; all without one. */
  'people.search': {
    input: z.strictObject({
      query: z.string().max(longest.name),
      /** Only handles that the relay's operator confirmed. */
      verifiedOnly: z.boolean(),
      cursor: z.string().max(512).nullable(),
    }),
    output: z.strictObject({ people: z.array(Person), nextCursor: z.string().nullable() }),
  },
  /** The person has, or has not, held this address against the one that its owner gave them. */
  /** People whom this device knows already and whose handle or name contains the text, without asking the relay. */
  'people.known': {
    input: z.strictObject({ query: z.string().max(longest.name) }),
    output: z.array(Person).max(30),
  },
  'people.setVerified': {
    input: z.strictObject({ address: Address, verified: z.boolean() }),
    output: Conversation,
  },
  /** What the person calls someone, on all own devices and nowhere else; null or nothing visible takes it away. */
  'people.setNickname': {
    input: z.strictObject({ address: Address, nickname: z.string().max(longest.name).nullable() }),
    output: Person,
  },
  'people.details': { input: z.strictObject({ address: Address }), output: ContactDetails },
  /** The person chose one of two device lists that contradict each other, by its hash. It is sealed for again. */
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
  /** What the desktop does not let the app do. */
  'host.desktop': { input: nothing, output: DesktopState },
  /** Which conversation is in front of the person now; null if none is, or they look elsewhere. */
  'host.attend': { input: z.strictObject({ conversationId: Id.nullable() }), output: nothing },
  /** What a `waxwing:` link asks for, once: data, to be confirmed by the person. */
  'host.takeLink': {
    input: nothing,
    output: z.strictObject({ contact: z.strictObject({ address: Address }).nullable() }),
  },
  /**
   * A report of a fault, as text: versions, settings, numbers, and the newest records of the log. No contents, names,
   * addresses, names of servers or secrets. Also while it is locked.
   */
  'diagnostics.text': { input: nothing, output: z.strictObject({ text: z.string().max(65_536) }) },
  /**
   * An error of the interface itself, for the log, which takes its class and where it was thrown. The message is there so
   * that it is found in the stack and left out.
   */
  'diagnostics.report': {
    input: z.strictObject({
      name: z.string().max(64),
      message: z.string().max(4_096),
      stack: z.string().max(16_384),
    }),
    /** What the person is shown, and the log has. */
    output: z.strictObject({ id: z.string().max(16) }),
  },
  /** Shows the folder of the log, where the host can; otherwise its path is all that there is to show. */
  'diagnostics.openLogs': {
    input: nothing,
    output: z.strictObject({ isOpened: z.boolean(), path: z.string().max(4_096) }),
  },
  'lock.state': { input: nothing, output: LockState },
  /** The first passphrase, where nothing else can protect the key. */
  'lock.choose': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.unlock': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  /** Opens with the recovery phrase or private key. A passphrase, if given, protects the key from then on. */
  'lock.recover': {
    input: z.strictObject({ secret: z.string().max(longest.secret), passphrase: Passphrase.nullable() }),
    output: LockState,
  },
  /** Asks the key store once more. */
  'lock.retry': { input: nothing, output: LockState },
  /** Closes the data and forgets the key, where a passphrase is set. */
  'lock.now': { input: nothing, output: LockState },
  /** Turns App lock on. */
  'lock.turnOn': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.turnOff': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.change': { input: z.strictObject({ passphrase: Passphrase, next: Passphrase }), output: LockState },
  /** The recovery phrase, or the private key where there was none. With the passphrase, where one is set. Desktop only. */
  'lock.revealSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable() }),
    output: z.strictObject({ kind: z.enum(['phrase', 'key']), secret: z.string() }),
  },
  /** Deletes identity and messages from this computer, and begins again. With the passphrase, where one is set. */
  'lock.wipe': { input: z.strictObject({ passphrase: Passphrase.nullable() }), output: LockState },
  /** Ends the app and starts it again, which is when Electron asks the key store again. Desktop only. */
  'host.restart': { input: nothing, output: nothing },
  /** Copies a text; a secret leaves the clipboard after a minute, unless it has left before. Desktop only. */
  'clipboard.copy': {
    input: z.strictObject({ text: z.string().max(longest.message), isSecret: z.boolean() }),
    output: nothing,
  },
  /** Someone is using the interface: the automatic lock counts from here. */
  'lock.active': { input: nothing, output: nothing },
  /** Of the app itself. Desktop only. */
  'updates.state': { input: nothing, output: UpdateState },
  /** Asks the update server now, and downloads what is newer. Answers when that is done. */
  'updates.check': { input: nothing, output: UpdateState },
  'settings.get': { input: nothing, output: Settings },
  'settings.set': { input: Settings.partial(), output: Settings },
} as const;

export const procedures = { ...engineProcedures, ...hostProcedures } as const;

/** What an engine or host tells without being asked: something changed, query what it names again. */
export const events = {
  /** Identity, handle or phase changed. */
  'app.changed': nothing,
  'connection.changed': Connection,
  /** Conversations that were made, changed or removed: what `conversations.get` answers is another now. */
  'conversations.changed': z.strictObject({ ids: z.array(Id) }),
  /** What `people.details` answers of these people is another now. */
  'people.changed': z.strictObject({ addresses: z.array(Address) }),
  /** What `groups.details` answers of the groups of these conversations is another now. */
  'groups.changed': z.strictObject({ conversationIds: z.array(Id) }),
  /** Messages of a conversation were added or changed. */
  'messages.changed': z.strictObject({ conversationId: Id }),
  /** Messages were erased because their time was over: what was told of them is taken back. */
  'messages.expired': z.strictObject({ conversationId: Id, ids: z.array(Id) }),
  /** A message arrived that deserves a notification; the host decides whether and how. */
  'message.arrived': z.strictObject({
    conversationId: Id,
    messageId: Id,
    from: Person,
    /** What the bot is called that wrote it, empty where that is not known; null where none did. */
    bot: z.string().nullable(),
    /** Name of the group that it came into; null for a direct message. */
    group: z.string().nullable(),
    gist: MessagePreview,
    request: z.boolean(),
    /** True if it mentions the person. */
    mentionsMe: z.boolean(),
    /** True if its conversation is muted: it is told of only because it mentions the person. */
    muted: z.boolean(),
  }),
  'settings.changed': Settings,
  /** What `host.desktop` answers is another now. */
  'desktop.changed': nothing,
  'updates.changed': UpdateState,
  /** Locked, unlocked, or protected in another way. While it is not open, nothing that was asked before may be shown. */
  'lock.changed': LockState,
  /** The way to the engine was interrupted and is there again: events may have been missed, ask everything again. */
  'bridge.resumed': nothing,
  /** The host wants the interface to show a conversation, after a click on a notification. */
  /** A link was opened: `host.takeLink` tells which. */
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

/**
 * Calls a procedure. Never rejects: Error subclasses do not survive the context bridge, so failure is data.
 */
export type Call<P extends ProcedureName> = (input: Input<P>) => Promise<Answer<Output<P>>>;

/** What `window.waxwing` is, whatever carries it. */
export interface Bridge {
  readonly calls: { readonly [P in ProcedureName]: Call<P> };
  /** Listens to an event; returns the function that stops listening. */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
}
