/** Reseals a requested message for one device. */

import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { ReceiptContent } from '../contents/kinds/receipt.ts';
import { GROUP_FRESH_FOR, type GroupsNow } from '../sending/group.ts';
import { sendHidden } from '../sending/hidden.ts';
import { isDirect, type SendingParts } from '../sending/outgoing.ts';
import { sealFor } from '../sending/seal.ts';
import { signPayload } from '../sending/signed-payload.ts';
import type { Recipient } from '../trust/directory.ts';
import type { DeviceIn, OwnMessage } from './memory.ts';

/**
 * Sends a `receipt` to one device, or to all of its owner's if none is given.
 * @returns whether one has it now, according to the relay
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export function postReceipt(
  sending: SendingParts,
  { conversation, address, deviceId }: Omit<DeviceIn, 'deviceId'> & Partial<DeviceIn>,
  fields: Pick<ReceiptContent, 'delivered' | 'read' | 'missing' | 'skipped'>,
  automated: boolean,
): Promise<boolean> {
  // For an own device `peer` names the partner, as in the copies of own messages.
  const about = isWireAddress(conversation) ? { peer: conversation } : { group: conversation };
  return sendHidden(
    sending,
    address,
    { ...fields, ...about, kind: 'receipt' },
    {
      automated,
      ...(deviceId !== undefined && { deviceId }),
    },
  );
}

/**
 * Reseals a message for one device, with its original contents.
 * @returns whether the device has it now, according to the relay
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function resend(
  parts: SendingParts & { groups: GroupsNow },
  { address, deviceId }: DeviceIn,
  { body }: OwnMessage,
  automated: boolean,
): Promise<boolean> {
  const { author, directory, relay } = parts;
  const to = isDirect(body)
    ? await directory.recipient(address)
    : await memberNow(parts.groups, body.groupId, address);
  const sealKeys = to?.sealKeys.filter((key) => key.deviceId === deviceId) ?? [];
  if (!to || sealKeys.length === 0) return false;
  const payload = signPayload(body, author);
  const flags = { asRequest: false, automated };
  const { copies, withheld } = await sealFor(parts, [{ ...to, sealKeys }], payload, flags);
  const [problem] = withheld.values();
  if (problem) throw problem;
  if (isDirect(body)) return isAccepted(await relay.sendEnvelopes(copies));
  const { results, stale } = await relay.sendToGroup(body.groupId, copies);
  // The known data of the device is outdated.
  if (stale.length > 0) parts.groups.expire(body.groupId);
  return stale.length === 0 && isAccepted(results);
}

/**
 * Null for a former member, or if sealing for them is impossible.
 * @throws the errors of reading the group
 */
async function memberNow(groups: GroupsNow, groupId: string, address: string): Promise<Recipient | null> {
  const { isMember, members } = await groups.now(groupId, GROUP_FRESH_FOR);
  const member = members.find((each) => each.address === address);
  return isMember && member && 'sealKeys' in member ? member : null;
}

function isAccepted(results: readonly SendResult[]): boolean {
  return results.some(({ status }) => status !== 'rejected');
}
