/**
 * Record of accepted, shown and acknowledged messages during faults, and of the broken promises among them.
 * Times are milliseconds of one monotonic clock.
 */

/** Broken promises, with their sentences. */
export const FAULTS = {
  lost: 'accepted, and never shown',
  shownTwice: 'shown again after it was acknowledged',
  wentBack: 'shown after what came later',
  invented: 'shown, and sent by nobody',
  refused: 'refused, though nothing was wrong with the call',
  revokedWorked: 'let in with a credential that was revoked',
  sweptWakeUps: 'most wake-ups by the sweep, and not by the replica that took the envelope',
} as const;
export type Fault = keyof typeof FAULTS;

/** An envelope that a device has not received yet. */
export interface Sent {
  device: string;
  sender: string;
  /** A sender numbers its messages, and sends the next after the previous one was accepted. */
  number: number;
}

interface Entry extends Sent {
  isAccepted: boolean;
  sentAt: number;
  isShown: boolean;
  /** Time of the answer to its acknowledgement. */
  acknowledgedAt: number;
}

/** Number of examples that are kept of each fault. */
const MAX_EXAMPLES = 5;
/** Minimum number of wake-ups of each kind for a statistic. */
export const FEWEST_WAKE_UPS = 7;

export class Ledger {
  readonly counts: Record<Fault, number> = {
    lost: 0,
    shownTwice: 0,
    wentBack: 0,
    invented: 0,
    refused: 0,
    revokedWorked: 0,
    sweptWakeUps: 0,
  };
  readonly examples: string[] = [];
  /** True after all faults have ended. */
  isCalm = false;
  /** Number of accepted envelopes. */
  accepted = 0;
  /** The longest time for which a revoked credential still worked. */
  latest = 0;
  /** Calls with a credential whose revocation is too old for it to work. */
  probes = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #lastShown = new Map<string, number>();
  readonly #wakeUps = { same: [] as number[], other: [] as number[] };
  /** Deliveries of another replica's envelopes by the sweep. */
  #swept = 0;
  readonly #within: number;

  /** @param within how long a revoked credential may work, in milliseconds */
  constructor(within: number) {
    this.#within = within;
  }

  get isClean(): boolean {
    return Object.values(this.counts).every((count) => count === 0);
  }

  fault(fault: Fault, about: string): void {
    if (this.counts[fault]++ < MAX_EXAMPLES) this.examples.push(`${FAULTS[fault]}: ${about}`);
  }

  /** Called before the first transmission of an envelope. */
  sending(id: string, sent: Sent): void {
    this.#entries.set(id, {
      ...sent,
      isAccepted: false,
      sentAt: performance.now(),
      isShown: false,
      acknowledgedAt: Infinity,
    });
  }

  accept(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.isAccepted) return;
    entry.isAccepted = true;
    this.accepted++;
  }

  /** Reports whether an envelope first sent after a time was accepted for a device. */
  hasAccepted(device: string, after: number): boolean {
    return [...this.#entries.values()].some(
      (entry) => entry.isAccepted && entry.device === device && entry.sentAt > after,
    );
  }

  /** A page of an inbox. @param requestedAt time of the request */
  show(device: string, ids: readonly string[], requestedAt: number): void {
    const known = ids.map((id) => this.#entries.get(id));
    const lastOld = known.findLastIndex((entry) => entry?.isShown);
    for (const [index, id] of ids.entries()) {
      const entry = known[index];
      if (entry?.device !== device) {
        this.fault('invented', id);
        continue;
      }
      if (entry.acknowledgedAt < requestedAt || ids.indexOf(id) !== index)
        this.fault('shownTwice', nameOf(entry));
      if (entry.isShown) continue;
      entry.isShown = true;
      const line = `${entry.sender} ${device}`;
      if (index < lastOld || entry.number < (this.#lastShown.get(line) ?? 0)) {
        this.fault('wentBack', nameOf(entry));
      }
      this.#lastShown.set(line, entry.number);
    }
  }

  acknowledge(ids: readonly string[], at: number): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry) entry.acknowledgedAt = Math.min(entry.acknowledgedAt, at);
    }
  }

  /** A call with a credential that was revoked. @param after how long ago, when the call began */
  probe(after: number, isLetIn: boolean): void {
    if (isLetIn) this.latest = Math.max(this.latest, after);
    if (after <= this.#within) return;
    this.probes++;
    if (isLetIn) this.fault('revokedWorked', `${Math.round(after)} ms after`);
  }

  /**
   * An open poll was answered. While links are cut and replicas killed the sweep may do it, so that does not count.
   * @param where the envelope was accepted @param time after it was sent @param isSwept whether the sweep found mail meanwhile
   */
  wake(where: 'same' | 'other', time: number, isSwept: boolean): void {
    if (!this.isCalm) return;
    this.#wakeUps[where].push(time);
    if (where === 'other' && isSwept) this.#swept++;
  }

  /** The median of all wake-ups by the called replica, and by another. */
  get wakeUps(): { same: number; other: number; count: number } {
    const { same, other } = this.#wakeUps;
    return { same: median(same), other: median(other), count: Math.min(same.length, other.length) };
  }

  /** Called after everything was shown that will be. */
  close(): void {
    for (const entry of this.#entries.values()) {
      if (entry.isAccepted && !entry.isShown) this.fault('lost', nameOf(entry));
    }
    // A sweep may find mail by chance; usually it does so only after a lost wake-up.
    const all = this.#wakeUps.other.length;
    if (all >= FEWEST_WAKE_UPS && this.#swept > all / 2) {
      this.fault('sweptWakeUps', `${this.#swept} of ${all}`);
    }
  }
}

function nameOf({ sender, number, device }: Entry): string {
  return `number ${number} of ${sender} to ${device}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
