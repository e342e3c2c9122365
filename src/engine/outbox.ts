/**
 * The outbox: what was queued reaches the relay, in order within a conversation, whatever happens in between.
 *
 * An entry goes through three steps, each durable before the next:
 *   1. the message and its entry are written (by the composer's call),
 *   2. one copy is sealed for each device, and the copies are written,
 *   3. the relay has accepted each copy; then the entry goes and the message is 'sent'.
 * A retry after step 2 sends the same bytes, which the relay knows again, so nothing is delivered twice.
 */

import { askAgainDelay, Sleeper, waitAfter } from '../client/backoff.ts';
import { KeysWithheldError, UnverifiableError } from '../client/errors.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import type { OutboxEntry } from './cache/outbox-rows.ts';
import type { ConnectionState } from './connection.ts';
import type { Context } from './context.ts';
import { DirectDelivery } from './delivery/direct.ts';
import { GroupDelivery } from './delivery/group.ts';
import type { DeliveryParts } from './delivery/parts.ts';
import { EngineFailure } from './failure.ts';

/** How long a message waits for devices that the relay does not show, in milliseconds. */
const MOST_WAIT = 24 * 3_600_000;
/** Messages of one group that are kept for members whose devices are not shown. */
const MOST_HELD = 200;

export class Outbox {
  readonly #context: Context;
  readonly #direct: DirectDelivery;
  readonly #groups: GroupDelivery;
  readonly #connection: ConnectionState;
  readonly #sleeper = new Sleeper();
  #closed = false;
  /** How often {@link hasten} was called: it counts also for what is being tried meanwhile. */
  #hastened = 0;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: DeliveryParts, connection: ConnectionState) {
    this.#context = parts.context;
    this.#direct = new DirectDelivery(parts);
    this.#groups = new GroupDelivery(parts);
    this.#connection = connection;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Something was queued. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** All that waits may be tried now: the relay is there again, or the person asked for it. */
  hasten(): void {
    this.#hastened += 1;
    this.#context.outbox.hasten(this.#context.now());
    this.#sleeper.wake();
  }

  /** What waits for the devices of an address may be tried now. */
  hastenFor(address: string): void {
    this.#context.outbox.hastenFor(address, this.#context.now());
    this.#sleeper.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sleeper.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const heads = this.#context.outbox.heads();
      const due = heads.filter((entry) => entry.nextAttemptAt <= this.#context.now());
      for (const entry of due) {
        if (this.#closed) return;
        await this.#attempt(entry);
      }
      if (due.length > 0) continue;
      const next = Math.min(...heads.map((entry) => entry.nextAttemptAt), Number.MAX_SAFE_INTEGER);
      await this.#sleeper.sleep(Math.min(Math.max(next - this.#context.now(), 10), 60_000));
    }
  }

  async #attempt(entry: OutboxEntry): Promise<void> {
    const message = this.#context.messages.get(entry.messageId);
    const conversation = this.#context.conversations.get(entry.conversationId);
    if (!message || !conversation) {
      this.#context.outbox.remove(entry.id);
      return;
    }
    const { partner } = conversation;
    const hastened = this.#hastened;
    try {
      if (partner.kind === 'direct') await this.#direct.deliver(entry, message, partner.peer.address);
      else {
        const withheld = await this.#groups.deliver(entry, message, partner.groupId);
        if (withheld.length > 0 && this.#mayWait(entry)) return this.#hold(entry, withheld, hastened);
      }
      this.#finish(entry, 'sent', null);
    } catch (error) {
      const temporary =
        error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.temporary);
      if (temporary) {
        const until = this.#context.now() + waitAfter(error, entry.attempts + 1);
        this.#context.outbox.postpone(entry.id, this.#unlessHastened(hastened, until));
        return;
      }
      if (error instanceof KeysWithheldError) {
        if (this.#mayWait(entry)) return this.#wait(entry, error.message, hastened);
        return this.#finish(entry, 'failed', waitedTooLong(error));
      }
      this.#finish(entry, 'failed', sentenceFor(error));
    }
  }

  /** Whether to go on asking the relay for devices that it does not show. */
  #mayWait(entry: OutboxEntry): boolean {
    return this.#context.now() - entry.queuedAt < MOST_WAIT;
  }

  /** When to try again what was tried: at once if that was asked for meanwhile, which the attempt may have been too early for. */
  #unlessHastened(before: number, until: number): number {
    return this.#hastened === before ? until : this.#context.now();
  }

  /** The message says for what it waits. Later ones of the conversation wait behind it. */
  #wait(entry: OutboxEntry, problem: string, hastened: number): void {
    const { messages, outbox, now, random, transaction, emit } = this.#context;
    transaction(() => {
      messages.setState(entry.messageId, 'queued', problem);
      const until = now() + askAgainDelay(entry.waits + 1, random());
      outbox.wait(entry.id, this.#unlessHastened(hastened, Math.min(until, entry.queuedAt + MOST_WAIT)));
    });
    emit('messages.changed', { conversationId: String(entry.conversationId) });
  }

  /** All others have it: the message is sent, and those whose devices are not shown get it when they are. */
  #hold(entry: OutboxEntry, withheld: readonly string[], hastened: number): void {
    const { messages, outbox, now, random, transaction } = this.#context;
    // One look at the group is enough for all that is held in it: what is new waits with the others.
    const others = entry.heldFor === null ? outbox.heldSchedule(entry.conversationId) : null;
    const waits = others?.waits ?? entry.waits + 1;
    const until = this.#unlessHastened(hastened, others?.until ?? now() + askAgainDelay(waits, random()));
    transaction(() => {
      messages.setState(entry.messageId, 'sent', null);
      outbox.hold(entry, withheld, { waits, until }, MOST_HELD);
    });
    this.#changed(entry);
  }

  #finish(entry: OutboxEntry, state: 'sent' | 'failed', problem: string | null): void {
    this.#context.transaction(() => {
      this.#context.messages.setState(entry.messageId, state, problem);
      this.#context.outbox.remove(entry.id);
    });
    this.#changed(entry);
  }

  #changed(entry: OutboxEntry): void {
    this.#context.emit('messages.changed', { conversationId: String(entry.conversationId) });
    this.#context.emit('conversations.changed', { ids: [String(entry.conversationId)] });
    this.#connection.queueChanged();
  }
}

function waitedTooLong({ who }: KeysWithheldError): string {
  return who === null
    ? 'The server hasn’t shown your own current devices for 24 hours. Open Waxwing on your other computers, then retry.'
    : `The server hasn’t shown ${who}’s current devices for 24 hours. Ask ${who} to open Waxwing, then retry.`;
}

function sentenceFor(error: unknown): string {
  if (error instanceof EngineFailure || error instanceof UnverifiableError) return error.message;
  if (error instanceof RelayRefusal) return `The relay refused this message: ${error.message}`;
  return 'This message could not be sent because something went wrong inside Waxwing. Try again.';
}
