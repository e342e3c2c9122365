/** Recipients of the own device list, each with the time of the last hello. Stored by app and library. */

/** One address. Times are milliseconds since 1970. */
export interface HelloPlan {
  /** Wire address. */
  address: string;
  /** Number of the newest own list that they know, as far as is known here; 0 for none. */
  after: number;
  /** Null: no hello is planned. */
  dueAt: number | null;
  /** Time of the last hello; null for never, or forgotten. */
  sentAt: number | null;
}

/** Storage of the plans. Every change must be durable when the call returns. */
export interface HelloPlans {
  /** Number of the newest own list with planned hellos; 0 for none. */
  plannedList(): number;
  /** Number of planned and recent hellos. */
  count(): number;
  find(address: string): HelloPlan | null;
  /**
   * Stores plans, all or none.
   * @param plannedList their list, if it is new
   */
  save(plans: readonly HelloPlan[], plannedList?: number): void;
  /** Due plans, oldest first. */
  due(now: number, limit: number): HelloPlan[];
  /** Time of the next plan; null for none. */
  nextDueAt(): number | null;
  /** Forgets recipients before a time without a new plan. */
  forgetBefore(time: number): void;
}
