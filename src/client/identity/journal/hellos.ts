/**
 * People to whom an identity announces its device list, with the time of the last announcement: in memory, and as
 * lines of its journal.
 */
import { z } from 'zod';
import type { HelloPlan, HelloPlans } from '../../../messaging/greeting/plans.ts';
import { WireAddress } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

export const HellosEntry = z.strictObject({
  hellos: z.array(
    z.strictObject({
      address: WireAddress,
      after: z.number().int().nonnegative(),
      dueAt: z.number().nullable(),
      sentAt: z.number().nullable(),
    }),
  ),
  /** Number of the newest own list with planned announcements. */
  plannedList: z.number().int().nonnegative(),
});
export type HellosEntry = z.infer<typeof HellosEntry>;

export class JournalHellos implements HelloPlans, Table<HellosEntry> {
  readonly schema = HellosEntry;
  readonly #write: (entry: HellosEntry) => void;
  readonly #plans = new Map<string, HelloPlan>();
  #plannedList = 0;

  /** @param write makes a line durable, and calls {@link apply} */
  constructor(write: (entry: HellosEntry) => void) {
    this.#write = write;
  }

  plannedList(): number {
    return this.#plannedList;
  }

  count(): number {
    return this.#plans.size;
  }

  find(address: string): HelloPlan | null {
    return this.#plans.get(address) ?? null;
  }

  save(plans: readonly HelloPlan[], plannedList = this.#plannedList): void {
    this.#write({ hellos: [...plans], plannedList });
  }

  due(now: number, limit: number): HelloPlan[] {
    return [...this.#plans.values()]
      .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
      .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
      .slice(0, limit);
  }

  nextDueAt(): number | null {
    let next: number | null = null;
    for (const { dueAt } of this.#plans.values()) {
      if (dueAt !== null && (next === null || dueAt < next)) next = dueAt;
    }
    return next;
  }

  /** In memory only: the next call forgets a remaining line again. */
  forgetBefore(time: number): void {
    for (const [address, { dueAt, sentAt }] of this.#plans) {
      if (dueAt === null && (sentAt ?? 0) < time) this.#plans.delete(address);
    }
  }

  apply({ hellos, plannedList }: HellosEntry): void {
    for (const plan of hellos) this.#plans.set(plan.address, plan);
    this.#plannedList = plannedList;
  }

  entries(): HellosEntry[] {
    if (this.#plannedList === 0 && this.#plans.size === 0) return [];
    return [{ hellos: [...this.#plans.values()], plannedList: this.#plannedList }];
  }
}
