/**
 * What a person's devices tell others of their device lists, protocol §10: 'hello'.
 */
import { utf8 } from './bytes.ts';
import type { DeviceList } from './device.ts';

const DAY = 86_400_000;
const MOST_LISTS = 8;
const MOST_BYTES = 32 * 1024;

/** The own lists after the one that the recipient seems to know, oldest first; the oldest are left out for want of room. */
export function evidenceAfter(known: number, own: readonly DeviceList[]): DeviceList[] {
  let lists = own.filter(({ sequence }) => sequence > known).slice(-MOST_LISTS);
  while (utf8(JSON.stringify(lists)).length > MOST_BYTES) lists = lists.slice(1);
  return lists;
}

/** A copy that came, as far as a `hello` in answer depends on it. */
export interface Arrived {
  from: string;
  signed: boolean;
  recipientListSequence: number;
  /** Whether the sender's conversation is accepted. */
  accepted: boolean;
  /** How many members the group has that it came in; null for a direct copy. */
  members: number | null;
}

/** Decides who is told of newer lists in answer, and when. */
export class Answers {
  readonly #answered = new Map<string, number>();
  readonly #random: () => number;

  /** @param random gives numbers from 0 to below 1 */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** In how many milliseconds the sender is sent a `hello`; null for never. */
  delayFor(arrived: Arrived, newestOwn: number, now: number): number | null {
    const { from, signed, recipientListSequence, accepted, members } = arrived;
    if (!signed || recipientListSequence === 0 || recipientListSequence >= newestOwn) return null;
    if (now - (this.#answered.get(from) ?? Number.NEGATIVE_INFINITY) < DAY) return null;
    if (members === null && !accepted) return null;
    if (members !== null && this.#random() >= Math.min(1, 20 / members)) return null;
    this.#answered.set(from, now);
    return this.#random() * 10 * 60_000;
  }
}
