/**
 * Receiving and acknowledging. An inbox is a queue for each device.
 */
import { z } from 'zod';
import { CredentialType } from '../credentials.ts';
import { INBOX_PAGE, MAX_ACK_IDS, MAX_WAIT_SECONDS } from '../limits.ts';
import { sealedFields } from './envelopes.ts';
import { Bytes, Key, OpaqueId, QueryInteger, WireAddress, WireTime } from './primitives.ts';

export const InboxQuery = z.strictObject({
  device: Bytes(16),
  limit: QueryInteger(1, INBOX_PAGE.most).optional(),
  /** Seconds for which the call is held while there is nothing. */
  wait: QueryInteger(0, MAX_WAIT_SECONDS).optional(),
});

export const InboxEnvelope = z.object({
  id: OpaqueId,
  from: WireAddress,
  toAddress: WireAddress,
  recipientDeviceKey: Key.optional(),
  ...sealedFields,
  asRequest: z.boolean().optional(),
  groupId: OpaqueId.optional(),
  /** What the sender called with. */
  via: CredentialType,
  receivedAt: WireTime,
});
export type InboxEnvelope = z.infer<typeof InboxEnvelope>;

/** Oldest first, all that is not acknowledged. `more` says that another page is waiting. */
export const Inbox = z.object({ envelopes: z.array(InboxEnvelope), more: z.boolean() });
export type Inbox = z.infer<typeof Inbox>;

export const AckRequest = z.strictObject({
  device: Bytes(16),
  ids: z.array(OpaqueId).min(1).max(MAX_ACK_IDS),
});

/** How many left the queue by this call. Ids that are not in it are passed over. */
export const AckResponse = z.object({ acknowledged: z.number().int().nonnegative() });
