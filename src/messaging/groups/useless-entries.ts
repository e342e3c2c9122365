/**
 * Who hands over entries that are of no use. To judge one can take calls to the relay, and anybody can make such entries up:
 * of each sender only a few are judged in an hour, so that nobody keeps a device busy.
 */
import { RecentMap } from '../../protocol/recent-map.ts';
import { MOST_HELLO_ITEMS } from '../contents/kinds/hello.ts';

const HOUR = 3_600_000;
/** Senders that are remembered. */
const MOST_SENDERS = 1_000;

export class UselessEntries {
  readonly #counts = new RecentMap<string, { since: number; count: number }>(MOST_SENDERS);

  /** Whether another entry of a sender is worth calls. @param now milliseconds since 1970 */
  mayCost(sender: string, now: number): boolean {
    const noted = this.#counts.get(sender);
    return !noted || now - noted.since >= HOUR || noted.count < MOST_HELLO_ITEMS;
  }

  /** An entry of a sender was of no use. @param now milliseconds since 1970 */
  note(sender: string, now: number): void {
    const noted = this.#counts.get(sender);
    const isOver = !noted || now - noted.since >= HOUR;
    this.#counts.set(sender, isOver ? { since: now, count: 1 } : { ...noted, count: noted.count + 1 });
  }
}
