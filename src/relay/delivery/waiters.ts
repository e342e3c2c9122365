/**
 * Held inbox calls: the waiting calls of each queue, and the events that end a wait.
 *
 * Waking is a hint, the table is the truth: a woken call reads its queue again. Waiters are woken right after the
 * commit that fills their queue; a slow sweep makes up for lost wake-ups.
 */
import { ProblemError } from '../problems/problem-error.ts';
import { type SteadyClock, steadyClock } from '../steady-clock.ts';
import type { QueueKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Wakeups } from '../store/wakeups.ts';

/** The reason for the end of a wait. */
export type WaitEnd = 'woken' | 'timeout' | 'gone' | 'revoked' | 'stopping';

/** The interval between checks of all held queues, in milliseconds. */
const SWEEP_INTERVAL = 3_000;
/** Queues per query of the sweep, so that it never blocks the thread. */
const SWEEP_BATCH = 500;

export class Waiter {
  readonly queue: QueueKey;
  readonly credentialId: string;
  readonly #clock: SteadyClock;
  readonly #leave: (waiter: Waiter) => void;
  #end: WaitEnd | null = null;
  #resolve: ((end: WaitEnd) => void) | null = null;

  constructor(queue: QueueKey, credentialId: string, clock: SteadyClock, leave: (waiter: Waiter) => void) {
    this.queue = queue;
    this.credentialId = credentialId;
    this.#clock = clock;
    this.#leave = leave;
  }

  /** Ends the wait, or the next one if there is none. A final reason is kept. */
  end(reason: WaitEnd): void {
    if (this.#end === null || this.#end === 'woken') this.#end = reason;
    this.#resolve?.(this.#end);
  }

  /** Waits for at most this many milliseconds. Not an async function: thousands wait here, and each would store its state. */
  wait(milliseconds: number): Promise<WaitEnd> {
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const settle = (end: WaitEnd) => {
      this.#resolve = null;
      if (end === 'woken') this.#end = null;
      resolve(end);
    };
    if (this.#end !== null) settle(this.#end);
    else {
      const cancel = this.#clock.after(milliseconds, () => settle('timeout'));
      this.#resolve = (end) => {
        cancel();
        settle(end);
      };
    }
    return promise;
  }

  [Symbol.dispose](): void {
    this.#leave(this);
  }
}

export class Waiters {
  readonly #store: Store;
  readonly #mostForCredential: number;
  readonly #others: Wakeups | null;
  readonly #onRevoked: (credentials: readonly string[]) => void;
  readonly #waiters = new Set<Waiter>();
  readonly #byQueue = new Map<QueueKey, Set<Waiter>>();
  readonly #byCredential = new Map<string, Set<Waiter>>();
  readonly #clock: SteadyClock;
  #cancelSweep: () => void = () => undefined;
  #sweeping = false;
  #stopping = false;

  /**
   * @param others relays that share the store, if any
   * @param onRevoked called with revoked credentials, from here or from another relay
   * @param clock ends open polls, and starts the sweeps
   */
  constructor(
    store: Store,
    mostForCredential: number,
    others: Wakeups | null = null,
    onRevoked: (credentials: readonly string[]) => void = () => undefined,
    clock: SteadyClock = steadyClock,
  ) {
    this.#store = store;
    this.#others = others;
    this.#onRevoked = onRevoked;
    others?.listen(({ queues, credentials }) => {
      this.#wakeHere(queues);
      this.#revokeHere(credentials);
    });
    this.#mostForCredential = mostForCredential;
    this.#clock = clock;
    this.#sweepLater();
  }

  /**
   * Subscribes to a queue. Must be called before the queue is read, so that no wake-up is lost; the caller disposes
   * of it.
   * @throws ProblemError rate_limited if the credential has too many open polls already
   */
  open(queue: QueueKey, credentialId: string): Waiter {
    if ((this.#byCredential.get(credentialId)?.size ?? 0) >= this.#mostForCredential) {
      throw new ProblemError(
        'rate_limited',
        'held_polls',
        { most: this.#mostForCredential },
        { retryAfter: 1 },
      );
    }
    const waiter = new Waiter(queue, credentialId, this.#clock, (left) => this.#leave(left));
    this.#waiters.add(waiter);
    add(this.#byQueue, queue, waiter);
    add(this.#byCredential, credentialId, waiter);
    if (this.#stopping) waiter.end('stopping');
    return waiter;
  }

  /** The number of open polls. */
  get size(): number {
    return this.#waiters.size;
  }

  /** These queues have new content. */
  wake(queues: readonly QueueKey[]): void {
    this.#wakeHere(queues);
    this.#others?.publish({ queues, credentials: [] });
  }

  /** These credentials are no longer valid. */
  revoke(credentials: readonly string[]): void {
    this.#revokeHere(credentials);
    this.#others?.publish({ queues: [], credentials });
  }

  #wakeHere(queues: readonly QueueKey[]): void {
    for (const queue of queues) {
      for (const waiter of this.#byQueue.get(queue) ?? []) waiter.end('woken');
    }
  }

  #revokeHere(credentialIds: readonly string[]): void {
    if (credentialIds.length > 0) this.#onRevoked(credentialIds);
    for (const id of credentialIds) {
      for (const waiter of this.#byCredential.get(id) ?? []) waiter.end('revoked');
    }
  }

  /** Ends every wait, now and from now on. */
  stop(): void {
    this.#stopping = true;
    this.#cancelSweep();
    for (const waiter of this.#waiters) waiter.end('stopping');
  }

  #leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    remove(this.#byQueue, waiter.queue, waiter);
    remove(this.#byCredential, waiter.credentialId, waiter);
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#clock.after(SWEEP_INTERVAL, () => {
      this.#sweepLater();
      void this.#sweep();
    });
  }

  async #sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      const queues = [...this.#byQueue.keys()];
      for (let start = 0; start < queues.length && !this.#stopping; start += SWEEP_BATCH) {
        this.#wakeHere(await this.#store.findFilledQueues(queues.slice(start, start + SWEEP_BATCH)));
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      // The next sweep asks again; every reader and writer meets the store's fault and reports it.
    } finally {
      this.#sweeping = false;
    }
  }
}

function add<Key>(map: Map<Key, Set<Waiter>>, key: Key, waiter: Waiter): void {
  const set = map.get(key);
  if (set) set.add(waiter);
  else map.set(key, new Set([waiter]));
}

function remove<Key>(map: Map<Key, Set<Waiter>>, key: Key, waiter: Waiter): void {
  const set = map.get(key);
  set?.delete(waiter);
  if (set?.size === 0) map.delete(key);
}
