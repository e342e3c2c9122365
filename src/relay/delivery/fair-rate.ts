/**
 * A rate that many senders share fairly: a burst and a number per second to one recipient, for all senders
 * together.
 *
 * Recently sent mail fills the recipient's room like mail fills a queue. The rule for queues decides who may add to
 * it (queue-share.ts). The room drains over time, in proportion for all senders. So some room stays free, however
 * many senders send all they can. It is open to those who have sent little recently.
 */
import type { Rate } from '../limits/counters.ts';
import { UsageCache } from '../limits/usage-cache.ts';
import { hasShare } from '../rules/queue-share.ts';

/** A holder of room, and its part of an empty room. */
export interface RateHolder {
  name: string;
  share: number;
}

/** Mail for one recipient that has not drained yet. */
interface Room {
  level: number;
  /** Time of the value in `level`, in milliseconds of a monotonic clock. */
  at: number;
  /** The shrinkage of all parts since the room was empty: a logarithm, which only grows. */
  shrunk: number;
  parts: Map<string, Part>;
  /** The number of parts at which tiny ones are dropped. */
  sweepAt: number;
}

/** The part of a room used by one holder, at this shrinkage. */
interface Part {
  level: number;
  shrunk: number;
}

/** The most rooms in memory. Recipients of little recent mail are dropped first, and have an empty room again. */
const MAX_ROOMS = 100_000;
/** A smaller amount counts as nothing. So a room has at most twice its burst of parts, for each kind of holder. */
const NOTHING = 0.5;
const FIRST_SWEEP = 64;

export class FairRate {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #rooms: UsageCache<string, Room>;

  /** @param now a monotonic clock in milliseconds */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
    this.#rooms = new UsageCache(MAX_ROOMS, (room) => room.level - this.#drainedSince(room.at));
  }

  /** Seconds until one more has room, if no one else sends meanwhile; 0 for now. Uses no room. */
  wait(recipient: string, holders: readonly RateHolder[]): number {
    const room = this.#look(recipient);
    if (!room) return 0;
    const parts = holders.map(({ name, share }) => ({ own: ownOf(room, name), share }));
    if (this.#fits(room.level, parts, 1)) return 0;
    // All parts shrink alike over time, until the room is empty.
    let [tooEarly, enough] = [0, Math.ceil(room.level / this.#rate.perSecond)];
    while (enough - tooEarly > 1) {
      const middle = Math.floor((tooEarly + enough) / 2);
      const left = Math.max(0, 1 - (middle * this.#rate.perSecond) / room.level);
      if (this.#fits(room.level, parts, left)) enough = middle;
      else tooEarly = middle;
    }
    return enough;
  }

  /** Counts one, with or without room. */
  consume(recipient: string, holders: readonly RateHolder[]): void {
    const room = this.#look(recipient) ?? this.#open(recipient);
    room.level++;
    for (const { name } of holders) {
      room.parts.set(name, { level: ownOf(room, name) + 1, shrunk: room.shrunk });
    }
    if (room.parts.size >= room.sweepAt) sweep(room);
  }

  /** @param left the remaining fraction of all parts by then, 0 to 1 */
  #fits(level: number, parts: readonly { own: number; share: number }[], left: number): boolean {
    const { burst } = this.#rate;
    const all = level * left;
    if (all + 1 > burst) return false;
    return parts.every(({ own, share }) => {
      const part = own * left;
      return part < NOTHING || hasShare({ whole: burst, used: all, own: part, more: 1 }, share);
    });
  }

  #drainedSince(at: number): number {
    return ((this.#now() - at) / 1000) * this.#rate.perSecond;
  }

  /** A room as it is now. Undefined if it is empty. */
  #look(recipient: string): Room | undefined {
    const room = this.#rooms.get(recipient);
    if (!room) return undefined;
    const level = room.level - this.#drainedSince(room.at);
    if (level <= 0) {
      this.#rooms.delete(recipient);
      return undefined;
    }
    room.shrunk += Math.log(room.level / level);
    room.level = level;
    room.at = this.#now();
    return room;
  }

  #open(recipient: string): Room {
    const room = { level: 0, at: this.#now(), shrunk: 0, parts: new Map(), sweepAt: FIRST_SWEEP };
    this.#rooms.add(recipient, room);
    return room;
  }
}

/** The part of one holder in a room. */
function ownOf(room: Room, name: string): number {
  const part = room.parts.get(name);
  return part ? part.level * Math.exp(part.shrunk - room.shrunk) : 0;
}

function sweep(room: Room): void {
  for (const name of room.parts.keys()) if (ownOf(room, name) < NOTHING) room.parts.delete(name);
  room.sweepAt = Math.max(FIRST_SWEEP, 2 * room.parts.size);
}
