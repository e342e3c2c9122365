import { entriesThatFit, thatFit } from './contents.ts';
import type { DeviceList } from './device-list.ts';
import { type GroupState, lastEntry } from './roster-state.ts';
import type { Statement } from './sending.ts';

/** Evidence in sealed messages (section 10, '`hello`', and section 11, 'Members tell each other'). */

const DAY_MS = 24 * 60 * 60_000;
const DELAY_MOST_MS = 10 * 60_000;

/**
 * The part of a hello about the own lists: those after the one that the recipient seems to know, up to the newest.
 * Beyond the limit the oldest are left out.
 */
export function helloOfLists(ownLists: readonly DeviceList[], known: number): Statement {
  const after = ownLists.filter(({ sequence }) => sequence > known);
  return { kind: 'hello', lists: thatFit(after) };
}

/** Reports whether a signed copy needs a hello: its sender does not know the newest own list. */
export const isBehind = (recipientListSequence: number, newest: number): boolean =>
  recipientListSequence !== 0 && recipientListSequence < newest;

/** Reports whether another hello to an address is allowed: not within a day. Times in milliseconds. */
export const mayHello = (lastAt: number | null, now: number): boolean =>
  lastAt === null || now - lastAt >= DAY_MS;

/** Delay of a hello in milliseconds, so that it does not reveal when a device is online. */
export const helloDelay = (random: () => number = Math.random): number => random() * DELAY_MOST_MS;

/** Requests the parts of a chain that the relay does not show from the sender of a deferred message. */
export function helloAsking(state: GroupState): Statement {
  const last = lastEntry(state);
  return {
    kind: 'hello',
    group: state.groupId,
    ...(last === null ? {} : { roster: { epoch: last.epoch, hash: last.hash } }),
  };
}

/** Answers with the entries after the named one, as many as fit. */
export function helloAnswering(state: GroupState, afterEpoch: number): Statement {
  const entries = state.entries.filter(({ epoch }) => epoch > afterEpoch).map(({ entry }) => entry);
  return { ...helloAsking(state), entries: entriesThatFit(entries) };
}

/** Sends one entry to all members: a removal, or one that proves two chains. */
export const helloAbout = (state: GroupState, epoch: number): Statement => ({
  ...helloAsking(state),
  entries: state.entries.filter((one) => one.epoch === epoch).map(({ entry }) => entry),
});

/** The properties of a received copy on which a hello in answer depends. */
export interface Arrived {
  from: string;
  isSigned: boolean;
  recipientListSequence: number;
  /** True if the sender's conversation is accepted. */
  isAccepted: boolean;
  /** Number of members of its group; null for a direct copy. */
  members: number | null;
}

/** Decides the recipients and the times of newer lists in answer. */
export class HelloAnswers {
  readonly #lastAt = new Map<string, number>();
  readonly #random: () => number;

  /** @param random gives numbers from 0 to below 1 */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Delay of the hello to the sender in milliseconds; null for none. */
  delayFor(arrived: Arrived, newestOwn: number, now: number): number | null {
    const { from, isSigned, recipientListSequence, isAccepted, members } = arrived;
    if (!isSigned || !isBehind(recipientListSequence, newestOwn)) return null;
    if (!mayHello(this.#lastAt.get(from) ?? null, now)) return null;
    const isDue = members === null ? isAccepted : this.#random() < Math.min(1, 20 / members);
    if (!isDue) return null;
    this.#lastAt.set(from, now);
    return helloDelay(this.#random);
  }
}
