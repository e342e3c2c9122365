/**
 * The expiry job: takes away what has outlived its time, in small batches between which other writes go on, and ends the
 * accounts that were to end by now. Of relays that share a database one at a time does it.
 * The bytes of blobs go after what is known of them: what cannot be dropped now is tried again.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { BlobBytes } from './blobs/bytes.ts';
import type { Waiters } from './delivery/waiters.ts';
import { logWarning } from './operator/warnings.ts';
import type { Jobs } from './store/jobs.ts';
import type { Store } from './store/store.ts';

/** How often the job runs, in milliseconds. */
const INTERVAL = 60_000;
/** A clock that jumps ahead by more than this is not believed, so that nothing is lost by it. In milliseconds. */
const MOST_JUMP = 3_600_000;
/** How often bytes that the store does not know are looked for, and how old those are that go, in milliseconds. */
const SWEEP_INTERVAL = 24 * 3_600_000;
/** Blobs whose bytes are looked up at once. */
const DROP_BATCH = 100;

export interface ExpiryOptions {
  store: Store;
  jobs: Jobs;
  bytes: BlobBytes;
  /** Calls that are held for an account that ends. */
  waiters: Waiters;
  clock: () => number;
  /** How long mail and the audit log are kept, in milliseconds. */
  retention: number;
  auditRetention: number;
  log: FastifyBaseLogger;
}

export interface Expiry {
  /** Does the job once, now. @returns whether this relay did it: false if another is at it, or it runs already */
  run(): Promise<boolean>;
  stop(): void;
}

/** Starts the job, now and every minute. */
export function startExpiry(options: ExpiryOptions): Expiry {
  const { store, jobs, bytes, waiters, clock, retention, auditRetention, log } = options;
  let isStopped = false;
  /** While this relay does the job: whether another may do it, too. */
  let lost: AbortSignal | null = null;
  const mayGoOn = () => !isStopped && lost?.aborted !== true;
  let running = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let last = { wall: clock(), steady: performance.now() };

  function clockJumped(): boolean {
    const now = { wall: clock(), steady: performance.now() };
    const jump = now.wall - last.wall - (now.steady - last.steady);
    last = now;
    return jump > MOST_JUMP;
  }

  /** Ends one account whose time has come. @returns whether there was one */
  async function endAccount(now: number): Promise<boolean> {
    const ended = await store.deleteDueAccount(now);
    if (!ended) return false;
    waiters.revoke(ended.credentials);
    waiters.wake(ended.queues);
    return true;
  }

  /** Drops the bytes of blobs to which nobody has a claim any more. One that fails keeps no other. */
  async function dropBytes(now: number): Promise<false> {
    for (let after = 0; mayGoOn(); ) {
      const batch = await store.findBytesToDrop(now, after, DROP_BATCH);
      for (const { key, object, upload } of batch) {
        after = key;
        if (!mayGoOn()) return false;
        try {
          await bytes.drop(object, upload);
          await store.forgetBytes(key);
        } catch (error) {
          logWarning(log, 'error', 'blob_not_dropped', { err: error });
        }
      }
      if (batch.length < DROP_BATCH) return false;
    }
    return false;
  }

  /** Removes bytes that no transaction recorded: a crash left them. */
  async function sweepBytes(now: number): Promise<false> {
    if (now - sweptAt < SWEEP_INTERVAL) return false;
    sweptAt = now;
    const findKnown = (prefix: string) => store.findKnownBytes(prefix);
    await bytes.sweep({ findKnown, before: now - SWEEP_INTERVAL, mayGoOn });
    return false;
  }

  /** One part of the job, as long as there is more of it. One that fails keeps no other. */
  async function step(part: () => Promise<boolean>): Promise<void> {
    try {
      while (mayGoOn() && (await part()));
    } catch (error) {
      logWarning(log, 'error', 'expiry_failed', { err: error });
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    lost = signal;
    if (clockJumped()) return logWarning(log, 'error', 'clock_jumped');
    const now = clock();
    await step(() => endAccount(now));
    await step(() => store.expireClaims(now));
    await step(() => dropBytes(now));
    await step(() => store.expire(now, now - retention, now - auditRetention));
    await step(() => sweepBytes(now));
  }

  async function run(): Promise<boolean> {
    if (running) return false;
    running = true;
    try {
      return await jobs.tryRun(work);
    } catch (error) {
      logWarning(log, 'error', 'expiry_failed', { err: error });
      return false;
    } finally {
      running = false;
    }
  }

  const timer = setInterval(() => void run(), INTERVAL);
  timer.unref();
  void run();
  return {
    run,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
