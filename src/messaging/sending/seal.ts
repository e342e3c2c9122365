/** Seals a payload into copies, one for each device of an address. */
import type { UnverifiableError } from '../../base/failure.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { RecipientKey } from '../../protocol/envelope.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { Recipient } from '../trust/directory.ts';
import type { Flags, SendingParts } from './outgoing.ts';

/** Parts for sealing. */
export type SealingParts = Pick<SendingParts, 'author' | 'seal'> & {
  directory: Pick<SendingParts['directory'], 'recipientKeys'>;
};

export interface Sealed {
  copies: GroupEnvelope[];
  /** Addresses without a copy, because half of a device's key is not shown. */
  withheld: Map<string, UnverifiableError>;
}

/**
 * Copies for the devices without one. The signing device gets none.
 * @param has seal keys with a copy
 * @throws RelayRefusal, RelayUnreachable
 */
export async function sealFor(
  parts: SealingParts,
  recipients: readonly Recipient[],
  payload: Uint8Array,
  flags: Flags,
  has: ReadonlySet<string> = new Set(),
): Promise<Sealed> {
  const { author, directory } = parts;
  const without = recipients.map((to) => ({
    ...to,
    sealKeys: to.sealKeys.filter(({ key, deviceId }) => !has.has(key) && deviceId !== author.device?.id),
  }));
  const found = await directory.recipientKeys(without);
  const copies: GroupEnvelope[] = [];
  const withheld = new Map<string, UnverifiableError>();
  for (const [index, to] of without.entries()) {
    const keys = found[index];
    if (keys instanceof Error) withheld.set(to.address, keys);
    else if (keys && keys.length > 0) copies.push(...(await copiesFor(parts, to, keys, payload, flags)));
  }
  return { copies, withheld };
}

/** @param keys in the order of the recipient's seal keys */
async function copiesFor(
  { author, seal }: Pick<SendingParts, 'author' | 'seal'>,
  to: Recipient,
  keys: RecipientKey[],
  payload: Uint8Array,
  { asRequest, automated }: Flags,
): Promise<GroupEnvelope[]> {
  const sealed = await seal({
    route: { from: author.address, to: to.address },
    header: {
      asRequest,
      automated,
      senderListSequence: author.device ? (author.newestList()?.sequence ?? 0) : 0,
      recipientListSequence: to.deviceList?.sequence ?? 0,
    },
    payload,
    recipientKeys: keys,
  });
  return to.sealKeys.flatMap(({ key }, index) => {
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
