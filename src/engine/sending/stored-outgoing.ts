/** An outgoing message or control, in the cache. */
import type { Copy, MessageBody, Outgoing } from '../../messaging/sending/outgoing.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { suiteOf } from '../../protocol/envelope-form.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { OutboxEntry } from '../cache/outbox-rows.ts';
import type { Context } from '../context.ts';

/** The stored body of an entry. */
export interface StoredBody {
  /**
   * Current body: the person may have changed it meanwhile.
   * @throws Failure message_deleted
   */
  readonly body: MessageBody;
  /** @param digest of the sealed body */
  save(body: MessageBody, digest: string): void;
}

export class StoredOutgoing implements Outgoing {
  readonly #context: Context;
  readonly #entry: OutboxEntry;
  readonly #stored: StoredBody;

  constructor(context: Context, entry: OutboxEntry, stored: StoredBody) {
    this.#context = context;
    this.#entry = entry;
    this.#stored = stored;
  }

  get conversationId(): number {
    return this.#entry.conversationId;
  }

  get pendingRecipients(): readonly string[] | null {
    return this.#entry.pendingRecipients;
  }

  get body(): MessageBody {
    return this.#stored.body;
  }

  get lastSentAt(): number | null {
    return this.#context.conversations.lastSentAt(this.#entry.conversationId);
  }

  saveBody(body: MessageBody, digest: string): MessageBody {
    const { conversations, transaction } = this.#context;
    transaction(() => {
      this.#stored.save(body, digest);
      conversations.sentAt(this.#entry.conversationId, decodeTime(body.sentAt));
    });
    return body;
  }

  copies(): Copy[] {
    return this.#context.outbox.copies(this.#entry.id);
  }

  addCopies(envelopes: readonly GroupEnvelope[]): void {
    const { messages, outbox, transaction } = this.#context;
    const { id, messageId } = this.#entry;
    transaction(() => {
      outbox.addCopies(id, envelopes);
      if (messageId !== null) messages.sealedIn(messageId, envelopes.map(suiteOf));
    });
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
