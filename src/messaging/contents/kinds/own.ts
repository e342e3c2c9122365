/** `own.*`: messages between the devices of one person. */

import { z } from 'zod';
import { AttachedFile } from '../../../protocol/blob/file.ts';
import { encodeUtf8 } from '../../../protocol/encoding.ts';
import { InvitationCode } from '../../../protocol/invitation-code.ts';
import { exceedsJsonLimits, MAX_DEPTH } from '../../../protocol/json.ts';
import { Bytes, Name, Text, WireAddress, WireTime } from '../../../protocol/primitives.ts';
import { Timer } from '../../../protocol/roster/forms.ts';
import { Handle } from '../../../protocol/schemas/directory.ts';
import { isWireAddress } from '../../../protocol/wire-address.ts';
import { Conversation, GroupId, isEachOnce, MessageId } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { About, Picture } from './profile.ts';

/** Read position of a conversation. It never moves backwards. */
export const OwnReadContent = z.looseObject({
  kind: z.literal('own.read'),
  conversation: Conversation,
  upTo: MessageId,
});
export type OwnReadContent = z.infer<typeof OwnReadContent>;

/** Changes no message: settings of own devices are stored beside the conversations. */
export const ownRead = controlKind({ name: 'own.read', channels: ['direct'], schema: OwnReadContent });

/** Entries of one `own.set`. */
export const MAX_ENTRIES = 50;
const MAX_VALUE_BYTES = 4 * 1024;
/** Limit of all entries together, as JSON in UTF-8. */
export const MAX_ENTRIES_BYTES = 32 * 1024;

/** Size of a value as JSON in UTF-8. Infinite for a value that is not JSON, or nested too deeply. */
export function jsonBytes(value: unknown): number {
  try {
    return encodeUtf8(JSON.stringify(value)).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const Entry = z.looseObject({
  key: Text(128),
  /** Null removes the value. */
  value: z.unknown().refine((value) => value !== undefined && jsonBytes(value) <= MAX_VALUE_BYTES),
  /** The device that first set it, if the sender repeats it. */
  by: Bytes(16).optional(),
});

/** Levels around the value of an entry: the body, the list and the entry. */
const LEVELS_AROUND = 3;

/**
 * Reports whether a setting fits into an `own.set`. A longer one cannot be sealed, and others refuse a more deeply nested one together
 * with the settings beside it.
 * @param value of JSON
 */
export function isSendableSetting(key: string, value: unknown): boolean {
  const levels = MAX_DEPTH - LEVELS_AROUND;
  return Entry.safeParse({ key, value }).success && !exceedsJsonLimits(JSON.stringify(value), { levels });
}

/** Settings shared by all own devices. Each key is a separate register; unknown keys are stored. */
export const OwnSetContent = z.looseObject({
  kind: z.literal('own.set'),
  entries: z
    .array(Entry)
    .min(1)
    .max(MAX_ENTRIES)
    .refine(
      (entries) => isEachOnce(entries.map(({ key }) => key)) && jsonBytes(entries) <= MAX_ENTRIES_BYTES,
    ),
});
export type OwnSetContent = z.infer<typeof OwnSetContent>;

/** Changes no message: settings of own devices are stored beside the conversations. */
export const ownSet = controlKind({ name: 'own.set', channels: ['direct'], schema: OwnSetContent });

/** Parts of one history: far more than those of a full disk. */
export const MAX_PARTS = 1_000_000;
const partNumber = z.number().int().min(1).max(MAX_PARTS);

/** One part of the history for a linked computer that requested it. */
export const OwnHistoryContent = z
  .looseObject({
    kind: z.literal('own.history'),
    /** Chosen by the computer that requests it. */
    snapshot: Bytes(16),
    /** Starts at 1. */
    part: partNumber,
    /** Number of all parts: an estimate, and greater than `part`, except in the last one. */
    parts: partNumber,
    file: AttachedFile,
  })
  .refine(({ part, parts }) => part <= parts);
export type OwnHistoryContent = z.infer<typeof OwnHistoryContent>;

/** Changes no message: parts are merged outside of the contents. */
export const ownHistory = controlKind({
  name: 'own.history',
  channels: ['direct'],
  schema: OwnHistoryContent,
});

/** Request of a linked computer for the history, from a part on. It has all parts before. */
export const OwnHistoryRequestContent = z.looseObject({
  kind: z.literal('own.history.request'),
  snapshot: Bytes(16),
  from: z
    .number()
    .int()
    .min(1)
    .max(MAX_PARTS + 1),
});
export type OwnHistoryRequestContent = z.infer<typeof OwnHistoryRequestContent>;

/** Changes no message. */
export const ownHistoryRequest = controlKind({
  name: 'own.history.request',
  channels: ['direct'],
  schema: OwnHistoryRequestContent,
});

/** End of a history before its last part, by either computer. */
export const OwnHistoryEndContent = z.looseObject({
  kind: z.literal('own.history.end'),
  snapshot: Bytes(16),
});
export type OwnHistoryEndContent = z.infer<typeof OwnHistoryEndContent>;

/** Changes no message. */
export const ownHistoryEnd = controlKind({
  name: 'own.history.end',
  channels: ['direct'],
  schema: OwnHistoryEndContent,
});

const isSet = z.literal(true);
/** Values by prefix. The part after the slash is a peer or a group. */
const VALUES = {
  /** Forever, or until a time. */
  muted: z.union([isSet, z.looseObject({ until: WireTime })]),
  pinned: isSet,
  archived: isSet,
  nickname: Name,
  blocked: isSet,
  verified: isSet,
  /** Unread from this message on. */
  unread: MessageId,
  /** Timer of a direct conversation, for a newly linked device that did not receive it from either side. */
  timer: z.looseObject({ seconds: Timer, sentAt: WireTime, id: Bytes(16), sender: WireAddress }),
} as const;

/** Settings of the person, without a conversation. */
const SETTINGS = {
  name: Name,
  /** Claimed at the relay. The other devices request it from the relay. */
  handle: Handle,
  about: About,
  avatar: Picture,
  /** Timer of new chats, in seconds. */
  timer: Timer,
} as const;

/** Reports whether this version knows an entry, with a valid value. Others are stored and ignored. */
export function isKnownSetting(key: string, value: unknown): boolean {
  const slash = key.indexOf('/');
  const [prefix, subject] = [key.slice(0, slash), key.slice(slash + 1)];
  const schema = prefix === 'setting' ? settingSchema(subject) : subjectSchema(prefix, subject);
  return schema !== null && (value === null || schema.safeParse(value).success);
}

/** An open invite link of the person; its token follows. */
const INVITE = 'invite';
const InviteToken = Bytes(16);
export const OwnInvite = z.looseObject({
  madeAt: WireTime,
  /** Code for an account at the relay, if it requires one. */
  invitation: InvitationCode.optional(),
});
export type OwnInvite = z.infer<typeof OwnInvite>;

/**
 * The `own.set` key of an open invite link. Null as value: spent or cancelled.
 * @param token 16 bytes in base64url
 */
export const inviteKey = (token: string): string => `${INVITE}/${token}`;

/** The person's name for one of their devices. */
const DEVICE_NAME = 'device';
const DeviceId = Bytes(16);

/**
 * The `own.set` key of a device name.
 * @param deviceId 16 bytes in base64url
 */
export const deviceNameKey = (deviceId: string): string => `${DEVICE_NAME}/${deviceId}`;

/** The person's decision to keep the changes by a removed device. */
const KEPT = 'kept';
const KEPT_MESSAGES = 'messages';
const KEPT_PICTURE = 'picture';

/**
 * The `own.set` key of the decision to keep a field of a group. The value is the hash of the entry that set it.
 * @param field of src/protocol/roster/set-fields.ts
 */
export const keptChangeKey = (groupId: string, field: string): string => `${KEPT}/${groupId}/${field}`;

/**
 * The `own.set` key of the decision to keep the messages of a device in a chat.
 * @param name wire address or group id
 * @param deviceId 16 bytes in base64url
 */
export const keptMessagesKey = (name: string, deviceId: string): string =>
  `${KEPT}/${name}/${KEPT_MESSAGES}/${deviceId}`;

/** The `own.set` key of the decision to keep the picture of a group. The value is the `sentAt` of the picture. */
export const keptPictureKey = (groupId: string): string => `${KEPT}/${groupId}/${KEPT_PICTURE}`;

/** The secret of an invite link into an own group, for the other own devices. */
export const GroupLinkSecret = z.looseObject({ seed: Bytes(32) });
const GROUP_LINK = 'link';
const LinkKey = Bytes(32);

/**
 * The `own.set` key of the secret of an invite link.
 * @param key the link's public key, 32 bytes in base64url
 */
export const groupLinkKey = (groupId: string, key: string): string => `${GROUP_LINK}/${groupId}/${key}`;

function linkSchema(subject: string): z.ZodType | null {
  const [groupId = '', key = '', ...rest] = subject.split('/');
  const isLink = GroupId.safeParse(groupId).success && LinkKey.safeParse(key).success && rest.length === 0;
  return isLink ? GroupLinkSecret : null;
}

const EntryHash = Bytes(32);

function keptSchema(subject: string): z.ZodType | null {
  const [name = '', field = '', ...rest] = subject.split('/');
  const isGroup = GroupId.safeParse(name).success;
  if (field === KEPT_MESSAGES)
    return (isGroup || isWireAddress(name)) && DeviceId.safeParse(rest.join('/')).success ? isSet : null;
  if (field === KEPT_PICTURE) return isGroup ? WireTime : null;
  return isGroup && field !== '' ? EntryHash : null;
}

function settingSchema(name: string): z.ZodType | null {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS] : null;
}

function subjectSchema(prefix: string, subject: string): z.ZodType | null {
  if (prefix === KEPT) return keptSchema(subject);
  if (prefix === INVITE) return InviteToken.safeParse(subject).success ? OwnInvite : null;
  if (prefix === GROUP_LINK) return linkSchema(subject);
  if (prefix === DEVICE_NAME) return DeviceId.safeParse(subject).success ? Name : null;
  if (!isWireAddress(subject) && !GroupId.safeParse(subject).success) return null;
  return Object.hasOwn(VALUES, prefix) ? VALUES[prefix as keyof typeof VALUES] : null;
}
