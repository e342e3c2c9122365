/**
 * The inbox poller: long-polls the relay, stores each page and acknowledges it when it is durable. After a
 * failure it waits a growing, random time; a wake-up ends the wait at once.
 */

import { backoffDelay, PollPace, Sleeper } from '../../base/backoff.ts';
import { failedWith } from '../../base/failure.ts';
import { log, stopwatch, toFailure } from '../../base/log.ts';
import { RelayRefusal } from '../../client/http.ts';
import type { Registration } from '../../client/identity/registration.ts';
import { waitAfter, wasCutShort } from '../../client/wait-after.ts';
import type { Gaps } from '../../messaging/gaps/gaps.ts';
import type { AccountStatus } from '../account-status.ts';
import type { ConnectionState } from '../connection.ts';
import type { Context } from '../context.ts';
import type { Account } from '../identity/account.ts';
import type { InboxReader } from './inbox-reader.ts';

const PAGE = 400;
/** Longest poll at the relay, in seconds. */
const HOLD = 25;

export class Poller {
  readonly #context: Context;
  readonly #account: Account;
  readonly #registration: Registration;
  readonly #reader: InboxReader;
  readonly #gaps: Gaps;
  readonly #connection: ConnectionState;
  readonly #accountStatus: AccountStatus;
  readonly #onOnline: () => void;
  readonly #onReceived: () => void;
  readonly #sleeper = new Sleeper();
  readonly #pace = new PollPace();
  /** Aborts the running poll. */
  #running = new AbortController();
  #closed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(
    parts: {
      context: Context;
      account: Account;
      registration: Registration;
      reader: InboxReader;
      gaps: Gaps;
      connection: ConnectionState;
      accountStatus: AccountStatus;
      /** Called after a page was stored. */
      onReceived: () => void;
    },
    /** Called when the relay is available again. */
    onOnline: () => void,
  ) {
    this.#context = parts.context;
    this.#account = parts.account;
    this.#registration = parts.registration;
    this.#reader = parts.reader;
    this.#gaps = parts.gaps;
    this.#connection = parts.connection;
    this.#accountStatus = parts.accountStatus;
    this.#onReceived = parts.onReceived;
    this.#onOnline = onOnline;
  }

  start(): void {
    this.#done = this.#run();
  }

  /**
   * Polls again at once: by request of the person, or after the network or the computer was away. The running
   * poll may be dead.
   */
  wake(): void {
    this.#sleeper.wake();
    this.#running.abort();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sleeper.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    let failures = 0;
    let isOnline = false;
    while (!this.#closed) {
      this.#running = new AbortController();
      const began = performance.now();
      try {
        if (!isOnline) {
          this.#connection.connecting();
          // A relay restored from a backup may have lost data: registration checks and repeats it.
          this.#registration.recheck();
        }
        await this.#registration.ensure();
        const requestedAt = performance.now();
        const wasOnline = isOnline;
        // The first poll returns at once, so that 'online' is known early.
        const { fresh, deferred, isFull } = await this.#poll(isOnline ? HOLD : 0);
        failures = deferred > 0 ? failures + 1 : 0;
        if (!isOnline) {
          isOnline = true;
          log('info', 'engine.online');
          this.#connection.online();
          this.#onOnline();
        }
        const pause = this.#pace.next({ requestedAt, isNews: fresh > 0 || !wasOnline, isFull });
        const wait = Math.max(pause, deferred > 0 ? backoffDelay(failures) : 0);
        if (wait > 0) await this.#sleeper.sleep(wait);
      } catch (error) {
        if (this.#closed) return;
        isOnline = false;
        if (this.#running.signal.aborted) continue;
        failures++;
        if (error instanceof RelayRefusal && error.code === 'unknown_device') this.#registration.recheck();
        // Once another device has reopened the account, registration succeeds and reports it.
        if (failedWith(error, 'account_deleted')) this.#accountStatus.ended();
        const wait = waitAfter(error, failures, performance.now() - began);
        // The relay does not store a new key: it refuses, does not answer, or answers with nonsense.
        const isKeyOverdue = this.#registration.isSealKeyOverdue;
        const failure = toFailure(error);
        log('warn', 'engine.offline', { code: failure.code });
        this.#connection.offline(failure.data, isKeyOverdue, this.#context.now() + wait);
        await this.#sleeper.sleep(wait);
      }
    }
  }

  /**
   * Stores and acknowledges one page.
   * @returns the number of new messages and of deferred envelopes
   */
  async #poll(wait: number): Promise<{ fresh: number; deferred: number; isFull: boolean }> {
    const { signal } = this.#running;
    this.#context.transaction(() => this.#gaps.begin());
    const since = this.#context.now();
    const requestedAt = performance.now();
    const page = await this.#account.relay.inbox(this.#account.deviceId, { limit: PAGE, wait, signal });
    if (wasCutShort(page, requestedAt, wait)) this.#registration.recheck();
    const ms = stopwatch();
    const { done, fresh, deferred } = await this.#reader.receive(page.envelopes);
    if (done.length > 0) await this.#account.relay.acknowledge(this.#account.deviceId, done);
    if (page.envelopes.length > 0) this.#onReceived();
    if (page.envelopes.length > 0) log('info', 'engine.polled', { count: page.envelopes.length, ms: ms() });
    if (deferred === 0 && !page.more) {
      this.#registration.drained(since);
      this.#context.identity.saveLastEnd(since);
      this.#context.transaction(() => this.#gaps.atEnd(since));
      // Requests and answers about gaps do not delay the next page.
      void this.#gaps.postDue();
    }
    return { fresh, deferred, isFull: page.envelopes.length >= PAGE };
  }
}
