/**
 * Tracks the numbers of other devices, requests missing messages and reports those that stay missing
 * (docs/protocol.md, 'Gaps'). Strangers get no requests, and occupy little storage.
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { ReceiptContent } from '../contents/kinds/receipt.ts';
import type { KeyDirectory } from '../trust/directory.ts';
import { retentionOf } from '../trust/replay.ts';
import {
  afterMessage,
  afterQueueRead,
  afterSkipped,
  isReported,
  isTooLong,
  MAX_REQUESTED,
  type MissingNumber,
} from './device-gaps.ts';
import type { DeviceIn, FollowedDevice, GapMemory } from './memory.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Devices checked when the queue was read to its end. The next check continues. */
const MAX_LOOKS = 100;
/** Requests per day: to one person, and in total. Unrequested messages are reported after a day. */
const MAX_REQUESTS_OF_ONE = 40;
const MAX_REQUESTS = 1_000;
/** Limit of receipts in the queue. */
const MAX_WAITING = 200;
/** Maximum random delay of a request, so that its time reveals nothing. In milliseconds. */
const WITHIN = 10 * MINUTE;
/** First delay before a failed receipt is retried. It doubles each time, up to a day. In milliseconds. */
const LATER = 5 * MINUTE;
/** Age of a request from which the message is no longer resealed, in milliseconds. */
const OLDEST = 30 * DAY;

/** The user's relation to someone in a conversation. */
export interface Together {
  /** Epoch at which the user joined the group; 0 for a direct chat. */
  since: number;
  /** False if the user has not accepted their chat. */
  isAccepted: boolean;
}

/** The conversations and partners of this device. */
export interface Company {
  /**
   * Null for someone who is blocked, has no chat with the user, or shares no group.
   * @param address may be the user's own, for their other devices, which write in all conversations
   */
  together(conversation: string, address: string): Together | null;
}

export interface GapWatchParts {
  memory: GapMemory;
  company: Company;
  directory: Pick<KeyDirectory, 'pinned'>;
  /** The longest retention reported by the relay, in milliseconds; null before its first report. */
  retention(): number | null;
  /** Last time at which the queue was read to its end, in milliseconds since 1970; null for never. */
  lastEnd(): number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /**
   * Sends a `receipt` with these fields to one device.
   * @throws the errors of sending
   */
  post(to: DeviceIn, fields: Pick<ReceiptContent, 'missing' | 'skipped'>): Promise<unknown>;
  /** Called when messages of someone stay missing in a conversation, or no longer do. */
  onReported(conversation: string, address: string, isReported: boolean): void;
}

/** A receipt in the queue. */
interface Waiting {
  to: DeviceIn;
  seqs: number[];
  dueAt: number;
  /** Number of failed attempts. */
  failures: number;
}

export class GapWatch {
  readonly #parts: GapWatchParts;
  #waiting: Waiting[] = [];
  /** Number of requests since a time, in total and by person. */
  #requests = { since: 0, total: 0, of: new Map<string, number>() };
  /** Devices checked since the start: earlier requests to them are repeated, because they may be lost. */
  readonly #looked = new Set<string>();
  readonly #repeatsRequests: boolean;

  /** @param repeatsRequests whether earlier requests are repeated once: true for a program that starts rarely */
  constructor(parts: GapWatchParts, repeatsRequests: boolean) {
    this.#parts = parts;
    this.#repeatsRequests = repeatsRequests;
  }

  /** Call this before reading: after a pause with dropped envelopes the tracking restarts. */
  begin(): void {
    const { memory, retention, lastEnd, now } = this.#parts;
    if (!isTooLong({ lastEnd: lastEnd(), now: now(), retention: retentionOf(retention()) })) return;
    // One by one, so that reports are withdrawn.
    for (let found = memory.incomplete(MAX_LOOKS); found.length > 0; found = memory.incomplete(MAX_LOOKS))
      for (const device of found) this.#forget(device);
    memory.forgetAll();
  }

  /**
   * Records a signed message, including duplicates.
   * @param seq its number; 0 is not counted
   */
  received(from: DeviceIn, seq: number): void {
    if (seq === 0) return;
    const { together, device: before } = this.#current(from);
    if (!together) return;
    const { since, isAccepted } = together;
    const gaps = afterMessage(before?.gaps ?? null, seq);
    if (gaps) this.#save({ ...from, since, isStranger: !isAccepted, gaps }, before);
  }

  /** Forgets a device of someone who is blocked now, or shares another membership: a receipt covers none of its messages. */
  forgetFormer(from: DeviceIn): void {
    this.#current(from);
  }

  /** The user's relation to the owner of a device, and the device if it is tracked for this relation. */
  #current(from: DeviceIn): { together: Together | null; device: FollowedDevice | null } {
    const together = this.#parts.company.together(from.conversation, from.address);
    const device = this.#find(from);
    if (!device || device.since === together?.since) return { together, device };
    this.#forget(device);
    return { together, device: null };
  }

  /** Reports whether a message was missing, requested or not: later ones of its sender arrived before it. */
  wasMissing(from: DeviceIn, seq: number): boolean {
    return this.#missing(from, seq) !== undefined;
  }

  /** Reports whether a message was requested: then it may be old. */
  wasRequested(from: DeviceIn, seq: number): boolean {
    return (this.#missing(from, seq)?.requestedAt ?? null) !== null;
  }

  #missing(from: DeviceIn, seq: number): MissingNumber | undefined {
    return this.#find(from)?.gaps.missing.find((number) => number.seq === seq);
  }

  /** Called when someone states that these numbers of their own devices do not exist. */
  skipped(conversation: string, address: string, skipped: NonNullable<ReceiptContent['skipped']>): void {
    for (const [deviceId, seqs] of Object.entries(skipped)) {
      const device = this.#find({ conversation, address, deviceId });
      if (device) this.#save({ ...device, gaps: afterSkipped(device.gaps, seqs) }, device);
    }
  }

  /**
   * Call this when the queue was read to its end.
   * @param at start of that read
   */
  atEnd(at: number): void {
    for (const device of this.#parts.memory.incomplete(MAX_LOOKS)) {
      const together = this.#stillTogether(device);
      if (!together) this.#forget(device);
      if (!together?.isAccepted) continue;
      const again = this.#toRequestAgain(device);
      const { gaps, toRequest } = afterQueueRead(device.gaps, at);
      if (JSON.stringify(gaps) !== JSON.stringify(device.gaps)) this.#save({ ...device, gaps }, device);
      this.#plan(device, toRequest.length > 0 ? toRequest : again);
    }
  }

  /** Sends due receipts. Never fails: failed ones are retried. */
  async postDue(): Promise<void> {
    const { now, post } = this.#parts;
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now());
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { to, seqs, failures } of due) {
      const wanted = this.#wanted(to).filter((seq) => seqs.includes(seq));
      // Arrived meanwhile.
      if (wanted.length === 0) continue;
      const isSent = await post(to, { missing: { [to.deviceId]: wanted } }).catch(() => false);
      if (isSent === false && this.#waiting.length < MAX_WAITING)
        this.#waiting.push({
          to,
          seqs: wanted,
          dueAt: now() + Math.min(LATER * 2 ** failures, DAY),
          failures: failures + 1,
        });
    }
  }

  /** Requested numbers that have not arrived, reported or not. */
  #wanted(of: DeviceIn): number[] {
    const now = this.#parts.now();
    const missing = this.#find(of)?.gaps.missing ?? [];
    return missing.flatMap(({ seq, requestedAt }) =>
      requestedAt !== null && now - requestedAt < OLDEST ? [seq] : [],
    );
  }

  #plan({ conversation, address, deviceId }: FollowedDevice, seqs: number[]): void {
    const { now, random } = this.#parts;
    if (seqs.length === 0 || this.#waiting.length >= MAX_WAITING || !this.#mayRequest(address)) return;
    const dueAt = now() + Math.floor(random() * WITHIN);
    this.#waiting.push({ to: { conversation, address, deviceId }, seqs, dueAt, failures: 0 });
  }

  #mayRequest(address: string): boolean {
    const { now } = this.#parts;
    if (Math.abs(now() - this.#requests.since) >= DAY)
      this.#requests = { since: now(), total: 0, of: new Map() };
    const ofOne = this.#requests.of.get(address) ?? 0;
    if (ofOne >= MAX_REQUESTS_OF_ONE || this.#requests.total >= MAX_REQUESTS) return false;
    this.#requests.of.set(address, ofOne + 1);
    this.#requests.total += 1;
    return true;
  }

  /** Requests from before the start, when a device is checked for the first time. */
  #toRequestAgain(device: FollowedDevice): number[] {
    const key = `${device.conversation} ${device.deviceId}`;
    if (!this.#repeatsRequests || this.#looked.has(key) || this.#looked.size >= MAX_REQUESTS) return [];
    this.#looked.add(key);
    return this.#wanted(device).slice(0, MAX_REQUESTED);
  }

  /** A device id with another owner is another device. */
  #find({ conversation, address, deviceId }: DeviceIn): FollowedDevice | null {
    const found = this.#parts.memory.find(conversation, deviceId);
    return found?.address === address ? found : null;
  }

  /** Null for a device that is no longer tracked. */
  #stillTogether({ conversation, address, deviceId, since }: FollowedDevice): Together | null {
    const { company, directory, now } = this.#parts;
    const together = company.together(conversation, address);
    const isSame = together?.since === since && isValidIn(directory.pinned(address), deviceId, now());
    return isSame ? together : null;
  }

  #save(device: FollowedDevice, before: FollowedDevice | null): void {
    this.#parts.memory.save(device);
    this.#report(device, before ? isReported(before.gaps) : false, isReported(device.gaps));
  }

  #forget(device: FollowedDevice): void {
    this.#parts.memory.forget(device.conversation, device.deviceId);
    this.#report(device, isReported(device.gaps), false);
  }

  #report({ conversation, address }: DeviceIn, was: boolean, is: boolean): void {
    const { memory, onReported } = this.#parts;
    if (was === is || (was && memory.isReported(conversation, address))) return;
    onReported(conversation, address, is);
  }
}

/** Reports whether a list contains a valid device. */
function isValidIn(list: DeviceList | null, deviceId: string, now: number): boolean {
  const device = list?.devices.find((each) => each.deviceId === deviceId);
  return device !== undefined && decodeTime(device.validUntil) > now;
}
