/**
 * Data shapes for a user interface: plain data, validated at every boundary.
 *
 * Shapes used by more than one procedure or event of ./contract.ts, with their parts. Addresses are EIP-55
 * text, times are milliseconds since 1970 (UTC), ids are opaque strings.
 */

import { z } from 'zod';
import { isPlainProxyUrl } from '../base/proxy-address.ts';
import { FailureShape } from './failure.ts';
import { MessageFile, MOST_FILES } from './files.ts';
import { longest } from './longest.ts';
import { timerBounds } from './setting-bounds.ts';

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
export const Time = z.number().int().nonnegative();
export const Id = z.string().min(1).max(128);

/** An own device with the person's name for it; null: not named. */
export const NamedDevice = z.strictObject({ id: z.string(), name: z.string().nullable() });
export type NamedDevice = z.infer<typeof NamedDevice>;

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

export const Person = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** The person's private name for them, shown in place of the display name. */
  nickname: z.string().nullable(),
  /** True if the relay's operator confirms the handle. Unrelated to keys. */
  handleVerified: z.boolean(),
  /** Id of the picture that they chose, for `pictures.open`; null without one. */
  picture: Id.nullable(),
});
export type Person = z.infer<typeof Person>;

/** Lifetime of messages in seconds; 0 for never. Others may choose any value within these bounds. */
export const Seconds = z.union([z.literal(0), z.number().int().min(timerBounds.least).max(timerBounds.most)]);

/** A line of a timeline that is not a message. */
export const TimelineEvent = z.strictObject({
  /**
   * New role of `who`: `owner`, `admin`, or `noAdmin`. `missing`: a message of theirs is missing, and they
   * have not sent it again. `timer`: they have changed the timer. `name` and `picture`: they have changed theirs.
   * `groupPicture`: they have changed the picture of the group.
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

/** Preview of a message for lists and notifications: src/words/previews.ts has the texts. */
export const MessagePreview = z.strictObject({
  /** Same as of a message. */
  kind: z.string().min(1).max(32),
  fields: z.record(z.string(), z.json()),
  /** The beginning of the text or caption. */
  text: z.string(),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

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
  gist: MessagePreview.nullable(),
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
export const MOST_REACTIONS = 20;

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

/** A page as its server describes it, for a preview. Texts are on one line, without invisible characters. */
export const PageOfLink = z.strictObject({
  title: z.string().min(1).max(300),
  description: z.string().max(500).nullable(),
  /** A PNG, JPEG, GIF or WebP by its first bytes, at most 512 KiB, base64. */
  image: z.string().max(699_052).nullable(),
});
export type PageOfLink = z.infer<typeof PageOfLink>;

/** A preview for sending. Its picture is drawn anew: at most 16,384 bytes of WebP or JPEG, base64. */
export const PreviewToSend = z.strictObject({
  url: z.string().min(1).max(2_048),
  ...PageOfLink.shape,
  image: z.string().max(21_848).nullable(),
});
export type PreviewToSend = z.infer<typeof PreviewToSend>;

/** A preview by the sender. Except for the host, its data are claims. */
export const LinkPreview = z.strictObject({
  ...PreviewToSend.shape,
  /** Host and port of the link, in ASCII. */
  host: z.string().min(1),
});
export type LinkPreview = z.infer<typeof LinkPreview>;

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
  files: z.array(MessageFile).max(MOST_FILES),
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
  /** Most frequent first. */
  /** The most frequent, and the person's own. */
  reactions: z.array(Reaction).max(MOST_REACTIONS),
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
   * Recipients of an own message with their receipts. Null if no receipts are expected, and for messages of
   * others.
   */
  recipients: z.array(z.strictObject({ person: Person, delivery: Delivery })).nullable(),
  /** Null if it does not disappear. */
  disappears: Disappearing.nullable(),
  /** Number of stored edits. */
  edits: z.number().int().nonnegative(),
});
export type MessageInfo = z.infer<typeof MessageInfo>;

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
  isAdmin: z.boolean(),
  /** Reason for not sending to it; null if sending is possible. */
  problem: FailureShape.nullable(),
  /** True if the person can continue all the same. */
  canGoOn: z.boolean(),
});
export type Group = z.infer<typeof Group>;

/** Until a time, or forever. */
export const Muted = z.union([Time, z.literal('always')]);
export type Muted = z.infer<typeof Muted>;

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
      gist: MessagePreview,
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

export const ContactDevice = z.strictObject({
  id: Id,
  type: z.enum(['app', 'api']),
  validUntil: Time,
});
export type ContactDevice = z.infer<typeof ContactDevice>;

/** One of two signed device lists of a contact that contradict each other. */
export const DeviceListSide = z.strictObject({
  /** Id of the list: SHA-256 of its text, base64url. */
  hash: z.string().length(43),
  /** Its number. */
  sequence: z.number().int().positive(),
  /** Time of signing, by the clock of the signing device. */
  issuedAt: Time,
  devices: z.array(ContactDevice),
  /** True if the relay showed it last. */
  isShown: z.boolean(),
});
export type DeviceListSide = z.infer<typeof DeviceListSide>;

/** All known facts about a contact, for the details pane. */
export const ContactDetails = z.strictObject({
  person: Person,
  /** Their own text about themselves; null without one. */
  about: z.string().nullable(),
  /** Sequence of the pinned device list; 0 while none was seen. */
  listSequence: z.number().int().nonnegative(),
  devices: z.array(ContactDevice),
  /** Ids of devices without a post-quantum key: a quantum computer could read their messages one day. */
  notPostQuantum: z.array(Id),
  /** True if the owner allows unsigned messages. */
  unsigned: z.array(z.literal('api')),
  firstSeenAt: Time.nullable(),
  /** Time of the last signature of their devices at the relay, if it is too long ago. */
  notSeenSince: Time.nullable(),
  /** Reason why the relay's data about them does not count, or only in part; null for none. */
  problem: z
    .strictObject({
      /**
       * `waiting`: their newest devices are not shown. `fork`: the person has to choose a list. `unproven`:
       * the relay's data does not prove itself. `old-key`: an old key was skipped, and the others are used.
       */
      kind: z.enum(['waiting', 'fork', 'unproven', 'old-key']),
      failure: FailureShape,
    })
    .nullable(),
  /** Two signed device lists that contradict each other: sending stops until the person chooses one. */
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

/** A device of the person's own. */
export const OwnDevice = z.strictObject({
  id: Id,
  /** The person's name for it, set on any of their devices; null: not named. */
  name: z.string().nullable(),
  type: z.enum(['app', 'api']),
  isThis: z.boolean(),
  validUntil: Time,
  /** Start of its current seal key; null without a usable one. */
  sealKeySince: Time.nullable(),
  /** True if the recovery phrase is stored there; null if this computer cannot know. */
  keepsPhrase: z.boolean().nullable(),
});
export type OwnDevice = z.infer<typeof OwnDevice>;

/** A current value set by an own device that was removed since. */
export const DeviceChange = z.strictObject({
  /** Key for the answer. */
  key: z.string().max(128),
  mark: z.enum([
    'verified',
    'blocked',
    'nickname',
    'muted',
    'pinned',
    'archived',
    'displayName',
    'about',
    'avatar',
    'timer',
    'deviceName',
  ]),
  /** The person's or the group's name, without a nickname; null: it is about the person themselves. */
  subject: z.string().nullable(),
  /** True if it was set; false: removed. */
  isSet: z.boolean(),
  /** The new name. */
  text: z.string().nullable(),
  /** The previous name. */
  before: z.string().nullable(),
  device: NamedDevice,
});
export type DeviceChange = z.infer<typeof DeviceChange>;

/** Rights of an API key. */
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

/** Developer API access: whether programs may act in the person's name, and their keys. */
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
  /** The relay has stored no new key of this computer for a week. */
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
  /** A text about themselves, for contacts and groups. */
  about: z.string().nullable(),
  /** Id of their picture, for `pictures.open`; null without one. */
  picture: Id.nullable(),
  deviceId: Id,
  relayUrl: z.string(),
  /** True if the recovery phrase, or the private key, is stored on this computer. */
  keepsPhrase: z.boolean(),
  /** End of this computer's certificate, if it is soon and this computer cannot renew it; else null. */
  endsAt: Time.nullable(),
});
export type Me = z.infer<typeof Me>;

/** The end of the account at its relay: planned, with its last time for cancelling, or done. */
export const Deletion = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('planned'), at: Time }),
  z.strictObject({ kind: z.literal('done') }),
]);
export type Deletion = z.infer<typeof Deletion>;

/** Protection of the local database's key on this machine. */
export const KeyProtection = z.strictObject({
  kind: z.enum(['os-key-store', 'passphrase', 'file']),
});
export type KeyProtection = z.infer<typeof KeyProtection>;

/** Reports whether the data is open, and the possible actions if it is not. */
export const LockState = z.strictObject({
  /** `opening`: the key is available, and the engine is starting. */
  phase: z.enum(['opening', 'choose-passphrase', 'locked', 'open']),
  /**
   * Reason of the lock. Only `passphrase` is opened by one; the others by the key store or the recovery
   * phrase.
   */
  because: z.enum(['passphrase', 'store-changed', 'store-missing', 'store-refused', 'other-host']).nullable(),
  /** True if the recovery phrase or private key opens it. */
  canBeRecovered: z.boolean(),
  /** True if only a passphrase can protect the key on this machine. */
  needsPassphrase: z.boolean(),
  /** Number of wrong passphrases since the last right one. */
  failedAttempts: z.number().int().nonnegative(),
  /** Milliseconds until the next attempt is allowed. */
  wait: z.number().nonnegative(),
  /** While locked: whether messages have arrived at the relay. They are neither opened nor acknowledged. */
  messagesWaiting: z.boolean(),
});
export type LockState = z.infer<typeof LockState>;

/** A time of day by the clock of this computer: `22:30`. */
export const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Proxy for servers on other computers. Servers on this computer are always reached directly. */
export const ProxySetting = z.discriminatedUnion('kind', [
  /**
   * The system's proxy: from Electron in the desktop app, from HTTPS_PROXY and NO_PROXY in the browser host.
   */
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('address'),
    address: z.string().max(longest.proxy).refine(isPlainProxyUrl),
  }),
]);
export type ProxySetting = z.infer<typeof ProxySetting>;

/** A language in BCP 47: `en-US`. */
export const LanguageName = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/);
/** Restrictions by the desktop, regardless of settings. */
export const DesktopState = z.strictObject({
  /** True if there is a tray, from which a closed window can be opened again. */
  hasTray: z.boolean(),
  /** True if the system has refused the last notification. */
  notificationsFail: z.boolean(),
  /** Languages with a dictionary; empty if the system or the browser checks spelling. */
  dictionaries: z.array(LanguageName).max(500),
});
export type DesktopState = z.infer<typeof DesktopState>;

/** Progress of the app's update. */
export const UpdateState = z.strictObject({
  /**
   * `available`: a newer version, installed by the person. `ready`: downloaded, and installed at the next
   * quit. `unavailable`: this copy does not check for updates.
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
  /** The version that is available, downloading or ready. */
  version: z.string().nullable(),
  /**
   * Date of the newest release that the update server offers, from its signed manifest, in milliseconds since 1970. With
   * `current` only.
   */
  newestFrom: z.number().nullable(),
  /** True if this copy installs updates; otherwise it only reports them. */
  installs: z.boolean(),
  /** Reason of a failure. */
  problem: FailureShape.nullable(),
});
export type UpdateState = z.infer<typeof UpdateState>;
