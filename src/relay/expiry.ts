/**
 * The expiry job: deletes expired data, in small batches between which other writes run, and deletes accounts that
 * are due. Of relays that share a database one at a time runs it. The bytes of blobs are deleted after their
 * records; a failed deletion is repeated later.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { BlobBytes } from './blobs/bytes.ts';
import type { Waiters } from './delivery/waiters.ts';
import { logWarning } from './operator/warnings.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { Jobs } from './store/jobs.ts';
import type { Store } from './store/store.ts';

/** The interval of the job, in milliseconds. */
const INTERVAL = 60_000;
/** After a clock has jumped ahead by more than this, nothing is deleted for a while: it may be wrong. In milliseconds. */
const MAX_JUMP = 3_600_000;
/** That while, in milliseconds: time for the operator to correct the clock. */
const PAUSE = 3_600_000;
/** A clock that goes back by more than this is logged. In milliseconds. */
const MAX_BACK = 60_000;
/** The interval between searches for unknown bytes, and the age at which these are deleted, in milliseconds. */
const SWEEP_INTERVAL = 24 * 3_600_000;
/** The number of blobs whose bytes are looked up at once. */
const DROP_BATCH = 100;

export interface ExpiryOptions {
  store: Store;
  jobs: Jobs;
  bytes: BlobBytes;
  /** Held calls of a deleted account. */
  waiters: Waiters;
  clock: () => number;
  steady: SteadyClock;
  /** The lifetimes of mail and of the audit log, in milliseconds. */
  retention: number;
  auditRetention: number;
  log: FastifyBaseLogger;
}

export interface Expiry {
  /**
   * Runs the job once, now. @returns whether this relay ran it: false if another relay runs it, or it runs here
   * already
   */
  run(): Promise<boolean>;
  stop(): void;
}

/** Starts the job, now and every minute. */
export function startExpiry(options: ExpiryOptions): Expiry {
  const { store, jobs, bytes, waiters, clock, steady, retention, auditRetention, log } = options;
  let isStopped = false;
  /** During the job on this relay: fires when another relay may run it, too. */
  let lost: AbortSignal | null = null;
  const mayContinue = () => !isStopped && lost?.aborted !== true;
  let running = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  const readClocks = () => ({ wall: clock(), steady: steady.now(), sinceBoot: steady.sinceBoot() });
  let last = readClocks();
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /**
   * True for a while after the clock has jumped ahead, except by the time that the computer was asleep. Logs a clock that
   * went back.
   */
  function isPaused(): boolean {
    const now = readClocks();
    const passed = Math.max(now.steady - last.steady, now.sinceBoot - last.sinceBoot);
    const jump = now.wall - last.wall - passed;
    last = now;
    if (jump < -MAX_BACK) logWarning(log, 'error', 'clock_went_back', { ms: Math.round(-jump) });
    if (jump > MAX_JUMP) pausedUntil = now.steady + PAUSE;
    return now.steady < pausedUntil;
  }

  /** Deletes one account that is due. @returns whether there was one */
  async function endAccount(now: number): Promise<boolean> {
    const ended = await store.deleteDueAccount(now);
    if (!ended) return false;
    waiters.revoke(ended.credentials);
    waiters.wake(ended.queues);
    return true;
  }

  /** Deletes the bytes of blobs without a claim. A failure does not stop the others. */
  async function dropBytes(now: number): Promise<false> {
    for (let after = 0; mayContinue(); ) {
      const batch = await store.findBytesToDrop(now, after, DROP_BATCH);
      for (const { key, object, upload } of batch) {
        after = key;
        if (!mayContinue()) return false;
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

  /** Deletes bytes without a record, which a crash left. */
  async function sweepBytes(now: number): Promise<false> {
    if (now - sweptAt < SWEEP_INTERVAL) return false;
    sweptAt = now;
    const findKnown = (prefix: string) => store.findKnownBytes(prefix);
    await bytes.sweep({ findKnown, before: now - SWEEP_INTERVAL, mayContinue });
    return false;
  }

  /** Runs one part of the job until it is done. A failure does not stop the others. */
  async function step(part: () => Promise<boolean>): Promise<void> {
    try {
      while (mayContinue() && (await part()));
    } catch (error) {
      logWarning(log, 'error', 'expiry_failed', { err: error });
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    lost = signal;
    if (isPaused()) return logWarning(log, 'error', 'clock_jumped');
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
