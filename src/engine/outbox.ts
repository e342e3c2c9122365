/**
 * The outbox: what was queued reaches the relay, in order within a conversation, whatever happens in between.
 *
 * An entry goes through three steps, each durable before the next:
 *   1. the message and its entry are written (by the composer's call),
 *   2. one copy is sealed for each device, and the copies are written,
 *   3. the relay has accepted each copy; then the entry goes and the message is 'sent'.
 * A retry after step 2 sends the same bytes, which the relay knows again, so nothing is delivered twice.
 */

import { backoffDelay, Sleeper } from '../client/backoff.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { native } from '../protocol/crypto/native.ts';
import { decodeBase64Url, encodeBase64Url } from '../protocol/encoding.ts';
import { encodePayload } from '../protocol/payload.ts';
import type { Envelope } from '../protocol/schemas/envelopes.ts';
import type { Contact } from './cache/contacts.ts';
import type { StoredMessage } from './cache/messages.ts';
import type { OutboxCopy, OutboxEntry } from './cache/outbox-rows.ts';
import type { ConnectionState } from './connection.ts';
import type { Context } from './context.ts';
import { type Directory, KEYS_FRESH_FOR } from './directory.ts';
import { EngineFailure } from './failure.ts';
import type { Account } from './identity/account.ts';

/** How often copies may be sealed anew within one attempt because the recipient's devices changed meanwhile. */
const MOST_RESEALS = 3;

export class Outbox {
  readonly #context: Context;
  readonly #account: Account;
  readonly #directory: Directory;
  readonly #connection: ConnectionState;
  readonly #sleeper = new Sleeper();
  #closed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(context: Context, account: Account, directory: Directory, connection: ConnectionState) {
    this.#context = context;
    this.#account = account;
    this.#directory = directory;
    this.#connection = connection;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Something was queued, or the relay is there again. */
  wake(): void {
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
    try {
      await this.#deliver(entry, message, conversation.peer.address);
      this.#finish(entry, 'sent', null);
    } catch (error) {
      const temporary =
        error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.temporary);
      if (temporary) {
        const wait = (error instanceof RelayRefusal && error.retryAfter) || backoffDelay(entry.attempts + 1);
        this.#context.outbox.postpone(entry.id, this.#context.now() + wait);
        return;
      }
      this.#finish(entry, 'failed', sentenceFor(error));
    }
  }

  #finish(entry: OutboxEntry, state: 'sent' | 'failed', problem: string | null): void {
    this.#context.transaction(() => {
      this.#context.messages.setState(entry.messageId, state, problem);
      this.#context.outbox.remove(entry.id);
    });
    this.#context.emit('messages.changed', { conversationId: String(entry.conversationId) });
    this.#context.emit('conversations.changed', { ids: [String(entry.conversationId)] });
    this.#connection.queueChanged();
  }

  async #deliver(entry: OutboxEntry, message: StoredMessage, peer: string): Promise<void> {
    let freshFor = KEYS_FRESH_FOR;
    for (let round = 0; round < MOST_RESEALS; round++) {
      await this.#sealMissing(entry, message, peer, freshFor);
      const refused = await this.#send(entry);
      if (refused.length === 0) return;
      // The recipient's devices have changed since they were fetched: fetch them anew and seal for those of now.
      this.#context.outbox.removeCopies(entry.id, refused);
      freshFor = 0;
    }
    throw new RelayUnreachable('The recipient’s devices keep changing.');
  }

  /** Seals copies for the devices that have none yet: the peer's, and the person's other devices. */
  async #sealMissing(
    entry: OutboxEntry,
    message: StoredMessage,
    peer: string,
    freshFor: number,
  ): Promise<void> {
    const existing = this.#context.outbox.copies(entry.id);
    if (existing.length > 0 && freshFor > 0) return;
    const recipient = await this.#directory.contact(peer, freshFor);
    if (recipient.sealKeys.length === 0) {
      throw new EngineFailure('refused', 'This person has no device that could read the message now.');
    }
    const self =
      peer === this.#account.address ? null : await this.#directory.contact(this.#account.address, freshFor);
    const payload = encodePayload(
      native,
      { channel: 'direct', body: message.body },
      { deviceKey: this.#account.deviceKey },
    );
    const asRequest = !this.#context.messages.hasReceived(entry.conversationId);
    const has = new Set(existing.map(({ recipientKey }) => recipientKey));
    const copies = [
      ...(await this.#seal(recipient, has, asRequest && self !== null, payload)),
      ...(self ? await this.#seal(self, has, false, payload) : []),
    ];
    this.#context.transaction(() => this.#context.outbox.addCopies(entry.id, copies));
  }

  async #seal(
    to: Contact,
    has: ReadonlySet<string>,
    asRequest: boolean,
    payload: Uint8Array,
  ): Promise<Omit<OutboxCopy, 'accepted'>[]> {
    const keys = to.sealKeys.filter(
      ({ key, deviceId }) => !has.has(key) && deviceId !== this.#account.deviceId,
    );
    const sealed = await this.#context.pool.seal({
      route: { from: this.#account.address, to: to.address },
      header: {
        asRequest,
        automated: false,
        senderListSequence: this.#context.identity.get()?.deviceList?.sequence ?? 0,
        recipientListSequence: to.deviceList?.sequence ?? 0,
      },
      payload,
      recipientKeys: keys.map(({ key }) => decodeBase64Url(key)),
    });
    return keys.flatMap(({ key }, index) => {
      const copy = sealed[index];
      if (!copy) return [];
      const envelope: Envelope = {
        toAddress: to.address,
        recipientDeviceKey: key,
        ciphertext: encodeBase64Url(copy.ciphertext),
        ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
        nonce: encodeBase64Url(copy.nonce),
        ...(asRequest ? { asRequest } : {}),
      };
      return [{ toAddress: to.address, recipientKey: key, envelope: JSON.stringify(envelope) }];
    });
  }

  /** Sends what is not accepted yet. Returns the keys of devices that are gone. */
  async #send(entry: OutboxEntry): Promise<string[]> {
    const waiting = this.#context.outbox.copies(entry.id).filter((copy) => !copy.accepted);
    if (waiting.length === 0) return [];
    const envelopes = waiting.map((copy) => JSON.parse(copy.envelope) as Envelope);
    const results = await this.#account.relay.sendEnvelopes(envelopes);
    const accepted: string[] = [];
    const gone: string[] = [];
    let refusal: RelayRefusal | null = null;
    for (const [index, copy] of waiting.entries()) {
      const result = results[index];
      const error = result?.status === 'rejected' ? result.error : null;
      // An own device that cannot be reached must not hold up the message to its recipient.
      const own = copy.toAddress === this.#account.address;
      if (error?.code === 'unknown_device') gone.push(copy.recipientKey);
      else if (error && !own) refusal = new RelayRefusal(422, error.code, error.detail);
      else accepted.push(copy.recipientKey);
    }
    this.#context.transaction(() => this.#context.outbox.markAccepted(entry.id, accepted));
    if (refusal) throw refusal;
    return gone;
  }
}

function sentenceFor(error: unknown): string {
  if (error instanceof EngineFailure || error instanceof UnverifiableError) return error.message;
  if (error instanceof RelayRefusal) return `The relay refused this message: ${error.message}`;
  return 'This message could not be sent because something went wrong inside Waxwing. Try again.';
}
