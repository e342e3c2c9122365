/**
 * What is too old or was taken before, protocol §7: 'Replay'.
 */
const DAY = 86_400_000;
const LONGEST_RETENTION = 90 * DAY;

/** Times of one message in milliseconds, and the longest retention that its relay has told, null for none yet. */
export interface Times {
  now: number;
  receivedAt: number;
  sentAt: number;
  retention: number | null;
}

/** Whether a message with these times counts. */
export function timesCount({ now, receivedAt, sentAt, retention }: Times): boolean {
  const kept = Math.min(retention ?? LONGEST_RETENTION, LONGEST_RETENTION);
  if (sentAt < now - kept - 15 * DAY) return false;
  return sentAt <= now + DAY || sentAt <= receivedAt + DAY;
}

/** The messages that were taken, each by sender and id, for as long as any relay can ask. */
export class Taken {
  static readonly rememberedFor: number = LONGEST_RETENTION + 45 * DAY;
  readonly #taken = new Map<string, { at: number; signed: boolean }>();

  /** Whether such a message was taken before: an unsigned one does not stand in the way of a signed one. */
  has(sender: string, id: string, signed: boolean): boolean {
    const before = this.#taken.get(`${sender} ${id}`);
    return before !== undefined && (before.signed || !signed);
  }

  note(sender: string, id: string, signed: boolean, now: number): void {
    for (const [key, { at }] of this.#taken) if (at < now - Taken.rememberedFor) this.#taken.delete(key);
    this.#taken.set(`${sender} ${id}`, { at: now, signed });
  }
}
