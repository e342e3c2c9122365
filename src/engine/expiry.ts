/**
 * Erases messages when their time is over: at start before anything is shown, before each call is answered, and else by one
 * timer for all.
 */
import { ClockWatch } from '../base/clock-watch.ts';
import { describe } from '../base/error-facts.ts';
import { log, logUnexpected, stopwatch } from '../base/log.ts';
import type { Context } from './context.ts';
import { removeMessages } from './erasing.ts';

/** Messages that are erased in one transaction. */
const AT_ONCE = 500;
/** The longest that the timer waits, in milliseconds: the clock may be set meanwhile. */
const MOST_WAIT = 60_000;
/** A clock that goes back by more than this was set, in milliseconds. */
const TOLERANCE = 5_000;

export class Expiry {
  readonly #context: Context;
  readonly #watch = new ClockWatch(() => this.#look());
  #timer: NodeJS.Timeout | undefined;
  /** When something is to be erased next. */
  #next = Number.POSITIVE_INFINITY;
  #lastLook: number;
  #closed = false;

  constructor(context: Context) {
    this.#context = context;
    this.#lastLook = context.now();
  }

  /** Erases what ended while the engine did not run, and goes on with what ends while it does. */
  start(): void {
    const { lifetimes, now } = this.#context;
    lifetimes.bound(now());
    this.#erase();
    // An engine that was killed may have erased without coming to this.
    this.#context.eraseTraces();
    lifetimes.onEnd((at) => {
      this.#next = Math.min(this.#next, at);
      this.#wait();
    });
    this.#watch.start();
    this.#wait();
  }

  /** Nothing whose time is over is there after this. */
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
    const wait = Math.min(Math.max(0, this.#next - this.#context.now()), MOST_WAIT);
    this.#timer = setTimeout(() => this.#look(), wait);
    // What is due when the app ends is erased when it starts again.
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
