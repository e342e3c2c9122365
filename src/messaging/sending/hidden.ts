/**
 * Sends what nobody sees to devices of one address, at once: it has no number, and is kept nowhere.
 */
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

/** What sending one takes. */
export type HiddenSending = Pick<SendingParts, 'author' | 'seal' | 'now'> & {
  relay: Pick<SendingParts['relay'], 'sendEnvelopes'>;
  directory: Pick<SendingParts['directory'], 'recipient' | 'recipientKeys'>;
};

export interface HiddenOptions {
  /** Whether a program says it. */
  automated: boolean;
  /** The only device that gets it. All of the address unless given. */
  deviceId?: string;
  /** What orders it among others, where that was settled before it is sent. `id`: 16 bytes in base64url. */
  version?: { sentAt: string; id: string };
  /** Whether every device is to get it: then a key that is gone at the relay is a failure, too. */
  toAll?: boolean;
}

/**
 * @param content with the fields of its kind; the newest own list is named beside them
 * @returns whether a device that it is for has it now, as far as the relay says
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
  // A key that is gone, or is not shown whole, has been replaced meanwhile: then all are asked for again.
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
    // An own address with no other device, or all have it by now.
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
