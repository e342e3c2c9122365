/**
 * Which messages an identity has taken. What has become too old to come again is forgotten; where there is too much to
 * remember, messages that are no newer than what was forgotten do not count any more, so that none comes twice.
 */
import { wasTaken } from '../../messaging/trust/replay.ts';

/** Messages that are remembered. About 30 MB; 1,400 a day for as long as each is remembered. */
const MOST_TAKEN = 200_000;
/** Senders of whom it is remembered up to when their messages are forgotten. */
const MOST_LIMITS = 10_000;

/** One message. Times are milliseconds since 1970. */
export interface Taken {
  sender: string;
  /** The sender's id of it. */
  id: string;
  isSigned: boolean;
  /** By the sender's clock. */
  sentAt: number;
  /** When it was taken, by the own clock. */
  at: number;
}

/** Messages of a sender up to a time do not count any more; of every sender, where it is null. */
export interface Forgotten {
  sender: string | null;
  /** By the sender's clock. */
  upTo: number;
}

export class TakenMessages {
  readonly #most: number;
  readonly #bySender = new Map<string, Map<string, Taken>>();
  readonly #forgotten = new Map<string, number>();
  #allForgotten = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param most messages that are remembered */
  constructor(most = MOST_TAKEN) {
    this.#most = most;
  }

  /** How many entries {@link entries} and {@link limits} have. */
  get size(): number {
    return this.#count + this.#forgotten.size + 1;
  }

  has({ sender, id, isSigned }: Pick<Taken, 'sender' | 'id' | 'isSigned'>): boolean {
    const of = this.#bySender.get(sender);
    return wasTaken(
      { signed: of?.has(keyOf(id, true)) ?? false, unsigned: of?.has(keyOf(id, false)) ?? false },
      isSigned,
    );
  }

  /** Whether a message of that time may be one that is not remembered any more. */
  mayBeForgotten(sender: string, sentAt: number): boolean {
    return sentAt <= Math.max(this.#allForgotten, this.#forgotten.get(sender) ?? Number.NEGATIVE_INFINITY);
  }

  add(taken: Taken): void {
    const of = this.#bySender.get(taken.sender) ?? new Map<string, Taken>();
    this.#bySender.set(taken.sender, of);
    const before = of.size;
    of.set(keyOf(taken.id, taken.isSigned), taken);
    this.#count += of.size - before;
    if (this.#count > this.#most) this.#forgetHalfOfBusiest();
  }

  setForgotten({ sender, upTo }: Forgotten): void {
    if (sender === null) this.#allForgotten = Math.max(this.#allForgotten, upTo);
    else this.#forgotten.set(sender, Math.max(upTo, this.#forgotten.get(sender) ?? upTo));
    if (this.#forgotten.size > MOST_LIMITS) this.#mergeLimits();
  }

  /** Forgets what was taken before a time, and can come no more. */
  forgetBefore(time: number): void {
    for (const [sender, of] of this.#bySender) {
      for (const [key, { at }] of of) {
        if (at < time && of.delete(key)) this.#count--;
      }
      if (of.size === 0) this.#bySender.delete(sender);
    }
    for (const [sender, upTo] of this.#forgotten) if (upTo < time) this.#forgotten.delete(sender);
  }

  entries(): Taken[] {
    return [...this.#bySender.values()].flatMap((of) => [...of.values()]);
  }

  limits(): Forgotten[] {
    const limits: Forgotten[] = Array.from(this.#forgotten, ([sender, upTo]) => ({ sender, upTo }));
    return Number.isFinite(this.#allForgotten)
      ? [...limits, { sender: null, upTo: this.#allForgotten }]
      : limits;
  }

  /** The sender of the most messages is the first whose older messages no longer count. */
  #forgetHalfOfBusiest(): void {
    let busiest: [string, Map<string, Taken>] | null = null;
    for (const entry of this.#bySender) if (!busiest || entry[1].size > busiest[1].size) busiest = entry;
    if (!busiest) return;
    const [sender, of] = busiest;
    const oldest = [...of.values()].sort((a, b) => a.sentAt - b.sentAt).slice(0, Math.ceil(of.size / 2));
    for (const { id, isSigned } of oldest) of.delete(keyOf(id, isSigned));
    this.#count -= oldest.length;
    if (of.size === 0) this.#bySender.delete(sender);
    this.setForgotten({ sender, upTo: oldest.at(-1)?.sentAt ?? 0 });
  }

  /** The limits that lie furthest back become one for everybody. */
  #mergeLimits(): void {
    const ascending = [...this.#forgotten].sort(([, a], [, b]) => a - b);
    for (const [sender, upTo] of ascending.slice(0, MOST_LIMITS / 2)) {
      this.#forgotten.delete(sender);
      this.#allForgotten = Math.max(this.#allForgotten, upTo);
    }
  }
}

function keyOf(id: string, isSigned: boolean): string {
  return isSigned ? id : `${id} unsigned`;
}
