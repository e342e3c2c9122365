/**
 * Erases ended disappearing messages: at start before the first answer, before each call, and else by one
 * timer.
 */
import { ClockWatch } from '../base/clock-watch.ts';
import { describe } from '../base/error-facts.ts';
import { log, logUnexpected, stopwatch } from '../base/log.ts';
import type { Context } from './context.ts';
import { removeMessages } from './erasing.ts';

/** Messages per transaction. */
const AT_ONCE = 500;
/** The longest timer, in milliseconds: the clock may be set meanwhile. */
const MAX_WAIT = 60_000;
/** Backward step of the clock that counts as set, in milliseconds. */
const TOLERANCE = 5_000;

export class Expiry {
  readonly #context: Context;
  readonly #watch = new ClockWatch(() => this.#look());
  #timer: NodeJS.Timeout | undefined;
  /** Time of the next erasure. */
  #next = Number.POSITIVE_INFINITY;
  #lastLook: number;
  #closed = false;

  constructor(context: Context) {
    this.#context = context;
    this.#lastLook = context.now();
  }

  /** Erases messages that ended while the engine was stopped, and starts the timer. */
  start(): void {
    const { lifetimes, now } = this.#context;
    lifetimes.bound(now());
    this.#erase();
    // A killed engine may have deleted rows without erasing the log.
    this.#context.eraseTraces();
    lifetimes.onEnd((at) => {
      this.#next = Math.min(this.#next, at);
      this.#wait();
    });
    this.#watch.start();
    this.#wait();
  }

  /** Erases all ended messages. */
  eraseDue(): void {
    const { lifetimes, now } = this.#context;
    const at = now();
    if (at < this.#lastLook - TOLERANCE) {
      lifetimes.bound(at);
      this.#next = lifetimes.next() ?? Number.POSITIVE_INFINITY;
    }
    this.#lastLook = at;
    if (at < this.#next) return;
    this.#erase();
    this.#wait();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch.stop();
  }

  #erase(): void {
    const { emit, eraseTraces, lifetimes, now, transaction, unknowns } = this.#context;
    const ms = stopwatch();
    const changed = new Map<number, number[]>();
    let count = 0;
    for (;;) {
      const ended = lifetimes.ended(now(), AT_ONCE);
      if (ended.length === 0) break;
      transaction(() => removeMessages(this.#context, ended));
      count += ended.length;
      for (const { conversationId, id } of ended) {
        const ids = changed.get(conversationId) ?? [];
        ids.push(id);
        changed.set(conversationId, ids);
      }
    }
    unknowns.dropEnded(now());
    this.#next = lifetimes.next() ?? Number.POSITIVE_INFINITY;
    if (count === 0) return;
    eraseTraces();
    log('info', 'engine.expired', { count, ms: ms() });
    for (const [id, ids] of changed) {
      const conversationId = String(id);
      emit('messages.expired', { conversationId, ids: ids.map(String) });
      emit('messages.changed', { conversationId });
    }
    emit('conversations.changed', { ids: [...changed.keys()].map(String) });
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(0, this.#next - this.#context.now()), MAX_WAIT);
    this.#timer = setTimeout(() => this.#look(), wait);
    // An app that ends erases due messages at its next start.
    this.#timer.unref();
  }

  #look(): void {
    try {
      this.eraseDue();
    } catch (error) {
      logUnexpected(describe(error));
    }
    this.#wait();
  }
}
