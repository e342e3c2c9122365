/**
 * Sealing the copies of one message, in the sealing threads.
 */
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import type { Contact } from '../cache/contacts.ts';
import type { OutboxCopy } from '../cache/outbox-rows.ts';
import type { DeliveryParts } from './parts.ts';

/**
 * Copies for the devices of somebody that have none yet. This device gets none.
 * @param has seal keys for which there is a copy
 */
export async function sealFor(
  { context, account }: DeliveryParts,
  to: Contact,
  has: ReadonlySet<string>,
  payload: Uint8Array,
  asRequest = false,
): Promise<Omit<OutboxCopy, 'accepted'>[]> {
  const keys = to.sealKeys.filter(({ key, deviceId }) => !has.has(key) && deviceId !== account.deviceId);
  if (keys.length === 0) return [];
  const sealed = await context.pool.seal({
    route: { from: account.address, to: to.address },
    header: {
      asRequest,
      automated: false,
      senderListSequence: context.identity.get()?.deviceList?.sequence ?? 0,
      recipientListSequence: to.deviceList?.sequence ?? 0,
    },
    payload,
    recipientKeys: keys.map(({ key }) => decodeBase64Url(key)),
  });
  return keys.flatMap(({ key }, index) => {
    const copy = sealed[index];
    if (!copy) return [];
    const envelope = {
      toAddress: to.address,
      recipientDeviceKey: key,
      ciphertext: encodeBase64Url(copy.ciphertext),
      ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
      nonce: encodeBase64Url(copy.nonce),
      ...(asRequest ? { asRequest } : {}),
    };
    return [{ toAddress: to.address, recipientKey: key, envelope: JSON.stringify(envelope) }];
  });
}
