/**
 * Sends a `hello` to all devices of an address, at once: nobody sees it, and what does not arrive is said again some day.
 */
import { randomBytes } from '../../protocol/crypto.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { RelayUnreachable } from '../relay.ts';
import type { SendingParts } from '../sending/outgoing.ts';
import { sealFor } from '../sending/seal.ts';
import { encodeBody } from '../sending/words.ts';

/** What sending one takes. */
export type HelloSending = Pick<SendingParts, 'author' | 'seal' | 'now'> & {
  relay: Pick<SendingParts['relay'], 'sendEnvelopes'>;
  directory: Pick<SendingParts['directory'], 'recipient' | 'recipientKeys'>;
};

/**
 * @param fields what it says beside the newest own list
 * @param automated whether a program says it
 * @returns whether a device of theirs has it now, as far as the relay says
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function sendHello(
  sending: HelloSending,
  address: string,
  fields: Readonly<Record<string, unknown>>,
  automated: boolean,
): Promise<boolean> {
  const { author, directory, relay, now } = sending;
  const newest = author.newestList();
  if (!newest) throw new RelayUnreachable('device_unregistered');
  const recipient = await directory.recipient(address);
  if (recipient.sealKeys.length === 0) return false;
  const body = {
    id: encodeBase64Url(randomBytes(16)),
    sender: author.address,
    sentAt: encodeTime(now()),
    seq: 0,
    kind: 'hello',
    peer: address,
    ...fields,
    list: listReferenceOf(author.address, newest),
  };
  const payload = encodeBody(body, author);
  const { copies, withheld } = await sealFor(sending, [recipient], payload, { asRequest: false, automated });
  const [problem] = withheld.values();
  if (problem) throw problem;
  // An own address with no other device.
  if (copies.length === 0) return true;
  const results = await relay.sendEnvelopes(copies);
  return results.some(({ status }) => status !== 'rejected');
}
