/**
 * Join passwords of groups: hashed slowly, off the event loop, only a few at a time, and only so many for one account.
 *
 * scrypt with N = 2^15, r = 8, p = 3 (OWASP's equal of argon2id with 19 MiB): 32 MiB and about 0.2 s for each.
 * Not argon2, which Node has only where its OpenSSL has it.
 */
import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RateLimit } from './http/rate-limit.ts';
import type { PasswordCost } from './options.ts';
import { ProblemError } from './problem-error.ts';
import type { AccountKey } from './store/records.ts';

const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt needs 128 * N * r bytes and a little. */
const MEMORY_FACTOR = 192;

/** Hashes that run at once, so that the thread pool stays free for others. */
const MOST_AT_ONCE = 2;
/** Hashes that wait for their turn. Beyond, the call of the account that has used most is answered 503. */
const MOST_WAITING = 32;
/** Hashes of one account that run or wait, so that it does not take the turns of all others. */
const MOST_FOR_ACCOUNT = 2;
/** Hashes of one account in the long run: passwords that it sets, and that it tries at any group. */
const FOR_ACCOUNT = { burst: 30, perSecond: 0.2 };

/** Who waits for a turn. */
interface Waiting {
  /**
   * Who comes first: how much of what the account may use in the long run it had left when it came, 0 to 1. Below 0 for
   * those who come after all others.
   */
  rank: number;
  resolve(): void;
  reject(reason: Error): void;
}

/** What those who come after all others have less than these. */
const LATE = 2;

/** How many of the last durations are known: a made-up one is one of them. */
const MOST_DURATIONS = 16;
/** Durations that are older are not believed any more, in milliseconds. */
const DURATIONS_LAST = 600_000;
/** The answer that a password is wrong comes at a multiple of this, so that less can be read from its time. Milliseconds. */
const ANSWER_STEP = 100;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export class Passwords {
  #running = 0;
  readonly #waiting: Waiting[] = [];
  readonly #underWay = new Map<AccountKey, number>();
  readonly #forAccount: RateLimit;
  /** How long the last hashes ran, in milliseconds. */
  #durations: number[] = [];
  #measuredAt = 0;
  #hashes = 0;

  readonly #cost: PasswordCost;

  /**
   * @param now a monotonic clock in milliseconds, for what accounts use in the long run
   * @param cost of new hashes, less in tests of who has a turn
   */
  constructor(now: () => number = () => performance.now(), cost = COST) {
    this.#cost = cost;
    this.#forAccount = new RateLimit('password', FOR_ACCOUNT, now);
  }

  /** How many hashes were computed. */
  get hashes(): number {
    return this.#hashes;
  }

  /**
   * What is stored in place of a password: `scrypt$N$r$p$salt$hash`, the last two in base64url.
   * @param account who asks for it
   * @throws ProblemError unavailable when too many wait, rate_limited when this account asks for too many
   */
  async hash(password: string, account: AccountKey): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#inTurn(account, () => this.#derive(password, salt, this.#cost));
    const { N, r, p } = this.#cost;
    return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
  }

  /**
   * Whether a password is the one that was hashed. Where there is nothing to compare with it waits for its turn all the
   * same, and as long as a hash takes, but computes none.
   * @param stored null: there is none, and the answer is no
   * @param account who asks for it
   * @param late a number, 0 to 1: it comes after all others, and of those that do, the highest first
   * @throws ProblemError unavailable when too many wait, rate_limited when this account asks for too many
   */
  async verify(
    password: string,
    stored: string | null,
    account: AccountKey,
    late: number | null = null,
  ): Promise<boolean> {
    const began = performance.now();
    const work = (giveWay: () => void) =>
      stored === null ? this.#pretend(password, giveWay) : this.#compare(password, stored);
    const isRight = await this.#inTurn(account, work, late);
    if (!isRight) {
      const took = performance.now() - began;
      await sleep(Math.ceil(took / ANSWER_STEP) * ANSWER_STEP - took);
    }
    return isRight;
  }

  async #compare(password: string, stored: string): Promise<boolean> {
    const [, n, r, p, salt = '', hash = ''] = stored.split('$');
    const cost = { N: Number(n), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    return timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
  }

  /** Takes the time of a hash, while others have the turn. Now and then it is one, to know that time. */
  async #pretend(password: string, giveWay: () => void): Promise<false> {
    const isKnown = this.#durations.length > 0 && performance.now() - this.#measuredAt < DURATIONS_LAST;
    if (isKnown) {
      giveWay();
      await sleep(this.#durations[randomInt(this.#durations.length)]);
    } else await this.#derive(password, Buffer.alloc(SALT_BYTES), this.#cost);
    return false;
  }

  async #derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    this.#hashes++;
    const began = performance.now();
    // One text has one form, however it was typed.
    const text = password.normalize('NFKC');
    const hash = await derive(text, salt, HASH_BYTES, { ...cost, maxmem: MEMORY_FACTOR * cost.N * cost.r });
    this.#measuredAt = performance.now();
    this.#durations = [...this.#durations, this.#measuredAt - began].slice(-MOST_DURATIONS);
    return hash;
  }

  /** Does work when it is its turn. `giveWay` lets the next one have the turn while the work goes on. */
  async #inTurn<T>(
    account: AccountKey,
    work: (giveWay: () => void) => Promise<T>,
    late: number | null = null,
  ): Promise<T> {
    const underWay = this.#underWay.get(account) ?? 0;
    const wait = underWay >= MOST_FOR_ACCOUNT ? 1 : this.#forAccount.tryTake(String(account));
    if (wait > 0) {
      throw new ProblemError('rate_limited', 'passwords', {}, { retryAfter: wait });
    }
    this.#underWay.set(account, underWay + 1);
    try {
      await this.#turn(late === null ? this.#forAccount.fill(String(account)) : late - LATE);
      const giveWay = once(() => this.#endTurn());
      try {
        return await work(giveWay);
      } finally {
        giveWay();
      }
    } finally {
      const left = (this.#underWay.get(account) ?? 1) - 1;
      if (left > 0) this.#underWay.set(account, left);
      else this.#underWay.delete(account);
    }
  }

  /**
   * Waits for a turn. Who has used least of late comes first, and the one who has used most gives way when too many wait:
   * so accounts that guess all the time never keep away one that comes with the right password.
   * @param rank see {@link Waiting}
   */
  async #turn(rank: number): Promise<void> {
    if (this.#running < MOST_AT_ONCE) {
      this.#running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = this.#waiting.findLastIndex((other) => other.rank >= rank) + 1;
    this.#waiting.splice(place, 0, { rank, resolve, reject });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.pop()?.reject(tooManyWait());
    await promise;
  }

  /** Hands the turn to the next, who runs in the place of the one that ends. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#running--;
  }
}

function tooManyWait(): ProblemError {
  return new ProblemError('unavailable', 'passwords', {}, { retryAfter: 1 });
}

/** A function that does what it does the first time only. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
