/**
 * Join passwords of groups: hashed slowly, off the event loop, and only a few at a time.
 *
 * scrypt with N = 2^15, r = 8, p = 3 (OWASP's equal of argon2id with 19 MiB): 32 MiB and about 0.2 s for each.
 * Not argon2, which Node has only where its OpenSSL has it.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ProblemError } from '../protocol/problems.ts';

const COST = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt needs 128 * N * r bytes and a little. */
const MEMORY_FACTOR = 192;

/** Hashes that run at once, so that the thread pool stays free for others. */
const MOST_AT_ONCE = 2;
/** Hashes that wait for their turn. Beyond, a call is answered 503. */
const MOST_WAITING = 16;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * What is stored in place of a password: `scrypt$N$r$p$salt$hash`, the last two in base64url.
   * @throws ProblemError unavailable when too many wait
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#derive(password, salt, COST);
    return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join(
      '$',
    );
  }

  /**
   * Whether a password is the one that was hashed. Takes the same time where there is nothing to compare with.
   * @param stored null: there is none, and the answer is no
   * @throws ProblemError unavailable when too many wait
   */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const [, n, r, p, salt, hash] = (stored ?? '').split('$');
    if (salt === undefined || hash === undefined) {
      await this.#derive(password, Buffer.alloc(SALT_BYTES), COST);
      return false;
    }
    const cost = { N: Number(n), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    return timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
  }

  async #derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
    await this.#turn();
    try {
      // One text has one form, however it was typed.
      const text = password.normalize('NFKC');
      return await derive(text, salt, HASH_BYTES, { ...cost, maxmem: MEMORY_FACTOR * cost.N * cost.r });
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        throw new ProblemError('unavailable', 'Too many passwords are being checked just now. Try again.', {
          retryAfter: 1,
        });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    this.#running++;
  }
}
