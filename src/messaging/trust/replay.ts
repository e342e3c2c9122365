/**
 * What keeps a relay from delivering an old message again as a new one: a message that is too old is refused, and one
 * that was taken is remembered for longer than that. App and library share the rule and store its memory themselves.
 * All times are milliseconds since 1970, all spans milliseconds.
 */

const DAY = 24 * 3_600_000;

/** A relay that tells of a longer retention is not believed. */
const MOST_RETENTION = 90 * DAY;
/** How much older than the relay's retention a message may be: it may have waited unsent. */
const LATE = 15 * DAY;
/** How far a message may be dated ahead of the recipient's clock. */
const MOST_AHEAD = DAY;
/** A message of one's own is dated less far ahead, so that recipients whose clocks are behind accept it as well. */
const MOST_OWN_AHEAD = MOST_AHEAD - 3_600_000;

/**
 * How long (sender, id) of what was taken is remembered: 45 days beyond the longest retention. A relay that tells of a
 * short retention, and later of a long one, cannot make anything be forgotten that still counts as new.
 */
export const REMEMBER_FOR = MOST_RETENTION + 45 * DAY;

/** The retention to go by: the longest that the relay has told so far. @param told null if nothing was told yet */
export function retentionOf(told: number | null): number {
  return told === null ? MOST_RETENTION : Math.min(Math.max(told, 0), MOST_RETENTION);
}

export interface Times {
  /** By the sender's clock. */
  sentAt: number;
  /** By the own clock. */
  now: number;
}

/** Why a message is refused for its date. `too_old`: it may have been delivered before. */
export type TimeProblem = 'too_old' | 'dated_ahead';

/**
 * Why a message is refused for its date; null if it is not. Only the own clock counts: a relay that dates its envelopes
 * ahead does not get a message accepted that is.
 * @param retention see {@link retentionOf}
 */
export function findTimeProblem({ sentAt, now }: Times, retention: number): TimeProblem | null {
  if (sentAt < now - retention - LATE) return 'too_old';
  if (sentAt > latestSentAt(now)) return 'dated_ahead';
  return null;
}

/** The latest `sentAt` that a message of others may have. */
export function latestSentAt(now: number): number {
  return now + MOST_AHEAD;
}

/** The latest `sentAt` that a message of one's own may have, whatever others have dated theirs. */
export function latestOwnSentAt(now: number): number {
  return now + MOST_OWN_AHEAD;
}

/**
 * Whether a message was taken before. One that nobody signed never stands in the way of a signed one with its id: the
 * relay could have made it up.
 * @param taken which messages with this sender and id were taken
 */
export function wasTaken(taken: { signed: boolean; unsigned: boolean }, isSigned: boolean): boolean {
  return taken.signed || (taken.unsigned && !isSigned);
}
