/** Conversion of a text to a body, and sealing in this thread. */
import type { Mention, Ref } from '../messaging/contents/fields.ts';
import { messageWithFiles } from '../messaging/contents/kinds/attachment.ts';
import { findTextProblem, toMessageText } from '../messaging/contents/text.ts';
import type { Author, MessageBody, SealJob } from '../messaging/sending/outgoing.ts';
import { UNSEALED } from '../messaging/sending/signed-payload.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import { type PrivateKey, randomBytes, sha256 } from '../protocol/crypto.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../protocol/encoding.ts';
import { sealCopy } from '../protocol/envelope.ts';
import type { SealedCopy } from '../protocol/envelope-form.ts';
import { IdentityError } from './errors.ts';
import type { Identity } from './identity/identity.ts';

/** The destination of a message: an address or a group. */
export type Destination = { peer: string } | { groupId: string };

/** Fields beside a text or caption. */
export interface TextExtras {
  replyTo?: Ref;
  mentions?: readonly Mention[];
  expires?: number;
}

/** A new message id: 16 random bytes in base64url. */
export function newMessageId(): string {
  return encodeBase64Url(randomBytes(16));
}

/**
 * The id of the answer to a message: always the same, so that an answer repeated after a crash is one message for its
 * recipients.
 */
export function answerIdOf(from: string, question: { from: string; id: string }): string {
  const bytes = encodeUtf8(`waxwing/answer/v1 ${from} ${question.from} ${question.id}`);
  return encodeBase64Url(sha256(bytes).slice(0, 16));
}

/** The key for numbering messages: the recipient's address, or the group's id. */
export function conversationOf(destination: Destination): string {
  return 'peer' in destination ? destination.peer : destination.groupId;
}

/**
 * The body of a text message. Line breaks become LF; other control characters, which recipients would not show,
 * become U+FFFD.
 * @throws Failure for a text that is empty or too long
 */
export function textBody(
  id: string,
  sender: string,
  destination: Destination,
  given: string,
  now: number,
  beside: TextExtras = {},
): MessageBody {
  const text = toMessageText(given);
  const problem = findTextProblem(text);
  if (problem !== null) throw problem;
  return contentBody(id, sender, destination, { kind: 'text', text, ...beside }, now);
}

/**
 * The body of a message with files.
 * @param given caption; empty for none
 */
export function filesBody(
  id: string,
  sender: string,
  destination: Destination,
  files: readonly AttachedFile[],
  given: string,
  now: number,
  { expires, ...beside }: TextExtras,
): MessageBody {
  const content = messageWithFiles(files, { ...beside, caption: given });
  return contentBody(id, sender, destination, { ...content, ...(expires !== undefined && { expires }) }, now);
}

/** In a group the newest entry is added when the message is sealed. */
export function contentBody<C extends { kind: string }>(
  id: string,
  sender: string,
  destination: Destination,
  content: C,
  now: number,
): MessageBody {
  const common = { ...content, id, sender, sentAt: encodeTime(now), seq: 0 };
  return 'peer' in destination
    ? { ...common, ...destination }
    : { ...common, ...destination, roster: UNSEALED };
}

/**
 * The sender: an identity, a bot, or an address without a signature.
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
