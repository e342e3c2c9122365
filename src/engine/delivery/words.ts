/**
 * The words of a message as its device signs them: the same for all its copies, whenever they are sealed.
 */
import { RelayUnreachable } from '../../client/http.ts';
import { writtenAtOf } from '../../messaging/contents/written.ts';
import { native } from '../../protocol/crypto/native.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { DirectBody, encodePayload, GroupBody } from '../../protocol/payload.ts';
import type { MessageBody, StoredMessage } from '../cache/messages.ts';
import type { DeliveryParts } from './parts.ts';

/** A message that was sealed later than this tells when it was written, in milliseconds. */
const LATE = 60_000;

function isLate(writtenAt: string, sentAt: string): boolean {
  return decodeTime(sentAt) - decodeTime(writtenAt) > LATE;
}

/**
 * The signed payload of a message.
 * @param fresh what the body has to name anew, while there is no copy of it yet; null once there is one
 * @throws RelayUnreachable while this device is in no list of its own
 */
export function signedWords(
  { context, account }: DeliveryParts,
  message: StoredMessage,
  fresh: Partial<MessageBody> | null,
): Uint8Array {
  if (fresh) {
    const own = context.identity.get()?.deviceList;
    if (!own) throw new RelayUnreachable('This device is not registered yet.');
    const sentAt = encodeTime(Math.max(context.now(), decodeTime(message.body.sentAt)));
    const body = {
      ...message.body,
      ...fresh,
      // What waited for long counts as sent now: recipients refuse what is old.
      sentAt,
      ...(isLate(writtenAtOf(message.body), sentAt) && { writtenAt: writtenAtOf(message.body) }),
      list: listReferenceOf(native, account.address, own),
    };
    context.messages.setBody(message.id, body);
    message.body = body;
  }
  const { list } = message.body;
  if (!list) throw new Error('a message with copies names a device list');
  const signer = { deviceKey: account.deviceKey, list };
  return 'peer' in message.body
    ? encodePayload(native, { channel: 'direct', body: DirectBody.parse(message.body) }, signer)
    : encodePayload(native, { channel: 'group', body: GroupBody.parse(message.body) }, signer);
}
