/**
 * What is remembered of the receipts that are to be sent. Every change must be durable when the call returns. All times are
 * milliseconds since 1970.
 */
import type { DeviceIn } from '../gaps/memory.ts';
import type { SaidOfDevice } from './coverage.ts';

/** A device whose author is to be told of its numbers. */
export interface DueReceipt extends DeviceIn {
  /** Rises with everything that is to be told. */
  plans: number;
  /** How often it could not be sent. */
  failures: number;
  /** What its author was told last. */
  said: SaidOfDevice;
}

export interface DueMemory {
  /**
   * Something came of a device that is followed, or was read: its author is to be told, now or `every` milliseconds after
   * they were told something of the conversation last. What is planned for later is due by then, too, unless it waits
   * because it could not be sent.
   */
  plan(device: DeviceIn, now: number, every: number): void;
  /** When the next is due; null for none. */
  nextAt(): number | null;
  /** All that is planned of one author in one conversation, if any of it is due, at most so many; empty for nothing. */
  due(now: number, most: number): DueReceipt[];
  /** The author was told this. */
  told(device: DeviceIn, said: SaidOfDevice, now: number): void;
  /**
   * A plan was carried out.
   * @param next when it is looked at again; null: with the next plan
   * @param again the same, where there was another plan meanwhile
   */
  settle(due: DueReceipt, next: number | null, again: number): void;
  /** It could not be sent, and is tried again then; null: it is given up. */
  postpone(due: DueReceipt, until: number | null): void;
  /** What could not be sent may be tried now. */
  hasten(now: number): void;
}
