/**
 * Whom to tell of the own device list, and when each of them was told last. App and library store it, each in its own
 * way.
 */

/** One address. Times are milliseconds since 1970. */
export interface HelloPlan {
  /** Wire address. */
  address: string;
  /** Number of the newest own list that they know, as far as is known here; 0 if nothing is. */
  after: number;
  /** Null: nothing is to be told. */
  dueAt: number | null;
  /** When they were told last; null if they never were, or it was forgotten. */
  sentAt: number | null;
}

/** Where the plans are kept. Every change must be durable when the call returns. */
export interface HelloPlans {
  /** Number of the newest own list for which it is planned whom to tell of it; 0 if there is none. */
  plannedList(): number;
  /** Addresses that are to be told, or were told of late. */
  count(): number;
  find(address: string): HelloPlan | null;
  /** Keeps plans, all or none of them. @param plannedList the list for which they are, where it is a new one */
  save(plans: readonly HelloPlan[], plannedList?: number): void;
  /** Those that are due, the oldest first. */
  due(now: number, limit: number): HelloPlan[];
  /** When the next is due; null if nothing is planned. */
  nextDueAt(): number | null;
  /** Forgets who was told before a time and is not to be told again. */
  forgetBefore(time: number): void;
}
