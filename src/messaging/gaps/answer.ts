/**
 * The author's answer to another device that reports missing messages (docs/protocol.md, 'Gaps'). Times are
 * milliseconds since 1970, spans milliseconds.
 */

const DAY = 24 * 3_600_000;
/** Age limit of a resealed message. */
const OLDEST = 30 * DAY;
/**
 * A recipient refuses messages older than the relay's retention plus 15 days. One day is reserved for
 * delivery.
 */
const OLDEST_BEYOND_RETENTION = 14 * DAY;
/** Resealed copies for one device per day. */
export const MAX_RESEALED_A_DAY = 100;

/** A message that this device sent before. */
export interface SentBefore {
  sentAt: number;
  /** True if the requester was a recipient: a member of the group then and now. */
  isForRequester: boolean;
  /** Time at which it was last resealed for the requesting device. */
  resealedAt: number | null;
}

export interface RequestAnswer {
  /** Numbers to reseal, with the same body, for the requesting device only. */
  reseal: number[];
  /** Numbers to answer with `skipped`. The others wait for another day. */
  skip: number[];
}

/**
 * @param seqs missing numbers according to the device
 * @param find the message of a number; null if this device has none, or has deleted it
 * @param resealed number of copies resealed for the device in the last 24 hours
 */
export function answerRequest(
  seqs: readonly number[],
  find: (seq: number) => SentBefore | null,
  { now, retention, resealed }: { now: number; retention: number; resealed: number },
): RequestAnswer {
  const oldest = now - Math.min(OLDEST, retention + OLDEST_BEYOND_RETENTION);
  const answer: RequestAnswer = { reseal: [], skip: [] };
  for (const seq of new Set(seqs)) {
    const message = find(seq);
    if (!message?.isForRequester || message.sentAt < oldest) answer.skip.push(seq);
    else if (message.resealedAt !== null && now - message.resealedAt < DAY) continue;
    else if (resealed + answer.reseal.length < MAX_RESEALED_A_DAY) answer.reseal.push(seq);
  }
  return answer;
}
