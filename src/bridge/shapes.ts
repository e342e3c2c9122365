/**
 * What a user interface sees of the world: plain data, validated at every boundary.
 *
 * What stands in more than one procedure or event of ./contract.ts, or in what a shape here is made of.
 * Addresses are EIP-55 text, times are milliseconds since 1970 (UTC), ids are opaque strings.
 */

import { z } from 'zod';
import { isPlainProxyUrl } from '../base/proxy-address.ts';
import { FailureShape } from './failure.ts';
import { longest } from './longest.ts';
import { listWidths, textSizes, timerBounds } from './setting-bounds.ts';

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
export const Time = z.number().int().nonnegative();
export const Id = z.string().min(1).max(128);

/** A device of the person's own, and their name for it; null: not named. */
export const NamedDevice = z.strictObject({ id: z.string(), name: z.string().nullable() });
export type NamedDevice = z.infer<typeof NamedDevice>;

/**
 * How the sender of a message is known. `verified` was proven by the sender's own wallet, `bot` by a bot that the group's
 * chain names. Nobody signed `api`, and `token`, which came by a group token.
 */
export const Trust = z.enum(['self', 'verified', 'bot', 'api', 'token']);
export type Trust = z.infer<typeof Trust>;

/** Where an own message is on its way. `received` is for messages of others. */
export const MessageState = z.enum(['queued', 'sent', 'failed', 'received']);
export type MessageState = z.infer<typeof MessageState>;

/**
 * What people say of an own message that was sent: that all who got it have it, or have read it. `none` where one of them
 * says nothing, where nobody is asked to, and of messages of others.
 */
export const Delivery = z.enum(['none', 'delivered', 'read']);
export type Delivery = z.infer<typeof Delivery>;

export const Person = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** What the person calls them, shown in place of the display name. Nobody else ever sees it. */
  nickname: z.string().nullable(),
  /** The relay's operator vouches for the handle. Says nothing about keys. */
  handleVerified: z.boolean(),
});
export type Person = z.infer<typeof Person>;

/** After how long messages disappear; 0 for never. Others set what they like within these bounds. */
export const Seconds = z.union([z.literal(0), z.number().int().min(timerBounds.least).max(timerBounds.most)]);

/** A line of a timeline that is nobody's message. */
export const TimelineEvent = z.strictObject({
  /**
   * What `who` became: `owner`, `admin`, or with `noAdmin` no longer one. `missing`: something that they sent did not
   * come, and they have not sent it again. `timer`: after how long messages disappear, they have set anew.
   */
  type: z.enum(['joined', 'left', 'owner', 'admin', 'noAdmin', 'missing', 'timer']),
  who: Person,
  /** Who made them owner or admin; null where that is not known, and of all else. */
  by: Person.nullable(),
  /** Of a timer: seconds, 0 for never. Null of all else. */
  seconds: Seconds.nullable(),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** What lists and notifications say of a message: src/words/gists.ts has the words. */
export const MessagePreview = z.strictObject({
  /** As of a message. */
  kind: z.string().min(1).max(32),
  fields: z.record(z.string(), z.json()),
  /** The beginning of what is read; empty for what has a look of its own. */
  text: z.string(),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** The message that a reply is about, as this device knows it now. */
export const Quote = z.strictObject({
  /**
   * `here`: it can be jumped to. `other`: its sender means another message than the one here. `deleted`: there were words,
   * and they are erased. `missing`: it is not here.
   */
  is: z.enum(['here', 'other', 'deleted', 'missing']),
  /** Null unless it is here, or was deleted. */
  id: Id.nullable(),
  author: Person.nullable(),
  /** What the bot is called that wrote it, empty where that is not known; null where none did. */
  bot: z.string().nullable(),
  /** Null unless it is here. */
  gist: MessagePreview.nullable(),
});
export type Quote = z.infer<typeof Quote>;

/** A person in a text, by places as JavaScript counts them. */
export const PlacedMention = z.strictObject({
  from: z.number().int().nonnegative(),
  to: z.number().int().positive(),
  person: Person,
});
export type PlacedMention = z.infer<typeof PlacedMention>;

/** The same, as it is written: what does not count is left out (src/engine/writing/mentions.ts). */
export const WrittenMention = z.strictObject({
  from: PlacedMention.shape.from,
  to: PlacedMention.shape.to,
  address: Address,
});
export type WrittenMention = z.infer<typeof WrittenMention>;

/** Who reacted to a message with one emoji. */
export const Reaction = z.strictObject({
  /** One grapheme. */
  emoji: z.string(),
  count: z.number().int().positive(),
  isMine: z.boolean(),
  /** The first of them, at most 50, the person first. */
  people: z.array(Person),
});
export type Reaction = z.infer<typeof Reaction>;
/** Emoji that are told of one message. */
export const MOST_REACTIONS = 20;

/** What the person may do with a message now. Everything else can be done with every message that has words. */
export const MessageRights = z.strictObject({
  /** Reply to it, react to it and forward it. */
  refer: z.boolean(),
  edit: z.boolean(),
  deleteForEveryone: z.boolean(),
  pin: z.boolean(),
});
export type MessageRights = z.infer<typeof MessageRights>;

/** That a message disappears. */
export const Disappearing = z.strictObject({
  /** Seconds after it was sent; of messages of others, after it was read. */
  after: z.number().int().positive(),
  /** When; null while it is not sent, or not read. */
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
   * A kind of src/messaging/contents; or `newer`: this version does not know it, and the sender says in `text` what to
   * show instead; or `event`; or `deleted`: its words are erased for everyone.
   */
  kind: z.string().min(1).max(32),
  /** Of kind `event` only: then nothing but the times means anything. */
  event: TimelineEvent.nullable(),
  /** What the look of its kind needs beside the text, as the kind's file says. */
  fields: z.record(z.string(), z.json()),
  text: z.string(),
  sentAt: Time,
  /** When this device stored it: the order of the timeline. */
  storedAt: Time,
  /** When it was sent, as people read it: also of what this device fetched much later. Never after `storedAt`. */
  at: Time,
  state: MessageState,
  delivery: Delivery,
  trust: Trust,
  /**
   * What wrote it in the place of a person: a bot that signed it, or where `trust` is 'token' what the server says; null where that is not
   * known. `key` tells it from others. Its name is the owner's choice, and empty where there is none.
   */
  bot: z.strictObject({ key: z.string(), name: z.string() }).nullable(),
  /** In a group: what its chain tells beside the message; null for nothing. */
  roster: z
    .strictObject({
      /** Who had been removed ten minutes before it was written, without its sender knowing. */
      unaware: z.array(Person),
      /** Its sender knows of changes that the relay does not show. */
      isBeyond: z.boolean(),
    })
    .nullable(),
  /** Why it has failed, or for what it waits. */
  problem: FailureShape.nullable(),
  replyTo: Quote.nullable(),
  mentions: z.array(PlacedMention),
  /** Most first. */
  /** The most frequent, and the person's own. */
  reactions: z.array(Reaction).max(MOST_REACTIONS),
  /** How many other emoji there are. */
  moreReactions: z.number().int().nonnegative(),
  /** When it was edited last; null if it never was. */
  editedAt: Time.nullable(),
  /** Of kind `deleted` only: who erased it. */
  deletedBy: Person.nullable(),
  forwarded: z.boolean(),
  pinned: z.boolean(),
  /** Null if it stays. */
  disappears: Disappearing.nullable(),
  can: MessageRights,
});
export type Message = z.infer<typeof Message>;

/** What is known of how a message came, or went. */
export const MessageInfo = z.strictObject({
  id: Id,
  conversationId: Id,
  author: Person,
  trust: Trust,
  /** What the bot is called that wrote it, empty where that is not known; null where none did. */
  bot: z.string().nullable(),
  /** As its sender says. */
  writtenAt: Time,
  /** When it was sealed, as its sender says. */
  sentAt: Time,
  /** When the server had it; null of what was written on this computer. */
  receivedAt: Time.nullable(),
  /** The device that signed it; null where none did. */
  device: z.strictObject({ id: Id, isThis: z.boolean() }).nullable(),
  /** Number of the device list that the sender names as theirs; null if they name none. */
  listSequence: z.number().int().positive().nullable(),
  /** Whether the person held the sender's address against the one that they gave them. */
  isVerified: z.boolean(),
  /** Whether a quantum computer could not open it: no copy of what was sent here, else the one that came. Null before. */
  postQuantum: z.boolean().nullable(),
  /** Who got an own message, and what they say of it. Null where nobody is asked to say it, and of messages of others. */
  recipients: z.array(z.strictObject({ person: Person, delivery: Delivery })).nullable(),
  /** Null if it stays. */
  disappears: Disappearing.nullable(),
  /** How often it was edited, as far as that is kept. */
  edits: z.number().int().nonnegative(),
});
export type MessageInfo = z.infer<typeof MessageInfo>;

/** How people get into a group; with an invitation always. */
const JoinWay = z.enum(['open', 'password', 'invite']);
export type JoinWay = z.infer<typeof JoinWay>;

/** How people are to get into a group, with the password if that is the way. */
export const JoinSetting = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('open') }),
  z.strictObject({ mode: z.literal('password'), password: z.string().max(longest.groupPassword) }),
  z.strictObject({ mode: z.literal('invite') }),
]);
export type JoinSetting = z.infer<typeof JoinSetting>;

/** A group as the list of conversations shows it. */
export const Group = z.strictObject({
  /** The relay's id. */
  groupId: Id,
  name: z.string(),
  /** The relay's operator vouches for the name. */
  verified: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  join: JoinWay,
  isCreator: z.boolean(),
  /** False after the person has left or was removed: nothing can be sent, nothing comes. */
  joined: z.boolean(),
  isAdmin: z.boolean(),
  /** Why nothing is sent to it; null if something is. */
  problem: FailureShape.nullable(),
  /** Whether the person can go on all the same. */
  canGoOn: z.boolean(),
});
export type Group = z.infer<typeof Group>;

/** Until a time, or for good. */
export const Muted = z.union([Time, z.literal('always')]);
export type Muted = z.infer<typeof Muted>;

const conversationFields = {
  id: Id,
  /**
   * `request`: an unknown person wrote first, or a program wrote to them with the person's API key; nothing is answered
   * until the person accepts.
   */
  state: z.enum(['accepted', 'request', 'blocked']),
  unread: z.number().int().nonnegative(),
  /** Of those, how many mention the person. */
  unreadMentions: z.number().int().nonnegative(),
  /** Id of the first message not read yet, when the conversation was fetched. */
  firstUnreadId: Id.nullable(),
  /** The same, of the first that mentions the person. */
  firstMentionId: Id.nullable(),
  draft: z.string(),
  draftMentions: z.array(WrittenMention),
  /** The person has marked it unread: `unread` counts from their mark on, and may be 0. */
  markedUnread: z.boolean(),
  /** Until when it asks for no attention: no notifications, and not in what is counted as unread. Never in the past. */
  mutedUntil: Muted.nullable(),
  /** Stands above the others. */
  pinned: z.boolean(),
  /** Stands in a list of its own. */
  archived: z.boolean(),
  /** After how many seconds what is written in it disappears; 0 for never. */
  timer: Seconds,
  /** When the last message was stored; where there is none, when the conversation was made. Lists are in this order. */
  activeAt: Time,
  last: z
    .strictObject({
      gist: MessagePreview,
      at: Time,
      outgoing: z.boolean(),
      state: MessageState,
      delivery: Delivery,
      /** Who wrote it. */
      author: Person,
      /** What the bot is called that wrote it, empty where that is not known; null where none did. */
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
  /** Whether the contact has written. If not, a request is what a program began with the person's API key. */
  peerHasWritten: z.boolean(),
  /** Whether the contact has written, or told that messages came. If not, they see what is written as a message request. */
  peerHasAccepted: z.boolean(),
  /** How many certified devices the contact added and removed, which the person has not been told of yet. */
  devicesChange: z
    .strictObject({
      at: Time,
      added: z.number().int().nonnegative(),
      removed: z.number().int().nonnegative(),
    })
    .nullable(),
  /** When the person held the address against the one that the contact gave them; null if they have not. */
  verifiedAt: Time.nullable(),
  /** The other own device that verified it; null for this one, or where the address is not verified. */
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

export const ContactDevice = z.strictObject({
  id: Id,
  type: z.enum(['app', 'api']),
  validUntil: Time,
});
export type ContactDevice = z.infer<typeof ContactDevice>;

/** One of two device lists of a contact that contradict each other, both signed. */
export const DeviceListSide = z.strictObject({
  /** Names the list: SHA-256 of its text, base64url. */
  hash: z.string().length(43),
  /** Its number. */
  sequence: z.number().int().positive(),
  /** When it was signed, by the clock of the device that did. */
  issuedAt: Time,
  devices: z.array(ContactDevice),
  /** Whether the relay showed it last. */
  isShown: z.boolean(),
});
export type DeviceListSide = z.infer<typeof DeviceListSide>;

/** All that is known about a contact, for the details pane. */
export const ContactDetails = z.strictObject({
  person: Person,
  /** Sequence of the pinned device list; 0 while none was seen. */
  listSequence: z.number().int().nonnegative(),
  devices: z.array(ContactDevice),
  /** Ids of those whose messages a quantum computer could read one day: they have no post-quantum key. */
  notPostQuantum: z.array(Id),
  /** Whether the owner allows messages that no device signed. */
  unsigned: z.array(z.literal('api')),
  firstSeenAt: Time.nullable(),
  /** When a device of theirs signed something at the relay last, if that is longer ago than it should be. */
  notSeenSince: Time.nullable(),
  /** Why what the relay shows of them now does not count, or not all of it; null if nothing is wrong. */
  problem: z
    .strictObject({
      /**
       * `waiting`: their newest devices are not shown. `fork`: the person has to choose a list. `unproven`: what the
       * relay shows does not prove itself. `old-key`: an old key was shown and skipped, and all else is well.
       */
      kind: z.enum(['waiting', 'fork', 'unproven', 'old-key']),
      failure: FailureShape,
    })
    .nullable(),
  /** Two signed device lists that contradict each other: nothing is sent until the person chooses one. */
  fork: z.strictObject({ known: DeviceListSide, other: DeviceListSide }).nullable(),
});
export type ContactDetails = z.infer<typeof ContactDetails>;

/** A group in the public directory. */
export const GroupListing = z.strictObject({
  groupId: Id,
  name: z.string(),
  verified: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  join: JoinWay,
  /** Whom to ask to be let in; null where the group has no owner any more. */
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
  /** How many devices of theirs can read what is sent now. */
  devices: z.number().int().nonnegative(),
  /** Why nothing is sealed for them, null if nothing is wrong. */
  problem: FailureShape.nullable(),
});
export type GroupMember = z.infer<typeof GroupMember>;

/** A bot token, without its secret. `signs`: its bot has a key of its own, which the group's chain names. */
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

/** All that the group panel shows. */
export const GroupDetails = z.strictObject({
  conversationId: Id,
  group: Group,
  description: z.string(),
  createdAt: Time,
  members: z.array(GroupMember),
  /** Whom this device invited, and who has not joined yet. For the creator and admins only. */
  invited: z.array(Person).nullable(),
  /** For the creator only. */
  botTokens: z.array(BotToken).nullable(),
  /** Bots with keys of their own that no token posts for, as far as the relay shows them. For the creator only. */
  lostBots: z.array(z.strictObject({ key: z.string(), name: z.string() })).nullable(),
  /** Whether members show what a bot token posted and nobody signed. */
  unsignedBots: z.boolean(),
});
export type GroupDetails = z.infer<typeof GroupDetails>;

/** A device of the person's own. */
export const OwnDevice = z.strictObject({
  id: Id,
  /** As the person named it, on any of their devices; null: not named. */
  name: z.string().nullable(),
  type: z.enum(['app', 'api']),
  isThis: z.boolean(),
  validUntil: Time,
  /** Since when its seal key is the one that it is; null if it has none that can be used. */
  sealKeySince: Time.nullable(),
  /** Whether the recovery phrase is kept there; null where this computer cannot know. */
  keepsPhrase: z.boolean().nullable(),
});
export type OwnDevice = z.infer<typeof OwnDevice>;

/** What an own device set that was removed since, and that still stands. */
export const DeviceChange = z.strictObject({
  /** By which it is answered. */
  key: z.string().max(128),
  mark: z.enum([
    'verified',
    'blocked',
    'nickname',
    'muted',
    'pinned',
    'archived',
    'displayName',
    'timer',
    'deviceName',
  ]),
  /** The person's or the group's name, without a nickname; null: it is about the person themselves. */
  subject: z.string().nullable(),
  /** Whether it was set; false: taken away. */
  isSet: z.boolean(),
  /** A name that was set. */
  text: z.string().nullable(),
  /** The name before. */
  before: z.string().nullable(),
  device: NamedDevice,
});
export type DeviceChange = z.infer<typeof DeviceChange>;

/** What an API key may be allowed to do. */
export const ApiKeyEntitlement = z.enum([
  'directory:read',
  'envelopes:send',
  'inbox:read',
  'groups:read',
  'groups:send',
  'blobs',
]);
export type ApiKeyEntitlement = z.infer<typeof ApiKeyEntitlement>;

/** An API key, without its secret. */
export const ApiKey = z.strictObject({
  ...BotToken.omit({ signs: true }).shape,
  entitlements: z.array(z.string()),
  expiresAt: Time.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Developer API access: whether programs may act in the person's name, and with which keys. */
export const DeveloperAccess = z.strictObject({
  unlocked: z.boolean(),
  /** The relay's own documentation. */
  docsUrl: z.string(),
  /** Newest first, revoked ones too. */
  keys: z.array(ApiKey),
});
export type DeveloperAccess = z.infer<typeof DeveloperAccess>;

export const Connection = z.strictObject({
  state: z.enum(['online', 'connecting', 'offline']),
  /** The last failure, while not online. */
  problem: FailureShape.nullable(),
  /** The relay has taken no new key of this computer for a week. */
  isKeyOverdue: z.boolean(),
  nextRetryAt: Time.nullable(),
  /** Own messages waiting for the relay. */
  queued: z.number().int().nonnegative(),
});
export type Connection = z.infer<typeof Connection>;

export const Me = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  deviceId: Id,
  relayUrl: z.string(),
  /** Whether the recovery phrase, or the private key, is kept on this computer. */
  keepsPhrase: z.boolean(),
  /** When this computer can no longer sign in, if that is soon and it cannot renew itself; else null. */
  endsAt: Time.nullable(),
});
export type Me = z.infer<typeof Me>;

/** The end of the account at its relay: planned, until when it can be cancelled, or done. */
export const Deletion = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('planned'), at: Time }),
  z.strictObject({ kind: z.literal('done') }),
]);
export type Deletion = z.infer<typeof Deletion>;

/** How the key of the local database is protected on this machine. */
export const KeyProtection = z.strictObject({
  kind: z.enum(['os-key-store', 'passphrase', 'file']),
});
export type KeyProtection = z.infer<typeof KeyProtection>;

/** Whether the data is open, and what can be done about it if it is not. */
export const LockState = z.strictObject({
  /** `opening`: the key is there, and the engine is being started. */
  phase: z.enum(['opening', 'choose-passphrase', 'locked', 'open']),
  /** Why it is locked. Only `passphrase` is opened by one; the others by the key store or the recovery phrase. */
  because: z.enum(['passphrase', 'store-changed', 'store-missing', 'store-refused', 'other-host']).nullable(),
  /** Whether the recovery phrase or private key opens it. */
  canBeRecovered: z.boolean(),
  /** Whether nothing but a passphrase can protect the key on this machine. */
  needsPassphrase: z.boolean(),
  /** Wrong passphrases since the last right one. */
  failedAttempts: z.number().int().nonnegative(),
  /** Milliseconds until the next attempt is taken. */
  wait: z.number().nonnegative(),
  /** While it is locked: whether something has come to the relay since. Nobody here has looked at what. */
  messagesWaiting: z.boolean(),
});
export type LockState = z.infer<typeof LockState>;

/** A time of day by the clock of this computer: `22:30`. */
export const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** How servers on other computers are reached. Those on this computer never are through a proxy. */
export const ProxySetting = z.discriminatedUnion('kind', [
  /** As the system says: Electron's answer in the desktop app, HTTPS_PROXY and NO_PROXY in the browser host. */
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('address'),
    address: z.string().max(longest.proxy).refine(isPlainProxyUrl),
  }),
]);
export type ProxySetting = z.infer<typeof ProxySetting>;

/** Of a language, as BCP 47 has it: `en-US`. */
const LanguageName = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/);
/** In which spelling is checked at once: each has its dictionary in memory. */
const MOST_LANGUAGES = 5;

export const Settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** Of all text, in percent. */
  textSize: z.literal(textSizes),
  density: z.enum(['comfortable', 'compact']),
  /** Of the list of chats, in pixels at a text size of 100; the smallest shows faces alone. */
  listWidth: z.union([
    z.literal(listWidths.rail),
    z.number().int().min(listWidths.least).max(listWidths.most),
  ]),
  /** What sends a message: Enter, or Enter with Ctrl or Cmd, where Enter begins a line. */
  sendWith: z.enum(['enter', 'mod-enter']),
  /** Whether others are told that a message came. Who does not tell it does not see it. */
  deliveredReceipts: z.boolean(),
  /** Whether others are told that a message was read. Who does not tell it does not see it. */
  readReceipts: z.boolean(),
  /** What the number on the app's icon counts: unread messages, those that mention the person, or unread chats. */
  badgeCounts: z.enum(['all', 'mentions', 'chats']),
  /** Whether a message that mentions the person notifies them in a chat that is muted. */
  mentionsPassMute: z.boolean(),
  /** Whether closing the window keeps polling in the tray; null: where the desktop has one (desktop only). */
  keepInTray: z.boolean().nullable(),
  notifications: z.enum(['full', 'name', 'hidden', 'off']),
  /** Whether a notification makes a sound. */
  notificationSound: z.boolean(),
  /** No notifications between these times, also over midnight; null: at any time. */
  quietHours: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable(),
  /** No notifications until then. */
  notificationsPausedUntil: Time.nullable(),
  /** Whether the app starts, hidden, when the person logs in (desktop only). */
  startAtLogin: z.boolean(),
  /** Locks after so many minutes in which nobody did anything, where a passphrase is set; null: never. */
  autoLockMinutes: z.literal([1, 5, 15, 60]).nullable(),
  /** Locks with the system's screen and before it sleeps, where a passphrase is set (desktop only). */
  lockWithScreen: z.boolean(),
  /** Whether the system is asked to leave the window out of screenshots (desktop only; not on Linux). */
  contentProtection: z.boolean(),
  /** Whether spelling is checked (desktop only); null: where the system has a checker of its own. */
  spellCheck: z.boolean().nullable(),
  /** In which languages (desktop only; not on macOS); empty: in those of the system. */
  spellCheckLanguages: z.array(LanguageName).max(MOST_LANGUAGES),
  proxy: ProxySetting,
  /** Which releases this app takes (desktop only). */
  updateChannel: z.enum(['stable', 'beta']),
  /** Whether it asks for new releases without being told to (desktop only). */
  checkForUpdates: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** What the desktop lets the app do, whatever Settings say. */
export const DesktopState = z.strictObject({
  /** Whether there is a tray, from where a window that was closed comes back. */
  hasTray: z.boolean(),
  /** Whether the system has refused to show the newest notification. */
  notificationsFail: z.boolean(),
  /** Languages of which there are dictionaries; empty where the system checks spelling by itself, or the browser. */
  dictionaries: z.array(LanguageName).max(500),
});
export type DesktopState = z.infer<typeof DesktopState>;

/** How far the update of the app itself is. */
export const UpdateState = z.strictObject({
  /**
   * `available`: there is a newer one, which the person installs. `ready`: downloaded, and installed when the app is
   * quit. `unavailable`: this copy does not look for updates.
   */
  phase: z.enum([
    'idle',
    'checking',
    'current',
    'available',
    'downloading',
    'ready',
    'failed',
    'unavailable',
  ]),
  /** The one that is available, downloading or ready. */
  version: z.string().nullable(),
  /** Whether this copy installs what it finds; otherwise it only tells of it. */
  installs: z.boolean(),
  /** Why it failed, where it did. */
  problem: FailureShape.nullable(),
});
export type UpdateState = z.infer<typeof UpdateState>;
