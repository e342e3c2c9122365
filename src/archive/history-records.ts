/**
 * The history of an account as records: the content of a backup, an export, an import and the history for a new computer. They are
 * plain JSON and do not depend on the columns of the cache. Keys of devices, sessions and API access, the wallet, the outbox and
 * numbers of messages to send are in none of them.
 *
 * Messages name places by numbers of their source: `arrival` rises in the order of arrival there, and `place` and `late` order a
 * timeline. Only their order is meaningful.
 */
import { z } from 'zod';
import { GroupId, MAX_MENTIONS, Mention } from '../messaging/contents/fields.ts';
import { ChainPin } from '../messaging/groups/chain-memory.ts';
import { MAX_SPANS } from '../messaging/receipts/coverage.ts';
import { SignedTrust } from '../messaging/trust/address-trust.ts';
import { AttachedFile } from '../protocol/blob/file.ts';
import { MAX_FILE_BYTES } from '../protocol/blob/layout.ts';
import { exceedsJsonLimits, MAX_DEPTH } from '../protocol/json.ts';
import { Bytes, Label, Text, WireAddress, WireTime } from '../protocol/primitives.ts';
import { RosterBot, RosterEntry, Timer } from '../protocol/roster/forms.ts';
import { TIMER } from '../protocol/roster/limits.ts';

/** Version of these forms. A reader refuses a later one. */
export const HISTORY_VERSION = 1;
/** A body as JSON, in bytes. A payload is shorter. */
const MAX_BODY_BYTES = 128 * 1024;
const MAX_EDITS = 100;
export const MAX_REACTIONS = 10_000;

/** Milliseconds since 1970. */
const Time = z.number().int().min(0).max(8_640_000_000_000_000);
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Far from the limits, so that sums of two are exact. */
const Order = z
  .number()
  .int()
  .min(-(2 ** 50))
  .max(2 ** 50);
const DeviceId = Bytes(16);
const Version = z.strictObject({ sentAt: WireTime, id: Bytes(16), sender: WireAddress });

const Json = z.unknown().refine(isBounded);

/** Reports whether a value can be stored. */
function isBounded(value: unknown): boolean {
  try {
    const text = JSON.stringify(value) ?? '';
    return Buffer.byteLength(text) <= MAX_BODY_BYTES && !exceedsJsonLimits(text, { levels: MAX_DEPTH });
  } catch {
    return false; // Nested so deeply that it overflows the stack.
  }
}

/** Name of a conversation: the address of the partner, or the id of the group. */
const ConversationName = z.union([WireAddress, GroupId]);

/** The source. The first record. */
const AccountRecord = z.strictObject({
  type: z.literal('account'),
  version: z.number().int().min(1),
  address: WireAddress,
  handle: z.string().max(80).nullable(),
  displayName: z.string().max(200).nullable(),
  at: Time,
  /** Greatest `arrival` of its messages. */
  lastArrival: Order,
});
export type AccountRecord = z.infer<typeof AccountRecord>;

/** Profile of a person, or picture of a group, as they sent it. */
const Profile = z.strictObject({
  name: z.string().max(200).nullable(),
  about: z.string().max(1000).nullable(),
  picture: AttachedFile.nullable(),
  version: Version,
});

const ContactRecord = z.strictObject({
  type: z.literal('contact'),
  address: WireAddress,
  handle: z.string().max(80).nullable(),
  displayName: Label.nullable().catch(null),
  /** As the source saw it, for exports. A merge does not believe it. */
  handleVerified: z.boolean(),
  /** True if the relay removed the mark of a verified handle: it returns only after the person looks up the handle. */
  markLost: z.boolean(),
  firstSeenAt: Time,
  hadChat: z.boolean(),
  /** The timer of disappearing messages in the chat; null: never set. */
  timer: Version.extend({ seconds: Timer }).nullable(),
  /** Device lists that the wallet signed: the pinned one is never rolled back. */
  trust: SignedTrust.nullable(),
  profile: Profile.nullable(),
});
export type ContactRecord = z.infer<typeof ContactRecord>;

/**
 * A group without its chain, which only the relay can show: a stolen device can write any state. The chain is read from
 * its first entry.
 */
const GroupRecord = z.strictObject({
  type: z.literal('group'),
  groupId: GroupId,
  /** Shown until the chain is read. */
  name: z.string().max(400),
  /** The newest known entry; null for none. */
  pin: ChainPin.nullable(),
  /** An entry that the relay hides or has replaced. It is checked again, as anyone who had that device can have invented it. */
  missing: RosterEntry.nullable(),
  profile: Profile.nullable(),
});
export type GroupRecord = z.infer<typeof GroupRecord>;

const ConversationRecord = z.strictObject({
  type: z.literal('conversation'),
  conversation: ConversationName,
  state: z.enum(['accepted', 'request', 'blocked']),
  /** State to which the end of a block returns; null: none, or not blocked. */
  beforeBlock: z.enum(['accepted', 'request']).nullable(),
  draft: z.string().max(100_000),
  draftMentions: z.array(z.strictObject({ from: Count, to: Count, address: WireAddress })).max(1000),
  updatedAt: Time,
  /** `arrival` of the last message up to which everything is read. */
  readUpTo: Order,
  /** Version of the last read position, which ends earlier marks as unread; null: never read. */
  readAt: z.strictObject({ sentAt: WireTime, id: Bytes(16) }).nullable(),
});
export type ConversationRecord = z.infer<typeof ConversationRecord>;

/** A setting that the person's devices share, such as a nickname or a block. */
const SettingRecord = z.strictObject({
  type: z.literal('setting'),
  key: Text(128),
  value: Json,
  sentAt: WireTime,
  id: Bytes(16),
  /** The device that signed it: this is the source itself for its own settings. */
  deviceId: DeviceId,
  /** The device that set it first, according to that one; null: the same. */
  by: DeviceId.nullable(),
});
export type SettingRecord = z.infer<typeof SettingRecord>;

const Covered = z.array(z.tuple([Count, Count])).max(MAX_SPANS);

/** Receipts of a person for the messages of a device. */
const ReceiptRecord = z.strictObject({
  type: z.literal('receipt'),
  conversation: ConversationName,
  address: WireAddress,
  deviceId: DeviceId,
  delivered: Covered,
  read: Covered,
});
export type ReceiptRecord = z.infer<typeof ReceiptRecord>;

const EventRecord = z.strictObject({
  type: z.enum([
    ...['joined', 'left', 'owner', 'admin', 'noAdmin', 'missing', 'timer', 'name', 'picture'],
    ...['groupPicture', 'linkMade', 'linkCanceled'],
  ] as const),
  address: WireAddress,
  by: WireAddress.optional(),
  seconds: Timer.optional(),
  before: z.string().max(400).optional(),
});

const BotRecord = z.union([
  RosterBot,
  z.strictObject({ token: z.string().max(128), name: z.string().max(400) }),
]);

/** A message, or an event of a timeline. */
const MessageRecord = z.strictObject({
  type: z.literal('message'),
  conversation: ConversationName,
  arrival: Order,
  place: Order,
  /** Greater than 0: it is shown after its place, by this time of writing. */
  late: Time,
  sender: WireAddress,
  id: Bytes(16),
  sentAt: Time,
  storedAt: Time,
  receivedAt: Time,
  /** `unsent`: it was queued, or its sending failed. */
  state: z.enum(['received', 'sent', 'unsent']),
  trust: z.enum(['self', 'verified', 'bot', 'api', 'token', 'imported']),
  bot: BotRecord.nullable(),
  roster: z.strictObject({ unaware: z.array(WireAddress).max(5000), isBeyond: z.boolean() }).nullable(),
  deviceId: DeviceId.nullable(),
  digest: z.string().max(64).nullable(),
  suite: z.union([z.literal(1), z.literal(2)]).nullable(),
  mentionsMe: z.boolean(),
  /** As signed. Of a deleted message: its frame. Of an event: empty. */
  body: z.record(z.string(), z.unknown()).refine(isBounded),
  edits: z
    .array(
      z.strictObject({
        version: Version,
        text: z.string().max(MAX_BODY_BYTES),
        mentions: z.array(Mention).max(MAX_MENTIONS).readonly(),
      }),
    )
    .max(MAX_EDITS),
  reactions: z
    .array(
      z.strictObject({
        /** Separates a person's signed and unsigned reactions, and bots. */
        voice: z.string().min(1).max(128),
        address: WireAddress,
        emoji: z.array(z.string().max(64)).max(5),
        version: Version,
      }),
    )
    .max(MAX_REACTIONS),
  pin: z.strictObject({ pinned: z.boolean(), version: Version }).nullable(),
  deletedBy: WireAddress.nullable(),
  lifetime: z
    .strictObject({
      expires: z.number().int().min(1).max(TIMER.most),
      beganAt: Time.nullable(),
      endsAt: Time,
    })
    .nullable(),
  event: EventRecord.nullable(),
});
export type MessageRecord = z.infer<typeof MessageRecord>;

/** A file of messages or faces whose bytes are there. Its name and description are in the message. */
export const FileRecord = z.strictObject({
  type: z.literal('file'),
  key: Bytes(32),
  digest: Bytes(32),
  size: z.number().int().min(0).max(MAX_FILE_BYTES),
});
export type FileRecord = z.infer<typeof FileRecord>;

export const HistoryRecord = z.discriminatedUnion('type', [
  AccountRecord,
  ContactRecord,
  GroupRecord,
  ConversationRecord,
  SettingRecord,
  ReceiptRecord,
  MessageRecord,
  FileRecord,
]);
export type HistoryRecord = z.infer<typeof HistoryRecord>;
