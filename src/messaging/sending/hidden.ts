/** Sends a hidden message to devices of one address at once: unnumbered and not stored. */
import { randomBytes } from '../../protocol/crypto.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import type { Content } from '../contents/kind.ts';
import { RelayUnreachable } from '../relay.ts';
import { KEYS_FRESH_FOR } from '../trust/directory.ts';
import type { SendingParts } from './outgoing.ts';
import { sealFor } from './seal.ts';
import { signPayload } from './signed-payload.ts';

/** Parts for sending one. */
export type HiddenSending = Pick<SendingParts, 'author' | 'seal' | 'now'> & {
  relay: Pick<SendingParts['relay'], 'sendEnvelopes'>;
  directory: Pick<SendingParts['directory'], 'recipient' | 'recipientKeys'>;
};

export interface HiddenOptions {
  /** True if a program sends it. */
  automated: boolean;
  /** The only recipient device. Default: all of the address. */
  deviceId?: string;
  /** Sort key among others, if it was fixed before sending. `id`: 16 bytes in base64url. */
  version?: { sentAt: string; id: string };
  /** True if every device must get it: then a key that the relay no longer has is a failure, too. */
  toAll?: boolean;
}

/**
 * @param content fields of its kind, without the newest own list, which is added
 * @returns whether a recipient device has it now, according to the relay
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function sendHidden(
  sending: HiddenSending,
  address: string,
  content: Content,
  { automated, deviceId, version, toAll = false }: HiddenOptions,
): Promise<boolean> {
  const { author, directory, relay, now } = sending;
  const newest = author.newestList();
  if (!newest) throw new RelayUnreachable('device_unregistered');
  const body = {
    id: version?.id ?? encodeBase64Url(randomBytes(16)),
    sender: author.address,
    sentAt: version?.sentAt ?? encodeTime(now()),
    seq: 0,
    peer: address,
    ...content,
    list: listReferenceOf(author.address, newest),
  };
  const payload = signPayload(body, author);
  const flags = { asRequest: false, automated };
  const accepted = new Set<string>();
  // A key that is gone, or not shown completely, was replaced: all are fetched again.
  for (const freshFor of [KEYS_FRESH_FOR, 0]) {
    const recipient = await directory.recipient(address, freshFor);
    const sealKeys = recipient.sealKeys.filter((key) => deviceId === undefined || key.deviceId === deviceId);
    if (sealKeys.length === 0) return false;
    const { copies, withheld } = await sealFor(
      sending,
      [{ ...recipient, sealKeys }],
      payload,
      flags,
      accepted,
    );
    const [problem] = withheld.values();
    if (problem && freshFor === 0) throw problem;
    if (problem) continue;
    // An own address without other devices, or all have it now.
    if (copies.length === 0) return true;
    const results = await relay.sendEnvelopes(copies);
    for (const [index, { recipientDeviceKey }] of copies.entries())
      if (results[index]?.status !== 'rejected') accepted.add(recipientDeviceKey);
    if (!results.some(isGone)) return accepted.size > 0;
  }
  return !toAll && accepted.size > 0;
}

function isGone(result: SendResult): boolean {
  return result.status === 'rejected' && result.error.code === 'unknown_device';
}
