/**
 * Protection against a relay that delivers an old message again. A message that is too old is refused, and
 * received ones are remembered for longer than that. App and library share the rule and implement its
 * storage. All times are milliseconds since 1970, all spans milliseconds.
 */

const DAY = 24 * 3_600_000;

/** Upper limit of a relay's stated retention. */
const MAX_RETENTION = 90 * DAY;
/** Additional age beyond the relay's retention: a message may have waited unsent. */
const LATE = 15 * DAY;
/** Limit for messages dated ahead of the recipient's clock, exclusive: own values reach it, and so replace each accepted one. */
const MAX_AHEAD = DAY;
/** Limit for own messages: lower, so that recipients with slow clocks accept them as well. Not for a value that replaces one. */
const MAX_OWN_AHEAD = MAX_AHEAD - 3_600_000;

/**
 * Time for which (sender, id) of a received message is remembered: 45 days beyond the longest retention. A
 * relay that states a short retention first, and a long one later, cannot cause a valid id to be forgotten.
 */
export const REMEMBER_FOR = MAX_RETENTION + 45 * DAY;

/**
 * Effective retention: the longest stated by the relay so far.
 * @param reported null before the first statement
 */
export function retentionOf(reported: number | null): number {
  return reported === null ? MAX_RETENTION : Math.min(Math.max(reported, 0), MAX_RETENTION);
}

export interface Times {
  /** By the sender's clock. */
  sentAt: number;
  /** By the own clock. */
  now: number;
}

/** Reason for refusing a message for its date. `too_old`: it may have been delivered before. */
export type TimeProblem = 'too_old' | 'dated_ahead';

/**
 * Reason for refusing a message for its date; null for none. Only the own clock counts, not the date of the
 * envelope.
 * @param retention see {@link retentionOf}
 */
export function findTimeProblem({ sentAt, now }: Times, retention: number): TimeProblem | null {
  if (sentAt < now - retention - LATE) return 'too_old';
  if (isDatedAhead(sentAt, now)) return 'dated_ahead';
  return null;
}

/** Reports whether a message or value of others is dated too far ahead to be accepted. */
export function isDatedAhead(sentAt: number, now: number): boolean {
  return sentAt >= now + MAX_AHEAD;
}

/** Latest `sentAt` of an own value that replaces another one: after each accepted one, and accepted by others a millisecond later. */
export function latestSentAt(now: number): number {
  return now + MAX_AHEAD;
}

/** Latest valid `sentAt` of own messages that replace no value, regardless of the dates of others. */
export function latestOwnSentAt(now: number): number {
  return now + MAX_OWN_AHEAD;
}

/**
 * Reports whether a message was received before. An unsigned one never blocks a signed one with its id: the relay
 * could have invented it.
 * @param received received messages with this sender and id
 */
export function isDuplicate(received: { signed: boolean; unsigned: boolean }, isSigned: boolean): boolean {
  return received.signed || (received.unsigned && !isSigned);
}
