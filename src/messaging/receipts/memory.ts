/**
 * Storage of planned receipts. Every change must be durable when the call returns. All times are milliseconds
 * since 1970.
 */
import type { DeviceIn } from '../gaps/memory.ts';
import type { DeviceReceipt } from './coverage.ts';

/** A device whose author gets a receipt for its numbers. */
export interface DueReceipt extends DeviceIn {
  /** Incremented with each new plan. */
  plans: number;
  /** Number of failed attempts. */
  failures: number;
  /** The last receipt to its author. */
  reported: DeviceReceipt;
}

export interface DueMemory {
  /**
   * Plans a receipt after a tracked device's message arrived or was read. It is due now, or `every`
   * milliseconds after the last receipt for the conversation. A later plan moves up to that time, unless it
   * is a retry.
   */
  plan(device: DeviceIn, now: number, every: number): void;
  /** Time of the next plan; null for none. */
  nextAt(): number | null;
  /** Plans for one author in one conversation, if one of them is due. At most `most`; empty for none. */
  due(now: number, most: number): DueReceipt[];
  /** Stores the receipt that was sent to the author. */
  sent(device: DeviceIn, reported: DeviceReceipt, now: number): void;
  /**
   * Marks a plan as done.
   * @param next time of the next check; null: with the next plan
   * @param again the same, if there was a new plan meanwhile
   */
  settle(due: DueReceipt, next: number | null, again: number): void;
  /** Postpones a failed receipt; null: gives up. */
  postpone(due: DueReceipt, until: number | null): void;
  /** Allows a retry of failed receipts now. */
  retryNow(now: number): void;
}
