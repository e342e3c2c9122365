import { DAY_MS } from './device-list.ts';

/** Detection of withheld messages by `seq`, and requests for them (section 10, 'Gaps'). */

const KEPT_MOST = 200;
const ASKED_AT_A_TIME = 20;
const SETTLE_MS = 2 * 60_000;

interface Missing {
  /** Time when the queue was first read to its end without it. */
  noticedAt: number | null;
  requestedAt: number | null;
}

interface Numbers {
  first: number;
  highest: number;
  missing: Map<number, Missing>;
}

/** Reports whether a body has a valid number. */
export const isCounted = (kind: string, signer: 'device' | 'bot' | null, isForOne: boolean): boolean =>
  signer === 'device' && !isForOne && kind !== 'receipt' && kind !== 'hello' && !kind.startsWith('own.');

/** The numbers of the devices of other people in one conversation. Times in milliseconds. */
export class Gaps {
  readonly #devices = new Map<string, Numbers>();
  #lastEnd: number | null = null;

  /** A message with that number was received. */
  receive(device: string, seq: number): void {
    if (seq === 0) return;
    const of = this.#devices.get(device);
    if (of === undefined) {
      this.#devices.set(device, { first: seq, highest: seq, missing: new Map() });
      return;
    }
    of.missing.delete(seq);
    if (seq <= of.highest) return;
    // After a large leap only the highest numbers are kept, so the others are not counted through.
    const from = Math.max(of.highest + 1, seq - KEPT_MOST);
    let hasDropped = from > of.highest + 1;
    for (let one = from; one < seq; one++) of.missing.set(one, { noticedAt: null, requestedAt: null });
    of.highest = seq;
    for (const one of [...of.missing.keys()].slice(0, -KEPT_MOST)) {
      of.missing.delete(one);
      hasDropped = true;
    }
    if (hasDropped) of.first = Math.min(...of.missing.keys());
  }

  /** The author reports that these numbers have no message. */
  skipped(device: string, numbers: readonly number[]): void {
    for (const seq of numbers) this.#devices.get(device)?.missing.delete(seq);
  }

  /** The device was removed or has expired, or its owner was blocked or left. */
  forget(device: string): void {
    this.#devices.delete(device);
  }

  /** The client starts. After a pause longer than the relay's retention, all devices begin again. */
  begin(now: number, retentionMs: number): void {
    if (this.#lastEnd !== null && now - this.#lastEnd > retentionMs) this.#devices.clear();
  }

  /** The queue was read to its end: numbers to request now, and devices that the person is warned about. */
  end(now: number): { ask: Record<string, number[]>; reported: string[] } {
    this.#lastEnd = now;
    const ask: Record<string, number[]> = {};
    const reported: string[] = [];
    for (const [device, { missing }] of this.#devices) {
      const due: number[] = [];
      let isReported = false;
      for (const [seq, one] of missing) {
        // If the clock was set back, the two minutes begin again.
        if (one.noticedAt === null || now < one.noticedAt) one.noticedAt = now;
        if (one.requestedAt !== null) isReported ||= now - one.requestedAt >= DAY_MS;
        else if (now - one.noticedAt >= SETTLE_MS && due.length < ASKED_AT_A_TIME) {
          one.requestedAt = now;
          due.push(seq);
        }
      }
      if (due.length > 0) ask[device] = due;
      if (isReported) reported.push(device);
    }
    return { ask, reported };
  }

  /** Reports whether a number was requested and has not arrived. */
  wasRequested(device: string, seq: number): boolean {
    return typeof this.#devices.get(device)?.missing.get(seq)?.requestedAt === 'number';
  }

  /** Bounds of a receipt for a device: the first known number, and the first missing one that was not requested. */
  receipt(device: string): { from: number; upTo: number | null; missing: number[] } | null {
    const of = this.#devices.get(device);
    if (of === undefined) return null;
    const missing: number[] = [];
    let upTo = of.highest;
    for (const [seq, { requestedAt }] of of.missing) {
      if (requestedAt === null || missing.length === ASKED_AT_A_TIME) {
        upTo = seq - 1;
        break;
      }
      missing.push(seq);
    }
    return upTo < of.first ? { from: of.first, upTo: null, missing: [] } : { from: of.first, upTo, missing };
  }
}

/** The author's record of a number that it used. */
export interface SentNumber {
  sentAt: number;
  isForRequester: boolean;
  resealedAt: number | null;
}

const RESEALED_A_DAY = 100;

/** Messages that the author's device reseals on request, and numbers that it answers with `skipped`. */
export function answerTo(
  requested: readonly number[],
  sent: ReadonlyMap<number, SentNumber>,
  at: { now: number; retentionMs: number; resealedToday: number },
): { reseal: number[]; skip: number[] } {
  const oldest = at.now - Math.min(30 * DAY_MS, at.retentionMs + 14 * DAY_MS);
  const reseal: number[] = [];
  const skip: number[] = [];
  for (const seq of new Set(requested)) {
    const one = sent.get(seq);
    if (one === undefined || !one.isForRequester || one.sentAt < oldest) skip.push(seq);
    else if (one.resealedAt !== null && at.now - one.resealedAt < DAY_MS) continue;
    else if (at.resealedToday + reseal.length < RESEALED_A_DAY) reseal.push(seq);
  }
  return { reseal, skip };
}
