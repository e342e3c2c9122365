/**
 * The words of a message as its device signs them: the same for all its copies, whenever they are sealed.
 */

import { bodyDigest } from '../../protocol/body-digest.ts';
import { encodeBotPayload } from '../../protocol/bots.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { encodeBody as encodeExactBody, encodePayload } from '../../protocol/payload.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { writtenAtOf } from '../contents/written.ts';
import { RelayUnreachable } from '../relay.ts';
import { latestOwnSentAt } from '../trust/replay.ts';
import { type Author, isDirect, type MessageBody, type Outgoing } from './outgoing.ts';

/** What a body of a group says before it is sealed, and its chain's newest entry with it. */
export const UNSEALED: RosterReference = { epoch: 1, hash: encodeBase64Url(new Uint8Array(32)) };

/** A message that was sealed later than this tells when it was written, in milliseconds. */
const LATE = 60_000;

/**
 * The payload of a message. While there is no copy of it, it names its time, the author's newest list and the group's
 * newest entry again, and is kept so.
 * @param hasCopies whether there is a copy that says what it said before
 * @param roster the newest entry of a group's chain
 * @throws RelayUnreachable while the device that is to sign is in no list of its own
 */
export function wordsOf(
  outgoing: Outgoing,
  author: Author,
  { hasCopies, roster, now }: { hasCopies: boolean; roster?: RosterReference; now: number },
): Uint8Array {
  if (!hasCopies) {
    const body = renewed(outgoing, author, roster, now);
    outgoing.saveBody(body, digestOf(body));
  }
  return encodeBody(outgoing.body, author);
}

/** How others name the words of a body that is sealed. */
export function digestOf(body: MessageBody): string {
  return bodyDigest(bytesOf(body));
}

/** The exact bytes of a body as it stands. */
function bytesOf(body: MessageBody): Uint8Array {
  return isDirect(body)
    ? encodeExactBody({ channel: 'direct', body }, null)
    : encodeExactBody({ channel: 'group', body }, null);
}

/** What waited for long counts as sent now: recipients refuse what is old. */
function renewed(
  { body, lastSentAt }: Outgoing,
  author: Author,
  roster: RosterReference | undefined,
  now: number,
): MessageBody {
  const own = decodeTime(body.sentAt);
  // What the device sent last may be this one, or one that is sealed after it.
  const after = lastSentAt == null || lastSentAt <= own ? own : lastSentAt + 1;
  const sentAt = encodeTime(Math.max(now, Math.min(after, latestOwnSentAt(now))));
  const writtenAt = writtenAtOf(body);
  const isLate = decodeTime(sentAt) - decodeTime(writtenAt) > LATE;
  const list = author.newestList();
  if (author.device && !list) throw new RelayUnreachable('device_unregistered');
  return {
    ...body,
    ...(roster && { roster }),
    sentAt,
    ...(isLate && { writtenAt }),
    ...(author.device && list && { list: listReferenceOf(author.address, list) }),
  };
}

/**
 * The payload of a body as it stands.
 * @throws z.ZodError if the body lacks a field of its channel
 */
export function encodeBody(body: MessageBody, { device, bot }: Author): Uint8Array {
  if (bot) {
    if (isDirect(body)) throw new Error('a bot writes into groups alone');
    return encodeBotPayload(body, bot);
  }
  if (device && !body.list) throw new Error('a signed message names a device list');
  const signer = device && body.list ? { deviceKey: device.key, list: body.list } : null;
  return isDirect(body)
    ? encodePayload({ channel: 'direct', body }, signer)
    : encodePayload({ channel: 'group', body }, signer);
}
