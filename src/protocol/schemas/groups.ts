/**
 * Groups, their members' keys, their tokens, and sealed sends into them.
 */
import { z } from 'zod';
import { DEFAULT_LIMITS, DIRECTORY_PAGE } from '../limits.ts';
import { PublishedDeviceList, PublishedSealKey } from './directory.ts';
import { SendResult, sealedFields } from './envelopes.ts';
import {
  Bytes,
  Cursor,
  Key,
  Label,
  OpaqueId,
  QueryFlag,
  QueryInteger,
  WireAddress,
  WireTime,
} from './primitives.ts';

const GroupName = Label(80);
const Description = z.string().max(1_000);
const Password = z.string().min(1).max(256);

export const GroupSearch = z.strictObject({
  /** The caller's own groups instead of the public directory. */
  mine: QueryFlag.optional(),
  q: z.string().min(1).max(80).optional(),
  limit: QueryInteger(1, DIRECTORY_PAGE.most).optional(),
  cursor: Cursor.optional(),
});

export const GroupEntry = z.object({
  id: OpaqueId,
  name: z.string(),
  verified: z.boolean(),
  memberCount: z.number().int().nonnegative(),
  hasPassword: z.boolean(),
});
export type GroupEntry = z.infer<typeof GroupEntry>;

export const GroupPage = z.object({ groups: z.array(GroupEntry), nextCursor: Cursor.nullable() });
export type GroupPage = z.infer<typeof GroupPage>;

export const GroupRequest = z.strictObject({
  name: GroupName,
  description: Description.optional(),
  password: Password.optional(),
});

/** Fields that are absent stay as they are; a null password removes it. */
export const GroupChange = z.strictObject({
  name: GroupName.optional(),
  description: Description.optional(),
  password: Password.nullable().optional(),
});

/** What is shown of a group token after it was minted. */
export const BotToken = z.object({
  id: OpaqueId,
  name: z.string(),
  prefix: z.string(),
  createdAt: WireTime,
  lastUsedAt: WireTime.nullable(),
  revokedAt: WireTime.nullable(),
});
export type BotToken = z.infer<typeof BotToken>;

export const GroupView = GroupEntry.extend({
  description: z.string(),
  creator: WireAddress,
  createdAt: WireTime,
  members: z.array(WireAddress),
  /** The X25519 keys to seal to, by member. */
  memberDeviceKeys: z.record(WireAddress, z.array(Key)),
  /** What proves these keys, by member; a member without devices has none. */
  memberDevices: z.record(
    WireAddress,
    z.object({ deviceList: PublishedDeviceList, sealKeys: z.array(PublishedSealKey) }),
  ),
  /** SHA-256 of the members' 20-byte addresses, sorted, one after the other. */
  membersHash: Bytes(32),
  /** For the creator and for this group's tokens only. */
  botTokens: z.array(BotToken).optional(),
});
export type GroupView = z.infer<typeof GroupView>;

export const GroupParams = z.strictObject({ id: OpaqueId });
export const MemberParams = z.strictObject({ id: OpaqueId, address: WireAddress });
export const TokenParams = z.strictObject({ id: OpaqueId, tokenId: OpaqueId });

export const JoinRequest = z.strictObject({ password: Password.optional() });

export const TokenRequest = z.strictObject({ name: Label(64) });

/** The only answer that ever carries the secret. */
export const NewToken = z.object({
  id: OpaqueId,
  name: z.string(),
  prefix: z.string(),
  createdAt: WireTime,
  secret: z.string(),
});
export type NewToken = z.infer<typeof NewToken>;

export const GroupEnvelope = z.strictObject({
  toAddress: WireAddress,
  recipientDeviceKey: Key,
  ...sealedFields,
});
export type GroupEnvelope = z.infer<typeof GroupEnvelope>;

export const GroupSendRequest = z.strictObject({
  envelopes: z.array(GroupEnvelope).min(1).max(DEFAULT_LIMITS.groupEnvelopes),
});

export const GroupSendResponse = z.object({
  accepted: z.number().int().nonnegative(),
  results: z.array(SendResult),
  /** Current device keys of members that got no copy. */
  missing: z.array(Key),
  /** Device keys in the request that are no longer current. */
  stale: z.array(Key),
});
export type GroupSendResponse = z.infer<typeof GroupSendResponse>;
