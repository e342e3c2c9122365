/**
 * Sending for a program: a message stays in its journal until the relay has all copies. Each call of the library
 * makes a few attempts.
 */

import { pause } from '../base/backoff.ts';
import { Failure, type FailureCode, sentenceOf } from '../base/failure.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import { attachment } from '../messaging/contents/kinds/attachment.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { isTransient, type RelayRefusal, type RelayUnreachable } from '../messaging/relay.ts';
import { sendDirect } from '../messaging/sending/direct.ts';
import { type GroupsNow, sendToGroup } from '../messaging/sending/group.ts';
import type { Author, Flags, MessageBody, SendingParts } from '../messaging/sending/outgoing.ts';
import { digestOf } from '../messaging/sending/signed-payload.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { envelopeId } from '../protocol/envelope-id.ts';
import type { Journal, Sending } from './identity/journal/journal.ts';
import { encodeRef } from './message-ref.ts';
import { conversationOf, type Destination } from './sealing.ts';
import { waitAfter } from './wait-after.ts';

/** The number of attempts before a failure is reported: with their pauses they outlast a restart of the relay. */
const MAX_ATTEMPTS = 5;
/** No attempt starts later than this after the first, in milliseconds: a relay that does not answer takes long to fail. */
const LAST_START = 40_000;
/** The longest wait for a relay that requests one, in milliseconds. */
const LONGEST_WAIT = 10_000;

export interface Sent {
  /** The message's own id. If it is sent again with this id, recipients still show it once. */
  messageId: string;
  /** Digest of its text: with the id, the reference for others. */
  digest: string;
  /** A text that names the message, for storing: `edit`, `delete`, `react` and `reply` accept it. */
  ref: string;
  /** The relay's ids of the envelopes, one for each device with a copy. */
  envelopeIds: string[];
  /**
   * Recipients without the message: members without a usable device, or with unproven keys; for a direct message,
   * unreachable devices. `reason` is the sentence of the code.
   */
  undelivered: { address: string; code: FailureCode; reason: string }[];
}

/** `isToken`: true if a group token sends, in its creator's name. */
export interface ProgramAuthor extends Author {
  isToken: boolean;
}

export interface ProgramParts extends SendingParts {
  author: ProgramAuthor;
  groups: GroupsNow;
  journal: Journal;
  /** Aborted when the client is closed. */
  closed: AbortSignal;
  /** Called for each failed attempt that will be repeated. */
  onProblem: OnProblem | undefined;
}

/** A listener for temporary failures. */
export type OnProblem = (problem: RelayUnreachable | RelayRefusal) => void;

/**
 * Sends a message. After any failure, sending it again with its id continues.
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable, Failure no_device, no_other_device, group_left or group_not_found
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
    const undelivered = await patiently(
      () =>
        'peer' in destination
          ? sendDirect(parts, sending, destination.peer, flags)
          : sendToGroup(parts, sending, destination.groupId, flags),
      parts.closed,
      parts.onProblem,
    );
    const envelopeIds = idsOf(parts, sending);
    if ('peer' in destination && envelopeIds.length === 0) {
      throw new Failure(destination.peer === sending.body.sender ? 'no_other_device' : 'no_device');
    }
    isDone = true;
    const all = undelivered.map(({ address, reason }) => ({
      address,
      code: reason.code,
      reason: sentenceOf(reason),
    }));
    const { id, sender, sentAt, kind } = sending.body;
    const digest = digestOf(sending.body);
    const ref = encodeRef({
      name: { sender, id, digest },
      where: destination,
      proof: proofBy(parts.author, destination),
      hasFiles: kind === attachment.name,
      sentAt: decodeTime(sentAt),
      expires: extrasOf(sending.body).expires,
    });
    return { messageId: id, digest, ref, envelopeIds, undelivered: all };
  } finally {
    sending.end(isDone);
  }
}

/** The sender's proof for others. */
function proofBy({ device, bot, isToken }: ProgramAuthor, destination: Destination): SenderProof {
  if (bot && 'groupId' in destination) return 'bot';
  if (device) return 'signed';
  return isToken ? 'token' : 'api';
}

function idsOf({ author }: SendingParts, sending: Sending): string[] {
  return sending.copies().map(({ envelope }) => envelopeId(author.address, envelope));
}

/**
 * Repeats an attempt after a temporary failure, each time after a longer pause.
 * @param closed ends the pause, and the attempts
 * @param onProblem called before each pause
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  closed: AbortSignal,
  onProblem?: OnProblem,
): Promise<T> {
  const start = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error, attempts);
      const isLast = attempts === MAX_ATTEMPTS || performance.now() + wait - start > LAST_START;
      if (closed.aborted || !isTransient(error) || isLast || wait > LONGEST_WAIT) throw error;
      onProblem?.(error);
      await pause(wait, closed);
    }
  }
}
