/**
 * Who may read the chain of a group, and post to it, without being a member: those who showed that they could join, for
 * ten minutes. Kept in memory: after a restart they show it again.
 */
import { RecentMap } from '../protocol/recent-map.ts';
import type { AccountKey, GroupKey } from './store/records.ts';

/** How long an admission lasts, in milliseconds. */
const LIFE = 10 * 60_000;
/** More than these, and the oldest are forgotten. */
const MOST = 50_000;

export class Admissions {
  readonly #now: () => number;
  readonly #until = new RecentMap<string, number>(MOST);

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(group: GroupKey, account: AccountKey): void {
    this.#until.set(nameOf(group, account), this.#now() + LIFE);
  }

  has(group: GroupKey, account: AccountKey): boolean {
    return this.#now() < (this.#until.get(nameOf(group, account)) ?? 0);
  }

  /** Someone who left or was removed has to show again that they could join. */
  end(group: GroupKey, account: AccountKey): void {
    this.#until.delete(nameOf(group, account));
  }
}

function nameOf(group: GroupKey, account: AccountKey): string {
  return `${group} ${account}`;
}
