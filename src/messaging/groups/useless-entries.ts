/**
 * Senders of useless entries. Judging one can require calls to the relay, and anyone can invent such entries.
 * Only a few of each sender are judged per hour, so that no one can keep a device busy.
 */
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { MAX_HELLO_ITEMS } from '../contents/kinds/hello.ts';

const HOUR = 3_600_000;
/** Limit of remembered senders. */
const MAX_SENDERS = 1_000;

export class UselessEntries {
  readonly #counts = new BoundedMap<string, { since: number; count: number }>(MAX_SENDERS);

  /**
   * Reports whether the relay may be called for one more entry of a sender.
   * @param now milliseconds since 1970
   */
  mayCost(sender: string, now: number): boolean {
    const noted = this.#counts.get(sender);
    return !noted || now - noted.since >= HOUR || noted.count < MAX_HELLO_ITEMS;
  }

  /**
   * Records a useless entry of a sender.
   * @param now milliseconds since 1970
   */
  note(sender: string, now: number): void {
    const noted = this.#counts.get(sender);
    const isOver = !noted || now - noted.since >= HOUR;
    this.#counts.set(sender, isOver ? { since: now, count: 1 } : { ...noted, count: noted.count + 1 });
  }
}
