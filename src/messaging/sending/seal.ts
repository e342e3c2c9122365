/**
 * From a payload to its copies, one for each device of an address.
 */
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { Recipient } from '../trust/directory.ts';
import type { Flags, SendingParts } from './outgoing.ts';

/**
 * Copies for the devices of an address that have none yet. The device that signs gets none.
 * @param has seal keys for which there is a copy
 */
export async function sealFor(
  { author, seal }: Pick<SendingParts, 'author' | 'seal'>,
  to: Recipient,
  payload: Uint8Array,
  { asRequest, automated }: Flags,
  has: ReadonlySet<string> = new Set(),
): Promise<GroupEnvelope[]> {
  const keys = to.sealKeys.filter(({ key, deviceId }) => !has.has(key) && deviceId !== author.device?.id);
  if (keys.length === 0) return [];
  const sealed = await seal({
    route: { from: author.address, to: to.address },
    header: {
      asRequest,
      automated,
      senderListSequence: author.device ? (author.newestList()?.sequence ?? 0) : 0,
      recipientListSequence: to.deviceList?.sequence ?? 0,
    },
    payload,
    recipientKeys: keys.map(({ key }) => decodeBase64Url(key)),
  });
  return keys.flatMap(({ key }, index) => {
    const copy = sealed[index];
    if (!copy) return [];
    return [
      {
        toAddress: to.address,
        recipientDeviceKey: key,
        ciphertext: encodeBase64Url(copy.ciphertext),
        ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
        nonce: encodeBase64Url(copy.nonce),
        ...(asRequest ? { asRequest } : {}),
      },
    ];
  });
}
