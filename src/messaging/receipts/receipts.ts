/**
 * Sends receipts to authors for delivered and read messages, and processes received ones (docs/protocol.md,
 * 'Receipts').
 *
 * The contents are not stored: a plan names the device, and its numbers are read at the time of sending.
 */
import type { Payload } from '../../protocol/payload.ts';
import { ReceiptContent } from '../contents/kinds/receipt.ts';
import { arrivedUpTo } from '../gaps/device-gaps.ts';
import { deviceOf } from '../gaps/gaps.ts';
import type { DeviceIn, GapMemory } from '../gaps/memory.ts';
import {
  coverage,
  type DeviceReceipt,
  deviceReceiptIn,
  highest,
  isSame,
  joined,
  lowest,
  NOTHING_COVERED,
  numbersBetween,
} from './coverage.ts';
import type { DueMemory, DueReceipt } from './memory.ts';
import type { ReceiptSettings } from './settings.ts';

const MINUTE = 60_000;
/** Shortest interval between receipts to one author for one conversation, in milliseconds. */
export const RECEIPT_EVERY = 10_000;
/** Devices in one receipt. */
const MAX_DEVICES = 20;
/** Delay before another check while a number may be on its way, in milliseconds. */
const STILL_COMING = 3 * MINUTE;
/**
 * First delay before a failed receipt is retried. It doubles each time, up to a maximum. Also the number of
 * attempts.
 */
const LATER = 15_000;
const LATEST = 60 * MINUTE;
const MAX_TRIES = 30;

/** Current statement about one device. */
interface Statement {
  due: DueReceipt;
  reported: DeviceReceipt;
  /** True if higher numbers may still arrive. */
  isOpen: boolean;
}

/** The fields of one receipt. */
export type ReceiptFields = Pick<ReceiptContent, 'delivered' | 'read' | 'from' | 'missing'>;

export interface ReceiptsParts {
  /** The user's address. */
  own: string;
  dues: DueMemory;
  /** Received numbers of other people's devices. */
  followed: Pick<GapMemory, 'find'>;
  settings: ReceiptSettings;
  /**
   * Reports whether the user and someone exchange receipts in a conversation: both accepted, neither blocked; in a
   * group both are members, and it is small. Never for the user's own address.
   */
  exchangeReceipts(conversation: string, address: string): boolean;
  /** The first unread number of a device; null if all are read. */
  firstUnread(device: DeviceIn): number | null;
  /**
   * Highest known number of an own device in a conversation; null if unknown. Undefined for someone else's
   * device.
   */
  highestOwn(conversation: string, deviceId: string): number | null | undefined;
  /**
   * Stores a receipt for an own device.
   * @returns whether it was new
   */
  store(conversation: string, address: string, deviceId: string, reported: DeviceReceipt): boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * Sends a `receipt` to all devices of the author.
   * @returns false if none has it
   * @throws the errors of sending
   */
  post(to: Pick<DeviceIn, 'conversation' | 'address'>, fields: ReceiptFields): Promise<boolean>;
}

export class Receipts {
  readonly #parts: ReceiptsParts;

  constructor(parts: ReceiptsParts) {
    this.#parts = parts;
  }

  /** Call this when visible messages arrived, in their transaction, after their numbers are recorded. */
  came(messages: readonly Payload[]): void {
    if (!this.#parts.settings.delivered) return;
    // One plan covers all messages of a device: a backlog has many.
    const devices = messages.flatMap((message) => deviceOf(message, this.#parts.own) ?? []);
    const byName = new Map(devices.map((device) => [`${device.conversation} ${device.deviceId}`, device]));
    for (const device of byName.values()) this.#plan(device);
  }

  /** Call this when the user has read messages of these devices, in the same transaction. */
  wasRead(devices: readonly DeviceIn[]): void {
    if (this.#parts.settings.read) for (const device of devices) this.#plan(device);
  }

  /**
   * Call this when the user has accepted someone: earlier messages count as delivered, and as read as far as
   * they are. In a transaction.
   */
  accepted(devices: readonly DeviceIn[]): void {
    const { delivered, read } = this.#parts.settings;
    if (delivered || read) for (const device of devices) this.#plan(device);
  }

  #plan(device: DeviceIn): void {
    const { dues, now, exchangeReceipts } = this.#parts;
    if (exchangeReceipts(device.conversation, device.address)) dues.plan(device, now(), RECEIPT_EVERY);
  }

  /**
   * Processes a receipt for messages of own devices, in its transaction.
   * @returns its conversation if it was new; else null
   */
  handle(message: Payload): string | null {
    const { own, exchangeReceipts, highestOwn, store } = this.#parts;
    if (message.body.kind !== 'receipt') return null;
    const from = deviceOf(message, own);
    const { data: receipt } = ReceiptContent.safeParse(message.body);
    if (!from || !receipt || message.channel !== 'direct') return null;
    const { address } = from;
    const conversation = receipt.group ?? from.conversation;
    if (!exchangeReceipts(conversation, address)) return null;
    let isNew = false;
    for (const deviceId of new Set([
      ...Object.keys(receipt.delivered ?? {}),
      ...Object.keys(receipt.read ?? {}),
    ])) {
      const reported = deviceReceiptIn(receipt, deviceId);
      const last = reported && highestOwn(conversation, deviceId);
      // An unsent message cannot be delivered.
      if (!reported || last === undefined || (last !== null && highest(reported.delivered) > last)) continue;
      if (store(conversation, address, deviceId, reported)) isNew = true;
    }
    return isNew ? conversation : null;
  }

  /** Time of the next work for {@link postDue}, in milliseconds since 1970; null: none before a new plan. */
  nextAt(): number | null {
    return this.#parts.dues.nextAt();
  }

  /**
   * Sends one due receipt.
   * @returns false if none is due. Never fails for sending: that is retried.
   */
  async postDue(): Promise<boolean> {
    const { dues, now, exchangeReceipts, post } = this.#parts;
    const due = dues.due(now(), MAX_DEVICES);
    const [first] = due;
    if (!first) return false;
    const { conversation, address } = first;
    // Blocked or removed since then, perhaps.
    const maySend = exchangeReceipts(conversation, address);
    const statements = maySend ? due.flatMap((each) => this.#statement(each) ?? []) : [];
    const silent = due.filter((each) => statements.every((statement) => statement.due !== each));
    for (const each of silent) dues.settle(each, null, now());
    if (statements.length === 0) return true;
    const news = statements.filter(({ due: { reported: before }, reported }) => isNews(reported, before));
    const isSent =
      news.length === 0 || (await post({ conversation, address }, fieldsOf(news)).catch(() => false));
    for (const { due: each, reported, isOpen } of statements) {
      if (!isSent) {
        const wait = Math.min(LATER * 2 ** each.failures, LATEST);
        dues.postpone(each, each.failures < MAX_TRIES ? now() + wait : null);
        continue;
      }
      if (news.length > 0) dues.sent(each, reported, now());
      dues.settle(each, isOpen ? now() + STILL_COMING : null, now() + RECEIPT_EVERY);
    }
    return true;
  }

  /** Retries failed receipts now. */
  retryNow(): void {
    this.#parts.dues.retryNow(this.#parts.now());
  }

  /** Null without a statement. */
  #statement(due: DueReceipt): Statement | null {
    const { followed, settings, firstUnread } = this.#parts;
    const device = followed.find(due.conversation, due.deviceId);
    if (device?.address !== due.address) return null;
    const { from, upTo, missing } = arrivedUpTo(device.gaps);
    if (upTo === null) return null;
    const came = coverage(from, upTo, missing);
    const unread = settings.read ? firstUnread(due) : null;
    const read = coverage(from, unread === null ? upTo : Math.min(upTo, unread - 1), missing);
    const reported = {
      delivered: settings.delivered ? came : NOTHING_COVERED,
      read: settings.read ? read : NOTHING_COVERED,
    };
    return { due, reported, isOpen: device.gaps.missing.some(({ requestedAt }) => requestedAt === null) };
  }
}

/** Reports whether a statement contains news. */
function isNews(reported: DeviceReceipt, before: DeviceReceipt): boolean {
  return (['delivered', 'read'] as const).some(
    (kind) => !isSame(joined(before[kind], reported[kind]), before[kind]),
  );
}

function fieldsOf(statements: readonly Statement[]): ReceiptFields {
  const delivered: Record<string, number> = {};
  const read: Record<string, number> = {};
  const from: Record<string, number> = {};
  const missing: Record<string, number[]> = {};
  for (const {
    due: { deviceId },
    reported,
  } of statements) {
    if (reported.delivered.length > 0) delivered[deviceId] = highest(reported.delivered);
    if (reported.read.length > 0) read[deviceId] = highest(reported.read);
    // All that was read has arrived, too.
    const all = joined(reported.delivered, reported.read);
    if (lowest(all) > 1) from[deviceId] = lowest(all);
    const without = numbersBetween(all);
    if (without.length > 0) missing[deviceId] = without;
  }
  return {
    ...(Object.keys(delivered).length > 0 && { delivered }),
    ...(Object.keys(read).length > 0 && { read }),
    ...(Object.keys(from).length > 0 && { from }),
    ...(Object.keys(missing).length > 0 && { missing }),
  };
}
