/**
 * Receiving and acknowledging. An inbox is a queue for each device.
 */
import { z } from 'zod';
import { CredentialType } from '../credentials.ts';
import { INBOX_PAGE, MAX_ACK_IDS, MAX_WAIT_SECONDS } from '../limits.ts';
import { Bytes, Key, OpaqueId, QueryInteger, WireAddress, WireTime } from '../primitives.ts';
import { sealedFields } from './envelopes.ts';

export const InboxQuery = z.strictObject({
  device: Bytes(16).describe('Id of the device whose queue is read: 16 bytes in base64url.'),
  limit: QueryInteger(1, INBOX_PAGE.most)
    .optional()
    .describe(`Envelopes in the answer, 1 to ${INBOX_PAGE.most}; ${INBOX_PAGE.default} unless said.`),
  wait: QueryInteger(0, MAX_WAIT_SECONDS)
    .optional()
    .describe(`Seconds for which the call is held while there is nothing, at most ${MAX_WAIT_SECONDS}.`),
});

export const InboxEnvelope = z
  .object({
    id: OpaqueId,
    from: WireAddress.describe('The sender, as the relay knows it.'),
    toAddress: WireAddress,
    recipientDeviceKey: Key.optional(),
    ...sealedFields,
    asRequest: z.boolean().optional(),
    groupId: OpaqueId.optional().describe('There if it was posted into a group.'),
    via: CredentialType.describe('What the sender called with.'),
    bot: z
      .object({
        id: OpaqueId.describe('Of the token, as its group lists it.'),
        name: z.string().describe('What its owner called it when it posted.'),
      })
      .optional()
      .describe('There if a group token posted it: which one. It stays when the token is revoked.'),
    receivedAt: WireTime,
  })
  .meta({ id: 'InboxEnvelope' });
export type InboxEnvelope = z.infer<typeof InboxEnvelope>;

export const Inbox = z
  .object({
    device: Bytes(16).describe('Id of the device whose queue this is.'),
    envelopes: z.array(InboxEnvelope).describe('Oldest first: all that is not acknowledged.'),
    more: z.boolean().describe('Another page is waiting: acknowledge this one, then ask again.'),
  })
  .meta({ id: 'Inbox' });
export type Inbox = z.infer<typeof Inbox>;

export const AckRequest = z
  .strictObject({
    device: Bytes(16).describe('Id of the device: 16 bytes in base64url.'),
    ids: z.array(OpaqueId).min(1).max(MAX_ACK_IDS),
  })
  .meta({ id: 'AckRequest' });

export const AckResponse = z
  .object({
    acknowledged: z
      .number()
      .int()
      .nonnegative()
      .describe('How many left the queue by this call. Ids that are not in it are passed over.'),
  })
  .meta({ id: 'AckResponse' });
