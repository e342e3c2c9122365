/** Devices whose message numbers an identity follows: in memory, and as lines of its journal. */
import { z } from 'zod';
import {
  type FollowedDevice,
  type GapMemory,
  MAX_FOLLOWED,
  MAX_FOLLOWED_IN_ONE,
  MAX_STRANGERS,
} from '../../../messaging/gaps/memory.ts';
import { Bytes, WireAddress } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

const Time = z.number().nullable();
const Seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const GapsEntry = z.union([
  z.strictObject({
    follows: z.strictObject({
      conversation: z.string().max(128),
      address: WireAddress,
      deviceId: Bytes(16),
      since: z.number().int().nonnegative(),
      isStranger: z.boolean(),
      base: Seq,
      high: Seq,
      /** As in MissingNumber: `seq`, `settledAt`, `requestedAt`, `isReported`. */
      missing: z.array(z.tuple([Seq, Time, Time, z.boolean()])),
    }),
  }),
  /** Null: no longer followed. */
  z.strictObject({
    unfollows: z.strictObject({ conversation: z.string().max(128), deviceId: Bytes(16) }).nullable(),
  }),
]);
export type GapsEntry = z.infer<typeof GapsEntry>;

export class JournalGaps implements GapMemory, Table<GapsEntry> {
  readonly schema = GapsEntry;
  readonly #write: (entry: GapsEntry) => void;
  /** The most recently heard comes last. */
  readonly #devices = new Map<string, FollowedDevice>();
  /** Number of followed devices in a conversation, and of people who are not accepted. */
  readonly #inOne = new Map<string, number>();
  #strangers = 0;
  /** Number of devices with gaps that {@link incomplete} has returned in this round. */
  #given = 0;

  /** @param write makes a line durable, and calls {@link apply} */
  constructor(write: (entry: GapsEntry) => void) {
    this.#write = write;
  }

  find(conversation: string, deviceId: string): FollowedDevice | null {
    return this.#devices.get(keyOf({ conversation, deviceId })) ?? null;
  }

  save(device: FollowedDevice): void {
    this.#write(lineOf(device));
  }

  forget(conversation: string, deviceId: string): void {
    this.#write({ unfollows: { conversation, deviceId } });
  }

  forgetAll(): void {
    if (this.#devices.size > 0) this.#write({ unfollows: null });
  }

  incomplete(most: number): FollowedDevice[] {
    const all = [...this.#devices.values()]
      .filter(({ gaps }) => gaps.missing.length > 0)
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    if (this.#given >= all.length) this.#given = 0;
    const given = all.slice(this.#given, this.#given + most);
    this.#given += given.length;
    return given;
  }

  isReported(conversation: string, address: string): boolean {
    for (const device of this.#devices.values()) {
      if (device.conversation !== conversation || device.address !== address) continue;
      if (device.gaps.missing.some(({ isReported }) => isReported)) return true;
    }
    return false;
  }

  apply(entry: GapsEntry): void {
    if ('follows' in entry) {
      const { base, high, missing, ...device } = entry.follows;
      const numbers = missing.map(([seq, settledAt, requestedAt, isReported]) => ({
        seq,
        settledAt,
        requestedAt,
        isReported,
      }));
      this.#set({ ...device, gaps: { base, high, missing: numbers } });
    } else if (entry.unfollows) this.#delete(keyOf(entry.unfollows));
    else for (const key of [...this.#devices.keys()]) this.#delete(key);
  }

  entries(): GapsEntry[] {
    return [...this.#devices.values()].map(lineOf);
  }

  #set(device: FollowedDevice): void {
    const key = keyOf(device);
    if (!this.#delete(key)) this.#makeRoom(device);
    this.#devices.set(key, device);
    this.#count(device, 1);
  }

  #delete(key: string): boolean {
    const device = this.#devices.get(key);
    if (!device) return false;
    this.#count(device, -1);
    return this.#devices.delete(key);
  }

  #count({ conversation, isStranger }: FollowedDevice, by: 1 | -1): void {
    const inOne = (this.#inOne.get(conversation) ?? 0) + by;
    if (inOne > 0) this.#inOne.set(conversation, inOne);
    else this.#inOne.delete(conversation);
    if (isStranger) this.#strangers += by;
  }

  /** Forgets the device heard longest ago if the limit is reached. */
  #makeRoom({ conversation, isStranger }: FollowedDevice): void {
    if ((this.#inOne.get(conversation) ?? 0) >= MAX_FOLLOWED_IN_ONE)
      this.#deleteOldest((each) => each.conversation === conversation);
    if (isStranger && this.#strangers >= MAX_STRANGERS) this.#deleteOldest((each) => each.isStranger);
    if (this.#devices.size >= MAX_FOLLOWED) this.#deleteOldest(() => true);
  }

  #deleteOldest(counts: (device: FollowedDevice) => boolean): void {
    for (const [key, device] of this.#devices) {
      if (!counts(device)) continue;
      this.#delete(key);
      return;
    }
  }
}

function keyOf({ conversation, deviceId }: { conversation: string; deviceId: string }): string {
  return `${conversation} ${deviceId}`;
}

function lineOf({ gaps: { base, high, missing }, ...device }: FollowedDevice): GapsEntry {
  const numbers = missing.map(
    ({ seq, settledAt, requestedAt, isReported }): [number, number | null, number | null, boolean] => [
      seq,
      settledAt,
      requestedAt,
      isReported,
    ],
  );
  return { follows: { ...device, base, high, missing: numbers } };
}
