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
    this.#buckets = new UsageCache(MAX_BUCKETS, (bucket) => rate.burst - this.#tokensOf(bucket));
  }

  /** Uses one token. @returns 0, or the seconds to wait if the bucket is empty */
  tryConsume(key: string): number {
    const wait = this.wait(key);
    if (wait === 0) this.#change(key, -1);
    return wait;
  }

  /** Returns a token that was used for nothing. */
  giveBack(key: string): void {
    this.#change(key, 1);
  }

  /** Seconds until a token is available. Uses none. */
  wait(key: string): number {
    const tokens = this.#tokensOf(this.#buckets.get(key));
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / this.rate.perSecond);
  }

  left(key: string): number {
    return this.#tokensOf(this.#buckets.get(key));
  }

  /** The tokens in a bucket now; an unknown bucket is full. */
  #tokensOf(bucket: Bucket | undefined): number {
    const { burst, perSecond } = this.rate;
    return bucket ? Math.min(burst, bucket.tokens + ((this.#now() - bucket.at) / 1000) * perSecond) : burst;
  }

  #change(key: string, by: number): void {
    const known = this.#buckets.get(key);
    const tokens = Math.min(this.rate.burst, this.#tokensOf(known) + by);
    const bucket = { tokens, at: this.#now() };
    if (known) Object.assign(known, bucket);
    else this.#buckets.add(key, bucket);
  }
}
