/**
 * The payload of a message, signed once for all its copies.
 */

import { bodyDigest } from '../../protocol/body-digest.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { encodeBody } from '../../protocol/payload.ts';
import { encodeFrame } from '../../protocol/payload-frame.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { writtenAtOf } from '../contents/written.ts';
import { RelayUnreachable } from '../relay.ts';
import { latestOwnSentAt, latestSentAt } from '../trust/replay.ts';
import { type Author, isDirect, type MessageBody, type Outgoing } from './outgoing.ts';

/** The placeholder in a group's body for the newest entry of its chain, until it is sealed. */
export const UNSEALED: RosterReference = { epoch: 1, hash: encodeBase64Url(new Uint8Array(32)) };

/** The delay from writing to sealing, in milliseconds, above which a message also has the time of writing. */
const LATE = 60_000;

/**
 * The payload of a message, signed by its device. Before the first copy, its time, the author's newest list and the group's
 * newest entry are set again, and the body is saved so.
 * @param hasCopies whether sealed copies of an earlier payload exist
 * @param roster the newest entry of a group's chain
 * @throws RelayUnreachable while the signing device is in no list of its own
 */
export function payloadOf(
  outgoing: Outgoing,
  author: Author,
  { hasCopies, roster, now }: { hasCopies: boolean; roster?: RosterReference; now: number },
): Uint8Array {
  if (hasCopies) return signPayload(outgoing.body, author);
  const body = renewed(outgoing, author, roster, now);
  const bytes = bytesOf(body);
  const saved = outgoing.saveBody(body, bodyDigest(bytes));
  return saved === body ? sign(body, bytes, author) : signPayload(saved, author);
}

/** The digest by which others refer to a body. */
export function digestOf(body: MessageBody): string {
  return bodyDigest(bytesOf(body));
}

/**
 * The payload of a body without changes.
 * @throws z.ZodError if the body lacks a field of its channel
 */
export function signPayload(body: MessageBody, author: Author): Uint8Array {
  return sign(body, bytesOf(body), author);
}

/** @param bytes of the body */
function sign(body: MessageBody, bytes: Uint8Array, { device, bot }: Author): Uint8Array {
  if (bot) {
    if (isDirect(body)) throw new Error('a bot posts to groups only');
    if (body.seq !== 0) throw new RangeError('a bot does not count its messages');
    return encodeFrame('group', bytes, { kind: 'bot', key: bot });
  }
  if (device && !body.list) throw new Error('a signed message names a device list');
  return encodeFrame(
    isDirect(body) ? 'direct' : 'group',
    bytes,
    device && { kind: 'device', key: device.key },
  );
}

/** The exact bytes of a body. */
function bytesOf(body: MessageBody): Uint8Array {
  return isDirect(body)
    ? encodeBody({ channel: 'direct', body }, null)
    : encodeBody({ channel: 'group', body }, null);
}

/** The body with the current time, because recipients refuse old messages, and with the newest references. */
function renewed(
  { body, lastSentAt }: Outgoing,
  author: Author,
  roster: RosterReference | undefined,
  now: number,
): MessageBody {
  const own = decodeTime(body.sentAt);
  // The device's last message may be this one, or one sealed after it.
  const after = lastSentAt == null || lastSentAt <= own ? own : lastSentAt + 1;
  // Of a value that replaces another one.
  const valid = own <= latestSentAt(now) ? own : now;
  const sentAt = encodeTime(Math.max(now, valid, Math.min(after, latestOwnSentAt(now))));
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
