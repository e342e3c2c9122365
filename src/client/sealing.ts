/**
 * From a text to a body, and sealing in this thread.
 */
import type { Mention, Ref } from '../messaging/contents/fields.ts';
import { findTextProblem, toMessageText } from '../messaging/contents/text.ts';
import type { Author, MessageBody, SealJob } from '../messaging/sending/outgoing.ts';
import { UNSEALED } from '../messaging/sending/signed-payload.ts';
import { type PrivateKey, randomBytes, sha256 } from '../protocol/crypto.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../protocol/encoding.ts';
import { type SealedCopy, sealCopy } from '../protocol/envelope.ts';
import { IdentityError } from './errors.ts';
import type { Identity } from './identity/identity.ts';

/** Where a message goes: to an address, or into a group. */
export type Destination = { peer: string } | { groupId: string };

/** A new message id: 16 random bytes in base64url. */
export function newMessageId(): string {
  return encodeBase64Url(randomBytes(16));
}

/**
 * The id of the answer to a message: the same each time, so that an answer that is sent again after a crash is the
 * same message to its recipients.
 */
export function answerIdOf(from: string, question: { from: string; id: string }): string {
  const bytes = encodeUtf8(`waxwing/answer/v1 ${from} ${question.from} ${question.id}`);
  return encodeBase64Url(sha256(bytes).slice(0, 16));
}

/** What messages are counted by: the recipient's address, or the group's id. */
export function conversationOf(destination: Destination): string {
  return 'peer' in destination ? destination.peer : destination.groupId;
}

/**
 * The body of a text message. Line breaks become LF, and other control characters, which no recipient would show, U+FFFD.
 * @throws Failure for a text that is empty or too long
 */
export function textBody(
  id: string,
  sender: string,
  destination: Destination,
  given: string,
  now: number,
  beside: { replyTo?: Ref; mentions?: readonly Mention[]; expires?: number } = {},
): MessageBody {
  const text = toMessageText(given);
  const problem = findTextProblem(text);
  if (problem !== null) throw problem;
  return contentBody(id, sender, destination, { kind: 'text', text, ...beside }, now);
}

/** The body of any content. @param now milliseconds since 1970 */
export function contentBody<C extends { kind: string }>(
  id: string,
  sender: string,
  destination: Destination,
  content: C,
  now: number,
): MessageBody {
  const common = { ...content, id, sender, sentAt: encodeTime(now), seq: 0 };
  // Of a group the newest entry is named when it is sealed.
  return 'peer' in destination
    ? { ...common, ...destination }
    : { ...common, ...destination, roster: UNSEALED };
}

/**
 * Who sends: an identity, a bot, or an address in whose name nobody signs.
 * @param bot the key of the bot that posts into a group
 * @throws IdentityError before the identity is registered
 */
export function authorOf(address: string, identity: Identity | null, bot: PrivateKey | null = null): Author {
  if (identity && !identity.deviceList) throw new IdentityError('identity_unregistered');
  return {
    address,
    device: identity && { id: identity.deviceId, key: identity.deviceKey },
    bot,
    newestList: () => identity?.deviceList ?? null,
  };
}

/** Seals one payload for any number of devices of an address. */
export async function sealHere({ route, header, payload, recipientKeys }: SealJob): Promise<SealedCopy[]> {
  return recipientKeys.map((key) => sealCopy(route, key, header, payload));
}
