/**
 * Rate limits: a token bucket for each credential and each network address, in bounded memory.
 * Headers as in draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` and `RateLimit`.
 */
import type { FastifyReply } from 'fastify';
import type { Limit, Rate } from '../limits/counters.ts';
import { UsageCache } from '../limits/usage-cache.ts';
import { ProblemError } from '../problems/problem-error.ts';

interface Bucket {
  tokens: number;
  /** Time of the value in `tokens`, in milliseconds of a monotonic clock. */
  at: number;
}

/**
 * The most buckets in memory. Full buckets are dropped first, since a dropped bucket is full again when next used.
 */
const MAX_BUCKETS = 100_000;

/**
 * Uses one token of a bucket and reports the rest to the caller.
 * @returns a promise only if it must wait for a shared bucket
 * @throws ProblemError rate_limited; StoreUnavailable
 */
export function countCall(limit: Limit, key: string, reply: FastifyReply): Promise<void> | void {
  const consumed = limit.tryConsume(key);
  if (typeof consumed === 'number') return reportCall(limit, key, reply, consumed);
  return consumed.then((wait) => reportCall(limit, key, reply, wait));
}

function reportCall(limit: Limit, key: string, reply: FastifyReply, wait: number): void {
  const { burst, perSecond } = limit.rate;
  const left = Math.max(0, limit.left(key));
  const secondsToFull = Math.ceil((burst - left) / perSecond);
  reply.header('ratelimit-policy', policyOf(limit));
  reply.header('ratelimit', `"${limit.name}";r=${Math.floor(left)};t=${secondsToFull}`);
  if (wait > 0) throw new ProblemError('rate_limited', 'calls', {}, { retryAfter: wait });
}

const policies = new WeakMap<Limit, string>();

function policyOf(limit: Limit): string {
  const known = policies.get(limit);
  if (known !== undefined) return known;
  const { burst, perSecond } = limit.rate;
  const policy = `"${limit.name}";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  policies.set(limit, policy);
  return policy;
}

/** The buckets of one relay. */
export class RateLimit implements Limit {
  readonly name: string;
  readonly rate: Rate;
  readonly #buckets: UsageCache<string, Bucket>;
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds */
  constructor(name: string, rate: Rate, now: () => number = () => performance.now()) {
    this.name = name;
    this.rate = rate;
    this.#now = now;
    this.#buckets = new UsageCache(MAX_BUCKETS, (bucket) => rate.burst - this.#tokensOf(bucket, now()));
  }

  /** Uses one token. @returns 0, or the seconds to wait if the bucket is empty */
  tryConsume(key: string): number {
    const known = this.#buckets.get(key);
    const now = this.#now();
    const tokens = this.#tokensOf(known, now);
    if (tokens < 1) return this.#waitWith(tokens);
    this.#set(key, known, tokens - 1, now);
    return 0;
  }

  /** Returns a token that was used for nothing. */
  giveBack(key: string): void {
    const known = this.#buckets.get(key);
    const now = this.#now();
    this.#set(key, known, Math.min(this.rate.burst, this.#tokensOf(known, now) + 1), now);
  }

  /** Seconds until a token is available. Uses none. */
  wait(key: string): number {
    const tokens = this.left(key);
    return tokens >= 1 ? 0 : this.#waitWith(tokens);
  }

  left(key: string): number {
    return this.#tokensOf(this.#buckets.get(key), this.#now());
  }

  /** Seconds until a bucket with less than one token has one. */
  #waitWith(tokens: number): number {
    return Math.ceil((1 - tokens) / this.rate.perSecond);
  }

  /** The tokens in a bucket now; an unknown bucket is full. */
  #tokensOf(bucket: Bucket | undefined, now: number): number {
    const { burst, perSecond } = this.rate;
    return bucket ? Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond) : burst;
  }

  #set(key: string, known: Bucket | undefined, tokens: number, at: number): void {
    if (known) {
      known.tokens = tokens;
      known.at = at;
    } else this.#buckets.add(key, { tokens, at });
  }
}
