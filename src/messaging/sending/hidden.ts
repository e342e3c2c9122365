/**
 * Sends what nobody sees to devices of one address, at once: it has no number, and is kept nowhere.
 */
import { randomBytes } from '../../protocol/crypto.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { Content } from '../contents/kind.ts';
import { RelayUnreachable } from '../relay.ts';
import type { SendingParts } from './outgoing.ts';
import { sealFor } from './seal.ts';
import { encodeBody } from './words.ts';

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
  const recipient = await directory.recipient(address);
  const sealKeys = recipient.sealKeys.filter((key) => deviceId === undefined || key.deviceId === deviceId);
  if (sealKeys.length === 0) return false;
  const body = {
    id: version?.id ?? encodeBase64Url(randomBytes(16)),
    sender: author.address,
    sentAt: version?.sentAt ?? encodeTime(now()),
    seq: 0,
    peer: address,
    ...content,
    list: listReferenceOf(author.address, newest),
  };
  const payload = encodeBody(body, author);
  const flags = { asRequest: false, automated };
  const { copies, withheld } = await sealFor(sending, [{ ...recipient, sealKeys }], payload, flags);
  const [problem] = withheld.values();
  if (problem) throw problem;
  // An own address with no other device.
  if (copies.length === 0) return true;
  const results = await relay.sendEnvelopes(copies);
  const isGone = (result: (typeof results)[number]) =>
    result.status === 'rejected' && result.error.code === 'unknown_device';
  if (toAll && results.some(isGone)) return false;
  return results.some(({ status }) => status !== 'rejected');
}
