/**
 * A message on its way, in the cache.
 */
import type { Copy, MessageBody, Outgoing } from '../messaging/sending/outgoing.ts';
import type { GroupEnvelope } from '../protocol/schemas/groups.ts';
import type { StoredMessage } from './cache/messages.ts';
import type { OutboxEntry } from './cache/outbox-rows.ts';
import type { Context } from './context.ts';

export class StoredOutgoing implements Outgoing {
  readonly #context: Context;
  readonly #entry: OutboxEntry;
  #body: MessageBody;

  constructor(context: Context, entry: OutboxEntry, message: StoredMessage) {
    this.#context = context;
    this.#entry = entry;
    this.#body = message.body;
  }

  get conversationId(): number {
    return this.#entry.conversationId;
  }

  get heldFor(): readonly string[] | null {
    return this.#entry.heldFor;
  }

  get body(): MessageBody {
    return this.#body;
  }

  saveBody(body: MessageBody): void {
    this.#context.messages.setBody(this.#entry.messageId, body);
    this.#body = body;
  }

  copies(): Copy[] {
    return this.#context.outbox.copies(this.#entry.id);
  }

  addCopies(envelopes: readonly GroupEnvelope[]): void {
    const { outbox, transaction } = this.#context;
    transaction(() => outbox.addCopies(this.#entry.id, envelopes));
  }

  acceptCopies(keys: readonly string[]): void {
    const { outbox, transaction } = this.#context;
    transaction(() => outbox.markAccepted(this.#entry.id, keys));
  }

  removeCopies(keys: readonly string[]): void {
    const { outbox, transaction } = this.#context;
    transaction(() => outbox.removeCopies(this.#entry.id, keys));
  }
}
