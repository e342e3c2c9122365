/**
 * Sending for a program: what it writes is kept in its journal until the relay has all copies, and one call of the
 * library makes a few attempts.
 */

import { pause } from '../base/backoff.ts';
import { Failure, type FailureCode, sentenceOf } from '../base/failure.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { isTransient } from '../messaging/relay.ts';
import { sendDirect } from '../messaging/sending/direct.ts';
import { type GroupsNow, sendToGroup } from '../messaging/sending/group.ts';
import type { Author, Flags, MessageBody, SendingParts } from '../messaging/sending/outgoing.ts';
import { digestOf } from '../messaging/sending/signed-payload.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { envelopeId } from '../protocol/envelope-id.ts';
import type { Journal, Sending } from './identity/journal.ts';
import { encodeRef } from './message-ref.ts';
import { conversationOf, type Destination } from './sealing.ts';
import { waitAfter } from './wait-after.ts';

/** How often a message is attempted before its failure is told. */
const MOST_ATTEMPTS = 3;
/** The longest wait for a relay that asks for patience, in milliseconds. */
const LONGEST_WAIT = 10_000;

export interface Sent {
  /** The message's own id. Sent again with the same, recipients still show it once. */
  messageId: string;
  /** Of its words: with the id, what others name it by. */
  digest: string;
  /** One text that names the message, to be kept: `edit`, `delete`, `react` and `reply` take it in its place. */
  ref: string;
  /** The relay's ids of the envelopes, one for each device that has a copy. */
  envelopeIds: string[];
  /**
   * Whom the message did not reach: members without a device that can read now, or whose keys do not prove themselves;
   * of a recipient, devices that cannot be reached. `reason` is the sentence of the code.
   */
  unreached: { address: string; code: FailureCode; reason: string }[];
}

/** `isToken`: whether a group token sends, in its creator's name. */
export interface ProgramAuthor extends Author {
  isToken: boolean;
}

export interface ProgramParts extends SendingParts {
  author: ProgramAuthor;
  groups: GroupsNow;
  journal: Journal;
}

/**
 * Sends a message. Whatever fails, sent again with its id it goes on where it was.
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable, Failure no_device, group_left or group_not_found
 */
export async function send(
  parts: ProgramParts,
  body: MessageBody,
  destination: Destination,
  flags: Flags,
): Promise<Sent> {
  const sending = parts.journal.outgoing(body, conversationOf(destination), parts.author.device !== null);
  let isDone = false;
  try {
    const unreached = await patiently(() =>
      'peer' in destination
        ? sendDirect(parts, sending, destination.peer, flags)
        : sendToGroup(parts, sending, destination.groupId, flags),
    );
    const envelopeIds = idsOf(parts, sending);
    if ('peer' in destination && envelopeIds.length === 0) throw new Failure('no_device');
    isDone = true;
    const all = unreached.map(({ address, reason }) => ({
      address,
      code: reason.code,
      reason: sentenceOf(reason),
    }));
    const { id, sender, sentAt } = sending.body;
    const digest = digestOf(sending.body);
    const ref = encodeRef({
      name: { sender, id, digest },
      where: destination,
      proof: proofBy(parts.author, destination),
      sentAt: decodeTime(sentAt),
      expires: extrasOf(sending.body).expires,
    });
    return { messageId: id, digest, ref, envelopeIds, unreached: all };
  } finally {
    sending.end(isDone);
  }
}

/** How others know who sent it. */
function proofBy({ device, bot, isToken }: ProgramAuthor, destination: Destination): SenderProof {
  if (bot && 'groupId' in destination) return 'bot';
  if (device) return 'signed';
  return isToken ? 'token' : 'api';
}

function idsOf({ author }: SendingParts, sending: Sending): string[] {
  return sending.copies().map(({ envelope }) => envelopeId(author.address, envelope));
}

/** Makes another attempt after a failure that may pass. */
export async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error, attempts);
      if (!isTransient(error) || attempts === MOST_ATTEMPTS || wait > LONGEST_WAIT) throw error;
      await pause(wait);
    }
  }
}
