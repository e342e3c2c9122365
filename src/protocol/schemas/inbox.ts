/**
 * Receiving and acknowledging. An inbox is a queue for each device.
 */
import { z } from 'zod';
import { CredentialType } from '../credentials.ts';
import { INBOX_PAGE, MAX_ACK_IDS, MAX_WAIT_SECONDS } from '../limits.ts';
import { Bytes, Key, OpaqueId, QueryInteger, WireAddress, WireTime } from '../primitives.ts';
import { sealedFields } from './envelopes.ts';

export const InboxQuery = z.strictObject({
  device: Bytes(16).describe('Id of the device of the queue: 16 bytes in base64url.'),
  limit: QueryInteger(1, INBOX_PAGE.most)
    .optional()
    .describe(`Maximum number of envelopes, 1 to ${INBOX_PAGE.most}. Default: ${INBOX_PAGE.default}.`),
  wait: QueryInteger(0, MAX_WAIT_SECONDS)
    .optional()
    .describe(
      `Maximum wait for an envelope while the queue is empty, in seconds, at most ${MAX_WAIT_SECONDS}.`,
    ),
});

export const InboxEnvelope = z
  .object({
    id: OpaqueId,
    from: WireAddress.describe('The sender, according to the relay.'),
    toAddress: WireAddress,
    recipientDeviceKey: Key.optional(),
    ...sealedFields,
    asRequest: z.boolean().optional(),
    groupId: OpaqueId.optional().describe('The group, for a post to a group.'),
    via: CredentialType.describe('The type of the sender’s credential.'),
    bot: z
      .object({
        id: OpaqueId.describe('Id of the token, as in the list of its group.'),
        name: z.string().describe('The name of the token at the time of the post.'),
      })
      .optional()
      .describe('The group token of the post, also after the token was revoked.'),
    receivedAt: WireTime,
  })
  .meta({ id: 'InboxEnvelope' });
export type InboxEnvelope = z.infer<typeof InboxEnvelope>;

export const Inbox = z
  .object({
    device: Bytes(16).describe('Id of the device of the queue.'),
    envelopes: z.array(InboxEnvelope).describe('The envelopes that are not acknowledged, oldest first.'),
    more: z.boolean().describe('True if there is another page: acknowledge this one, then repeat the call.'),
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
      .describe('The number of removed envelopes. Ids that are not in the queue are ignored.'),
  })
  .meta({ id: 'AckResponse' });
