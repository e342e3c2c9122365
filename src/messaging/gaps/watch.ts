/**
 * Follows the numbers of other devices, asks for what is missing and says what stays missing (docs/protocol.md,
 * 'Gaps'). Strangers are asked for nothing, and make this device remember little.
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { ReceiptContent } from '../contents/kinds/receipt.ts';
import type { KeyDirectory } from '../trust/directory.ts';
import { retentionOf } from '../trust/replay.ts';
import {
  afterEnd,
  afterMessage,
  afterSkipped,
  isTold,
  isTooLong,
  type MissingNumber,
  MOST_ASKED,
} from './device-gaps.ts';
import type { DeviceIn, FollowedDevice, GapMemory } from './memory.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Devices that are looked at when the queue was read to its end. The next look goes on. */
const MOST_LOOKS = 100;
/** Receipts that ask, in a day: of one person, and in all. What is not asked for is told after a day. */
const MOST_ASKS_OF_ONE = 40;
const MOST_ASKS = 1_000;
/** Receipts that wait to be sent. */
const MOST_WAITING = 200;
/** Asked within this time, at random, so that nothing is learnt from when. In milliseconds. */
const WITHIN = 10 * MINUTE;
/** After how long one that could not be sent is tried again, and each time twice as long, up to a day. In milliseconds. */
const LATER = 5 * MINUTE;
/** What was asked for longer ago than this nobody seals again, in milliseconds. */
const OLDEST = 30 * DAY;

/** What someone is to the user in a conversation. */
export interface Together {
  /** Epoch with which the user came into the group; 0 of a direct chat. */
  since: number;
  /** False of someone whose chat the user has not accepted yet. */
  isAccepted: boolean;
}

/** Where this device takes part, and with whom. */
export interface Company {
  /**
   * Null of someone who is blocked, is in no chat with the user, or is not in the group as the user is.
   * @param address the user's own of their other devices, which write in all conversations
   */
  together(conversation: string, address: string): Together | null;
}

export interface GapWatchParts {
  memory: GapMemory;
  company: Company;
  directory: Pick<KeyDirectory, 'pinned'>;
  /** The longest retention that the relay has told of, in milliseconds; null before it has told any. */
  retention(): number | null;
  /** When the queue was last read to its end, in milliseconds since 1970; null if it never was. */
  lastEnd(): number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /** Sends a `receipt` with these fields to one device. @throws as any sending */
  post(to: DeviceIn, fields: Pick<ReceiptContent, 'missing' | 'skipped'>): Promise<unknown>;
  /** Something of someone stays missing in a conversation, or nothing does any more. */
  onTold(conversation: string, address: string, isTold: boolean): void;
}

/** A receipt that waits to be sent. */
interface Waiting {
  to: DeviceIn;
  seqs: number[];
  dueAt: number;
  /** How often it could not be sent. */
  failures: number;
}

export class GapWatch {
  readonly #parts: GapWatchParts;
  #waiting: Waiting[] = [];
  /** How many receipts have asked whom since a time. */
  #asked = { since: 0, total: 0, of: new Map<string, number>() };
  /** Devices that were looked at since this began: what was asked of them before is asked again, for that may be lost. */
  readonly #looked = new Set<string>();
  readonly #asksAgain: boolean;

  /** @param asksAgain whether what was asked for before is asked for once more: true of what begins seldom */
  constructor(parts: GapWatchParts, asksAgain: boolean) {
    this.#parts = parts;
    this.#asksAgain = asksAgain;
  }

  /** To be called before anything is read: after a pause in which the relay has dropped envelopes all begins again. */
  begin(): void {
    const { memory, retention, lastEnd, now } = this.#parts;
    if (!isTooLong({ lastEnd: lastEnd(), now: now(), retention: retentionOf(retention()) })) return;
    // One by one, so that what was told is taken back.
    for (let found = memory.incomplete(MOST_LOOKS); found.length > 0; found = memory.incomplete(MOST_LOOKS))
      for (const device of found) this.#forget(device);
    memory.forgetAll();
  }

  /** A signed message of someone has come, also one that came before. @param seq its number; 0 is not counted */
  took(from: DeviceIn, seq: number): void {
    if (seq === 0) return;
    const together = this.#parts.company.together(from.conversation, from.address);
    let before = this.#find(from);
    if (before && before.since !== together?.since) {
      this.#forget(before);
      before = null;
    }
    if (!together) return;
    const { since, isAccepted } = together;
    const gaps = afterMessage(before?.gaps ?? null, seq);
    if (gaps) this.#save({ ...from, since, isStranger: !isAccepted, gaps }, before);
  }

  /** Whether a message was missing, asked for or not: its sender's later ones came before it. */
  wasMissing(from: DeviceIn, seq: number): boolean {
    return this.#missing(from, seq) !== undefined;
  }

  /** Whether a message was asked for: then it is old by right. */
  wasAskedFor(from: DeviceIn, seq: number): boolean {
    return (this.#missing(from, seq)?.askedAt ?? null) !== null;
  }

  #missing(from: DeviceIn, seq: number): MissingNumber | undefined {
    return this.#find(from)?.gaps.missing.find((number) => number.seq === seq);
  }

  /** Someone says that under these numbers of their own devices there is nothing. */
  skipped(conversation: string, address: string, skipped: NonNullable<ReceiptContent['skipped']>): void {
    for (const [deviceId, seqs] of Object.entries(skipped)) {
      const device = this.#find({ conversation, address, deviceId });
      if (device) this.#save({ ...device, gaps: afterSkipped(device.gaps, seqs) }, device);
    }
  }

  /** The queue was read to its end. @param at when that was begun */
  atEnd(at: number): void {
    for (const device of this.#parts.memory.incomplete(MOST_LOOKS)) {
      const together = this.#stillTogether(device);
      if (!together) this.#forget(device);
      if (!together?.isAccepted) continue;
      const again = this.#toAskAgain(device);
      const { gaps, ask } = afterEnd(device.gaps, at);
      if (JSON.stringify(gaps) !== JSON.stringify(device.gaps)) this.#save({ ...device, gaps }, device);
      this.#plan(device, ask.length > 0 ? ask : again);
    }
  }

  /** Sends what is due. Never fails: what cannot be sent is tried again. */
  async postDue(): Promise<void> {
    const { now, post } = this.#parts;
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now());
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { to, seqs, failures } of due) {
      const wanted = this.#wanted(to).filter((seq) => seqs.includes(seq));
      // It has come meanwhile.
      if (wanted.length === 0) continue;
      const isSent = await post(to, { missing: { [to.deviceId]: wanted } }).catch(() => false);
      if (isSent === false && this.#waiting.length < MOST_WAITING)
        this.#waiting.push({
          to,
          seqs: wanted,
          dueAt: now() + Math.min(LATER * 2 ** failures, DAY),
          failures: failures + 1,
        });
    }
  }

  /** What was asked for and has not come, the person told of it or not. */
  #wanted(of: DeviceIn): number[] {
    const now = this.#parts.now();
    const missing = this.#find(of)?.gaps.missing ?? [];
    return missing.flatMap(({ seq, askedAt }) => (askedAt !== null && now - askedAt < OLDEST ? [seq] : []));
  }

  #plan({ conversation, address, deviceId }: FollowedDevice, seqs: number[]): void {
    const { now, random } = this.#parts;
    if (seqs.length === 0 || this.#waiting.length >= MOST_WAITING || !this.#mayAsk(address)) return;
    const dueAt = now() + Math.floor(random() * WITHIN);
    this.#waiting.push({ to: { conversation, address, deviceId }, seqs, dueAt, failures: 0 });
  }

  #mayAsk(address: string): boolean {
    const { now } = this.#parts;
    if (Math.abs(now() - this.#asked.since) >= DAY) this.#asked = { since: now(), total: 0, of: new Map() };
    const ofOne = this.#asked.of.get(address) ?? 0;
    if (ofOne >= MOST_ASKS_OF_ONE || this.#asked.total >= MOST_ASKS) return false;
    this.#asked.of.set(address, ofOne + 1);
    this.#asked.total += 1;
    return true;
  }

  /** What was asked for before this began, when a device is looked at for the first time. */
  #toAskAgain(device: FollowedDevice): number[] {
    const key = `${device.conversation} ${device.deviceId}`;
    if (!this.#asksAgain || this.#looked.has(key) || this.#looked.size >= MOST_ASKS) return [];
    this.#looked.add(key);
    return this.#wanted(device).slice(0, MOST_ASKED);
  }

  /** A device of another owner is another one. */
  #find({ conversation, address, deviceId }: DeviceIn): FollowedDevice | null {
    const found = this.#parts.memory.find(conversation, deviceId);
    return found?.address === address ? found : null;
  }

  /** Null for a device that is not followed any more. */
  #stillTogether({ conversation, address, deviceId, since }: FollowedDevice): Together | null {
    const { company, directory, now } = this.#parts;
    const together = company.together(conversation, address);
    const isSame = together?.since === since && stands(directory.pinned(address), deviceId, now());
    return isSame ? together : null;
  }

  #save(device: FollowedDevice, before: FollowedDevice | null): void {
    this.#parts.memory.save(device);
    this.#tell(device, before ? isTold(before.gaps) : false, isTold(device.gaps));
  }

  #forget(device: FollowedDevice): void {
    this.#parts.memory.forget(device.conversation, device.deviceId);
    this.#tell(device, isTold(device.gaps), false);
  }

  #tell({ conversation, address }: DeviceIn, was: boolean, is: boolean): void {
    const { memory, onTold } = this.#parts;
    if (was === is || (was && memory.isTold(conversation, address))) return;
    onTold(conversation, address, is);
  }
}

/** Whether a list has a device that has not ended. */
function stands(list: DeviceList | null, deviceId: string, now: number): boolean {
  const device = list?.devices.find((each) => each.deviceId === deviceId);
  return device !== undefined && decodeTime(device.validUntil) > now;
}
