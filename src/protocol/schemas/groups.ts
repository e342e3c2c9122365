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
  mine: QueryFlag.optional().describe('`1`: the caller’s own groups instead of the public directory.'),
  q: SearchText.optional().describe(
    'What the name contains; all groups without it. Of one or two characters: how it begins.',
  ),
  limit: QueryInteger(1, LIST_PAGE.most)
    .optional()
    .describe(`Entries in the answer, 1 to ${LIST_PAGE.most}; ${LIST_PAGE.default} unless said.`),
  cursor: Cursor.optional(),
});

export const GroupEntry = z
  .object({
    id: OpaqueId,
    name: z.string(),
    verified: z.boolean().describe('Whether this relay’s operator vouches for the group.'),
    memberCount: z.number().int().nonnegative(),
    hasPassword: z.boolean().describe('Whether joining takes a password.'),
    join: JoinMode.describe('How people get in without a ticket or a link.'),
    creator: WireAddress.nullable().describe(
      'Whom to ask to be let in, and from whose address arrives what a group token posts. Null once the creator left.',
    ),
  })
  .meta({ id: 'GroupEntry' });
export type GroupEntry = z.infer<typeof GroupEntry>;

export const GroupPage = z
  .object({
    groups: z.array(GroupEntry),
    nextCursor: Cursor.nullable().describe('Pass it as `cursor` for the next page; null on the last.'),
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
  .meta({ id: 'BotToken', description: 'What is shown of a group token after it was created.' });
export type BotToken = z.infer<typeof BotToken>;

export const GroupView = GroupEntry.extend({
  description: z.string(),
  roster: RosterPlace.describe('The last entry of the chain that the members come from.'),
  createdAt: WireTime,
  members: z.array(WireAddress),
  memberDeviceKeys: z
    .record(WireAddress, z.array(Key))
    .describe('The X25519 keys to seal to, by member: one copy for each.'),
  memberDevices: z
    .record(WireAddress, z.object({ deviceList: PublishedDeviceList, sealKeys: z.array(PublishedSealKey) }))
    .describe('What proves these keys, by member; a member without devices has none.'),
  memberProfiles: z
    .record(WireAddress, HandleRecord)
    .describe('The public handles of members who have one, as the relay vouches for them.'),
  botTokens: z.array(BotToken).optional().describe('For the creator and for this group’s tokens only.'),
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
    secret: z.string().describe('`gtk_live_…`, shown in this answer and never again.'),
  })
  .meta({ id: 'NewToken' });
export type NewToken = z.infer<typeof NewToken>;

export const GroupEnvelope = z
  .strictObject({
    toAddress: WireAddress.describe('A current member.'),
    recipientDeviceKey: Key.describe('The key out of `memberDeviceKeys` that the copy is sealed to.'),
    ...sealedFields,
    asRequest: z
      .boolean()
      .optional()
      .describe(
        'As in a single send, though in a group it means nothing. The same as in the header of the ciphertext.',
      ),
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
      .describe('Current device keys of members that got no copy: seal for them and send again.'),
    stale: z.array(Key).describe('Device keys in the request that are no longer current.'),
  })
  .meta({ id: 'GroupSendResponse' });
export type GroupSendResponse = z.infer<typeof GroupSendResponse>;
