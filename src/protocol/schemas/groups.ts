/**
 * Groups, their members' keys, their tokens, and sealed sends into them.
 */

import { z } from 'zod';
import { DEFAULT_LIMITS, LIST_PAGE } from '../limits.ts';
import {
  Cursor,
  Key,
  Label,
  OpaqueId,
  QueryFlag,
  QueryInteger,
  SearchText,
  WireAddress,
  WireTime,
} from '../primitives.ts';
import { JoinMode } from '../roster/forms.ts';
import { HandleRecord, PublishedDeviceList, PublishedSealKey } from './directory.ts';
import { SendResult, sealedFields } from './envelopes.ts';
import { RosterPlace } from './rosters.ts';

export const GroupSearch = z.strictObject({
  mine: QueryFlag.optional().describe('`1`: the groups of the caller instead of the public directory.'),
  q: SearchText.optional().describe(
    'Text in the name; without it all groups. One or two characters are compared with the beginning of the name.',
  ),
  limit: QueryInteger(1, LIST_PAGE.most)
    .optional()
    .describe(`Maximum number of entries, 1 to ${LIST_PAGE.most}. Default: ${LIST_PAGE.default}.`),
  cursor: Cursor.optional(),
});

export const GroupEntry = z
  .object({
    id: OpaqueId,
    name: z.string(),
    verified: z.boolean().describe('True if the operator of this relay has verified the group.'),
    memberCount: z.number().int().nonnegative(),
    hasPassword: z.boolean().describe('True if joining requires a password.'),
    join: JoinMode.describe('How to join without an invitation or a link.'),
    creator: WireAddress.nullable().describe(
      'The address for requests to join. Posts of group tokens have it as their sender. Null after the creator left.',
    ),
  })
  .meta({ id: 'GroupEntry' });
export type GroupEntry = z.infer<typeof GroupEntry>;

export const GroupPage = z
  .object({
    groups: z.array(GroupEntry),
    nextCursor: Cursor.nullable().describe('The value of `cursor` for the next page; null on the last page.'),
  })
  .meta({ id: 'GroupPage' });
export type GroupPage = z.infer<typeof GroupPage>;

export const BotToken = z
  .object({
    id: OpaqueId,
    name: z.string(),
    prefix: z.string(),
    createdAt: WireTime,
    lastUsedAt: WireTime.nullable(),
    revokedAt: WireTime.nullable(),
  })
  .meta({ id: 'BotToken', description: 'The public part of a group token.' });
export type BotToken = z.infer<typeof BotToken>;

export const GroupView = GroupEntry.extend({
  description: z.string(),
  roster: RosterPlace.describe('The last entry of the chain, which determines the members.'),
  createdAt: WireTime,
  members: z.array(WireAddress),
  memberDeviceKeys: z
    .record(WireAddress, z.array(Key))
    .describe('The X25519 seal keys of each member: seal one copy for each key.'),
  memberDevices: z
    .record(WireAddress, z.object({ deviceList: PublishedDeviceList, sealKeys: z.array(PublishedSealKey) }))
    .describe('The proofs of these keys, by member. A member without devices has none.'),
  memberProfiles: z
    .record(WireAddress, HandleRecord)
    .describe('The public handles of members, according to the relay.'),
  botTokens: z.array(BotToken).optional().describe('Only for the creator and for tokens of this group.'),
}).meta({ id: 'GroupView' });
export type GroupView = z.infer<typeof GroupView>;

export const GroupParams = z.strictObject({ id: OpaqueId });
export const TokenParams = z.strictObject({ id: OpaqueId, tokenId: OpaqueId });

export const TokenRequest = z.strictObject({ name: Label }).meta({ id: 'TokenRequest' });

export const NewToken = z
  .object({
    id: OpaqueId,
    name: z.string(),
    prefix: z.string(),
    createdAt: WireTime,
    secret: z.string().describe('`gtk_live_…`. Only this response contains it.'),
  })
  .meta({ id: 'NewToken' });
export type NewToken = z.infer<typeof NewToken>;

export const GroupEnvelope = z
  .strictObject({
    toAddress: WireAddress.describe('A current member.'),
    recipientDeviceKey: Key.describe('The key from `memberDeviceKeys` for which the copy is sealed.'),
    ...sealedFields,
    asRequest: z
      .boolean()
      .optional()
      .describe('Must equal the flag in the header of the ciphertext. Without effect in a group.'),
  })
  .meta({ id: 'GroupEnvelope', description: 'One sealed copy for one device of a member.' });
export type GroupEnvelope = z.infer<typeof GroupEnvelope>;

export const GroupSendRequest = z
  .strictObject({
    envelopes: z.array(GroupEnvelope).min(1).max(DEFAULT_LIMITS.groupEnvelopes),
  })
  .meta({ id: 'GroupSendRequest' });

export const GroupSendResponse = z
  .object({
    accepted: z.number().int().nonnegative(),
    results: z.array(SendResult).describe('In the order of the request.'),
    missing: z
      .array(Key)
      .describe('Current device keys of members without a copy: seal for them and send again.'),
    stale: z.array(Key).describe('Device keys of the request that are no longer current.'),
  })
  .meta({ id: 'GroupSendResponse' });
export type GroupSendResponse = z.infer<typeof GroupSendResponse>;
