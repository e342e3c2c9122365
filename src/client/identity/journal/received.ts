/**
 * Messages that an identity has accepted. Those that are too old to arrive again are forgotten. If there are too
 * many, messages no newer than the forgotten ones are refused, so that none is accepted twice.
 */
import { z } from 'zod';
import { isDuplicate } from '../../../messaging/trust/replay.ts';
import { WireAddress } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

/** The most remembered messages. About 30 MB; 1,400 a day over the time that each is remembered. */
const MAX_RECEIVED = 200_000;
/** The most senders with their own limit of forgotten messages. */
const MAX_LIMITS = 10_000;

/** One message. Times are milliseconds since 1970. */
const ReceivedMessage = z.strictObject({
  sender: WireAddress,
  /** Its id, chosen by the sender. */
  id: z.string(),
  isSigned: z.boolean(),
  /** By the sender's clock. */
  sentAt: z.number(),
  /** Time of acceptance, by the own clock. */
  at: z.number(),
});
export type ReceivedMessage = z.infer<typeof ReceivedMessage>;

/** Refuses messages of a sender up to a time; of every sender if null. */
const Forgotten = z.strictObject({
  sender: WireAddress.nullable(),
  /** By the sender's clock. */
  upTo: z.number(),
});
type Forgotten = z.infer<typeof Forgotten>;

const ReceivedEntry = z.union([
  z.strictObject({ received: ReceivedMessage }),
  z.strictObject({ forgotten: Forgotten }),
]);
type ReceivedEntry = z.infer<typeof ReceivedEntry>;

export class ReceivedMessages implements Table<ReceivedEntry> {
  readonly schema = ReceivedEntry;
  readonly #most: number;
  readonly #bySender = new Map<string, Map<string, ReceivedMessage>>();
  readonly #forgotten = new Map<string, number>();
  #allForgotten = Number.NEGATIVE_INFINITY;
  /** The latest time of acceptance; null before the first. */
  #latestAt: number | null = null;
  #count = 0;

  /** @param most number of remembered messages */
  constructor(most = MAX_RECEIVED) {
    this.#most = most;
  }

  /** The number of {@link entries}, with the limit for all senders. */
  get size(): number {
    return this.#count + this.#forgotten.size + 1;
  }

  has({ sender, id, isSigned }: Pick<ReceivedMessage, 'sender' | 'id' | 'isSigned'>): boolean {
    const of = this.#bySender.get(sender);
    return isDuplicate(
      { signed: of?.has(keyOf(id, true)) ?? false, unsigned: of?.has(keyOf(id, false)) ?? false },
      isSigned,
    );
  }

  /** Reports whether a message of that time may be one that was forgotten. */
  mayBeForgotten(sender: string, sentAt: number): boolean {
    return sentAt <= Math.max(this.#allForgotten, this.#forgotten.get(sender) ?? Number.NEGATIVE_INFINITY);
  }

  add(received: ReceivedMessage): void {
    this.#latestAt = Math.max(this.#latestAt ?? 0, received.at);
    const of = this.#bySender.get(received.sender) ?? new Map<string, ReceivedMessage>();
    this.#bySender.set(received.sender, of);
    const before = of.size;
    of.set(keyOf(received.id, received.isSigned), received);
    this.#count += of.size - before;
    if (this.#count > this.#most) this.#forgetHalfOfBusiest();
  }

  #setForgotten({ sender, upTo }: Forgotten): void {
    if (sender === null) this.#allForgotten = Math.max(this.#allForgotten, upTo);
    else this.#forgotten.set(sender, Math.max(upTo, this.#forgotten.get(sender) ?? upTo));
    if (this.#forgotten.size > MAX_LIMITS) this.#mergeLimits();
  }

  /** Forgets messages accepted before a time, which can no longer arrive. */
  forgetBefore(time: number): void {
    for (const [sender, of] of this.#bySender) {
      for (const [key, { at }] of of) {
        if (at < time && of.delete(key)) this.#count--;
      }
      if (of.size === 0) this.#bySender.delete(sender);
    }
    for (const [sender, upTo] of this.#forgotten) if (upTo < time) this.#forgotten.delete(sender);
  }

  apply(entry: ReceivedEntry): void {
    if ('received' in entry) this.add(entry.received);
    else this.#setForgotten(entry.forgotten);
  }

  /** The limits come first, so that the last limit counts for all messages. */
  entries(): ReceivedEntry[] {
    const limits: Forgotten[] = Array.from(this.#forgotten, ([sender, upTo]) => ({ sender, upTo }));
    if (Number.isFinite(this.#allForgotten)) limits.push({ sender: null, upTo: this.#allForgotten });
    const messages = [...this.#bySender.values()].flatMap((of) => [...of.values()]);
    return [...limits.map((forgotten) => ({ forgotten })), ...messages.map((received) => ({ received }))];
  }

  /** Forgets older messages of the sender with the most messages first. */
  #forgetHalfOfBusiest(): void {
    let busiest: [string, Map<string, ReceivedMessage>] | null = null;
    for (const entry of this.#bySender) if (!busiest || entry[1].size > busiest[1].size) busiest = entry;
    if (!busiest) return;
    const [sender, of] = busiest;
    const oldest = [...of.values()].sort((a, b) => a.sentAt - b.sentAt).slice(0, Math.ceil(of.size / 2));
    for (const { id, isSigned } of oldest) of.delete(keyOf(id, isSigned));
    this.#count -= oldest.length;
    if (of.size === 0) this.#bySender.delete(sender);
    this.#setForgotten({ sender, upTo: oldest.at(-1)?.sentAt ?? 0 });
  }

  /** Merges the oldest limits into one for every sender. One ahead of the own clock refuses nothing that others send later. */
  #mergeLimits(): void {
    const ascending = [...this.#forgotten].sort(([, a], [, b]) => a - b);
    for (const [sender, upTo] of ascending.slice(0, MAX_LIMITS / 2)) {
      this.#forgotten.delete(sender);
      this.#allForgotten = Math.max(this.#allForgotten, Math.min(upTo, this.#latestAt ?? upTo));
    }
  }
}

function keyOf(id: string, isSigned: boolean): string {
  return isSigned ? id : `${id} unsigned`;
}
