/**
 * What the author's device does when another device says which of its messages did not come (docs/protocol.md, 'Gaps').
 * Times are milliseconds since 1970, spans milliseconds.
 */

const DAY = 24 * 3_600_000;
/** What is older is not sealed again. */
const OLDEST = 30 * DAY;
/** A recipient refuses what is older than the relay's retention and 15 days. A day is left for the way. */
const OLDEST_BEYOND_RETENTION = 14 * DAY;
/** Copies that are sealed again for one device in a day. */
export const MOST_RESEALED_A_DAY = 100;

/** A message of this device, as far as it knows it. */
export interface SentBefore {
  sentAt: number;
  /** Whether it went to the one who asks: who in a group was a member then and is one now. */
  isForAsker: boolean;
  /** When it was last sealed again for the device that asks. */
  resealedAt: number | null;
}

export interface AskAnswer {
  /** To be sealed again, the same body, for the device that asks alone. */
  reseal: number[];
  /** To be answered with `skipped`. The others have to wait for another day. */
  skip: number[];
}

/**
 * @param seqs that the device says are missing
 * @param find the message of a number; null if this device has none, or has deleted it
 * @param resealed copies that were sealed again for the device in the last 24 hours
 */
export function answerAsk(
  seqs: readonly number[],
  find: (seq: number) => SentBefore | null,
  { now, retention, resealed }: { now: number; retention: number; resealed: number },
): AskAnswer {
  const oldest = now - Math.min(OLDEST, retention + OLDEST_BEYOND_RETENTION);
  const answer: AskAnswer = { reseal: [], skip: [] };
  for (const seq of new Set(seqs)) {
    const message = find(seq);
    if (!message?.isForAsker || message.sentAt < oldest) answer.skip.push(seq);
    else if (message.resealedAt !== null && now - message.resealedAt < DAY) continue;
    else if (resealed + answer.reseal.length < MOST_RESEALED_A_DAY) answer.reseal.push(seq);
  }
  return answer;
}
