/**
 * Tells authors what came of their messages and was read, and takes what they tell (docs/protocol.md, 'Receipts').
 *
 * What is to be told is not kept: a plan says of which device, and what is said of it is read from what came when it is sent.
 */
import type { Payload } from '../../protocol/payload.ts';
import { ReceiptContent } from '../contents/kinds/receipt.ts';
import { arrivedUpTo } from '../gaps/device-gaps.ts';
import { deviceOf } from '../gaps/gaps.ts';
import type { DeviceIn, GapMemory } from '../gaps/memory.ts';
import { coverage, isSame, joined, NOTHING_COVERED, type SaidOfDevice, saidIn } from './coverage.ts';
import type { DueMemory, DueReceipt } from './memory.ts';
import type { ReceiptSettings } from './settings.ts';

const MINUTE = 60_000;
/** One author is told of one conversation no more often than this, in milliseconds. */
export const TOLD_EVERY = 10_000;
/** Devices in one receipt. */
const MOST_DEVICES = 20;
/** While a number may still be on its way, it is looked at again after this time, in milliseconds. */
const STILL_COMING = 3 * MINUTE;
/** After how long one that could not be sent is tried again, and each time twice as long, at most; and how often. */
const LATER = 15_000;
const LATEST = 60 * MINUTE;
const MOST_TRIES = 30;

/** What is said of one device now. */
interface Saying {
  due: DueReceipt;
  said: SaidOfDevice;
  /** Whether numbers above may still come. */
  isOpen: boolean;
}

/** The fields of one receipt. */
export type ToldFields = Pick<ReceiptContent, 'delivered' | 'read' | 'missing'>;

export interface ReceiptsParts {
  /** The user's address. */
  own: string;
  dues: DueMemory;
  /** What came of the devices of others. */
  followed: Pick<GapMemory, 'find'>;
  settings: ReceiptSettings;
  /**
   * Whether the user and someone tell each other in a conversation: both accepted, neither blocked, in a group both members and
   * the group not large. Never of the user's own address.
   */
  tellEachOther(conversation: string, address: string): boolean;
  /** The first number of a device that the user has not read; null if they have read all. */
  firstUnread(device: DeviceIn): number | null;
  /** The highest number that an own device has given in a conversation, as far as known; null: not known. Undefined: no own device. */
  highestOwn(conversation: string, deviceId: string): number | null | undefined;
  /** Keeps what someone says of an own device. @returns whether that was not known */
  hear(conversation: string, address: string, deviceId: string, said: SaidOfDevice): boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Sends a `receipt` to all devices of the author's. @returns false if none has it @throws as any sending */
  post(to: Pick<DeviceIn, 'conversation' | 'address'>, fields: ToldFields): Promise<boolean>;
}

export class Receipts {
  readonly #parts: ReceiptsParts;

  constructor(parts: ReceiptsParts) {
    this.#parts = parts;
  }

  /** A message that people see has come. In the transaction that takes it, after its number is noted. */
  came(message: Payload): void {
    const device = deviceOf(message, this.#parts.own);
    if (device && this.#parts.settings.delivered) this.#plan(device);
  }

  /** The user has read something of these devices. In the transaction that notes it. */
  wasRead(devices: readonly DeviceIn[]): void {
    if (this.#parts.settings.read) for (const device of devices) this.#plan(device);
  }

  /** The user has accepted someone: what they wrote before has come, and was read as far as it was. In a transaction. */
  accepted(devices: readonly DeviceIn[]): void {
    const { delivered, read } = this.#parts.settings;
    if (delivered || read) for (const device of devices) this.#plan(device);
  }

  #plan(device: DeviceIn): void {
    const { dues, now, tellEachOther } = this.#parts;
    if (tellEachOther(device.conversation, device.address)) dues.plan(device, now(), TOLD_EVERY);
  }

  /**
   * Takes what a receipt says of messages of own devices. In the transaction that takes it.
   * @returns the conversation that it is about, if it says what was not known; else null
   */
  heard(message: Payload): string | null {
    const { own, tellEachOther, highestOwn, hear } = this.#parts;
    const from = deviceOf(message, own);
    const { data: receipt } = ReceiptContent.safeParse(message.body);
    if (!from || !receipt || message.channel !== 'direct') return null;
    const { address } = from;
    const conversation = receipt.group ?? from.conversation;
    if (!tellEachOther(conversation, address)) return null;
    let isNew = false;
    for (const deviceId of new Set([
      ...Object.keys(receipt.delivered ?? {}),
      ...Object.keys(receipt.read ?? {}),
    ])) {
      const said = saidIn(receipt, deviceId);
      const highest = said && highestOwn(conversation, deviceId);
      // Nobody can have what was not sent.
      if (!said || highest === undefined || (highest !== null && said.delivered.upTo > highest)) continue;
      if (hear(conversation, address, deviceId, said)) isNew = true;
    }
    return isNew ? conversation : null;
  }

  /** When {@link postDue} has something to do, in milliseconds since 1970; null: before something comes it has not. */
  nextAt(): number | null {
    return this.#parts.dues.nextAt();
  }

  /** Tells one author what is due. @returns false if nothing is. Never fails for what cannot be sent: it is tried again. */
  async postDue(): Promise<boolean> {
    const { dues, now, tellEachOther, post } = this.#parts;
    const due = dues.due(now(), MOST_DEVICES);
    const [first] = due;
    if (!first) return false;
    const { conversation, address } = first;
    // Blocked or gone since then, perhaps.
    const mayTell = tellEachOther(conversation, address);
    const sayings = mayTell ? due.flatMap((each) => this.#saying(each) ?? []) : [];
    const silent = due.filter((each) => sayings.every((saying) => saying.due !== each));
    for (const each of silent) dues.settle(each, null, now());
    if (sayings.length === 0) return true;
    const news = sayings.filter(({ due: { said: before }, said }) => isNews(said, before));
    const isSent =
      news.length === 0 || (await post({ conversation, address }, fieldsOf(news)).catch(() => false));
    for (const { due: each, said, isOpen } of sayings) {
      if (!isSent) {
        const wait = Math.min(LATER * 2 ** each.failures, LATEST);
        dues.postpone(each, each.failures < MOST_TRIES ? now() + wait : null);
        continue;
      }
      if (news.length > 0) dues.told(each, said, now());
      dues.settle(each, isOpen ? now() + STILL_COMING : null, now() + TOLD_EVERY);
    }
    return true;
  }

  /** What could not be told may be tried now. */
  hasten(): void {
    this.#parts.dues.hasten(this.#parts.now());
  }

  /** Null where nothing can be said. */
  #saying(due: DueReceipt): Saying | null {
    const { followed, settings, firstUnread } = this.#parts;
    const device = followed.find(due.conversation, due.deviceId);
    if (device?.address !== due.address) return null;
    const { upTo, missing } = arrivedUpTo(device.gaps);
    if (upTo === null) return null;
    const came = coverage(upTo, missing);
    const unread = settings.read ? firstUnread(due) : null;
    const read = coverage(unread === null ? upTo : Math.min(upTo, unread - 1), missing);
    const said = {
      delivered: settings.delivered ? came : NOTHING_COVERED,
      read: settings.read ? read : NOTHING_COVERED,
    };
    return { due, said, isOpen: device.gaps.missing.some(({ askedAt }) => askedAt === null) };
  }
}

/** Whether something is said that was not said before. */
function isNews(said: SaidOfDevice, before: SaidOfDevice): boolean {
  return (['delivered', 'read'] as const).some(
    (what) => !isSame(joined(before[what], said[what]), before[what]),
  );
}

function fieldsOf(sayings: readonly Saying[]): ToldFields {
  const delivered: Record<string, number> = {};
  const read: Record<string, number> = {};
  const missing: Record<string, number[]> = {};
  for (const { due, said } of sayings) {
    if (said.delivered.upTo > 0) delivered[due.deviceId] = said.delivered.upTo;
    if (said.read.upTo > 0) read[due.deviceId] = said.read.upTo;
    const without = [...new Set([...said.delivered.without, ...said.read.without])];
    if (without.length > 0) missing[due.deviceId] = without;
  }
  return {
    ...(Object.keys(delivered).length > 0 && { delivered }),
    ...(Object.keys(read).length > 0 && { read }),
    ...(Object.keys(missing).length > 0 && { missing }),
  };
}
