/**
 * A rate that many share fairly: so many at once and so many a second to one recipient, from everybody together.
 *
 * What was sent and has not drained yet fills the recipient's room like mail fills a queue, and the same rule as for
 * queues says who may add to it (queue-share.ts). What drains is taken from everybody in proportion. So however many send
 * all that they can, some room stays free, and who has sent little of late may use it.
 */
import type { Rate } from '../limits/counters.ts';
import { UsageCache } from '../limits/usage-cache.ts';
import { hasShare } from '../rules/queue-share.ts';

/** One who takes up room, and the part of an empty room that is theirs. */
export interface RateHolder {
  name: string;
  share: number;
}

/** What has come to one recipient and has not drained. */
interface Room {
  level: number;
  /** When `level` was true, in milliseconds of a monotonic clock. */
  at: number;
  /** How far all parts have shrunk since the room was empty: a logarithm, which only grows. */
  shrunk: number;
  parts: Map<string, Part>;
  /** Parts that are next to nothing are forgotten when there are so many. */
  sweepAt: number;
}

/** How much of a room was one holder's when it had shrunk so far. */
interface Part {
  level: number;
  shrunk: number;
}

/** Recipients that are remembered. Who has got little of late is forgotten first, and has an empty room again. */
const MOST_ROOMS = 100_000;
/** Less than this counts as nothing. So a room has at most so many parts as twice its burst, for each kind of holder. */
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
    this.#rooms = new UsageCache(MOST_ROOMS, (room) => room.level - this.#drainedSince(room.at));
  }

  /** Seconds until one more has room, if nobody else sends meanwhile. 0: now. Takes nothing. */
  wait(recipient: string, holders: readonly RateHolder[]): number {
    const room = this.#look(recipient);
    if (!room) return 0;
    const parts = holders.map(({ name, share }) => ({ own: ownOf(room, name), share }));
    if (this.#fits(room.level, parts, 1)) return 0;
    // As time passes all shrink alike, until the room is empty.
    let [tooEarly, enough] = [0, Math.ceil(room.level / this.#rate.perSecond)];
    while (enough - tooEarly > 1) {
      const middle = Math.floor((tooEarly + enough) / 2);
      const left = Math.max(0, 1 - (middle * this.#rate.perSecond) / room.level);
      if (this.#fits(room.level, parts, left)) enough = middle;
      else tooEarly = middle;
    }
    return enough;
  }

  /** Counts one, whether it has room or not. */
  take(recipient: string, holders: readonly RateHolder[]): void {
    const room = this.#look(recipient) ?? this.#open(recipient);
    room.level++;
    for (const { name } of holders) {
      room.parts.set(name, { level: ownOf(room, name) + 1, shrunk: room.shrunk });
    }
    if (room.parts.size >= room.sweepAt) sweep(room);
  }

  /** @param left what is left by then of all that fills the room, 0 to 1 */
  #fits(level: number, parts: readonly { own: number; share: number }[], left: number): boolean {
    const { burst } = this.#rate;
    const all = level * left;
    if (all + 1 > burst) return false;
    return parts.every(({ own, share }) => {
      const part = own * left;
      return part < NOTHING || hasShare({ whole: burst, taken: all, own: part, more: 1 }, share);
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

/** What one holder has in a room. */
function ownOf(room: Room, name: string): number {
  const part = room.parts.get(name);
  return part ? part.level * Math.exp(part.shrunk - room.shrunk) : 0;
}

function sweep(room: Room): void {
  for (const name of room.parts.keys()) if (ownOf(room, name) < NOTHING) room.parts.delete(name);
  room.sweepAt = Math.max(FIRST_SWEEP, 2 * room.parts.size);
}
