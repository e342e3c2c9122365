/**
 * A direct message to each device of its recipient, and to the person's own other devices.
 */
import { batchLimits, sendInChunks } from '../../client/chunks.ts';
import { UnverifiableError } from '../../client/errors.ts';
import { type RelayRefusal, RelayUnreachable } from '../../client/http.ts';
import { refusalOf } from '../../client/sending.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { Contact } from '../cache/contacts.ts';
import type { StoredMessage } from '../cache/messages.ts';
import type { OutboxEntry } from '../cache/outbox-rows.ts';
import { KEYS_FRESH_FOR } from '../directory.ts';
import { EngineFailure } from '../failure.ts';
import { type DeliveryParts, MOST_RESEALS } from './parts.ts';
import { sealFor } from './seal.ts';
import { signedWords } from './words.ts';

export class DirectDelivery {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** @throws RelayRefusal, RelayUnreachable, UnverifiableError, EngineFailure */
  async deliver(entry: OutboxEntry, message: StoredMessage, peer: string): Promise<void> {
    let freshFor = KEYS_FRESH_FOR;
    for (let round = 0; round < MOST_RESEALS; round++) {
      await this.#sealMissing(entry, message, peer, freshFor);
      const refused = await this.#send(entry);
      if (refused.length === 0) return;
      // The recipient's devices have changed since they were fetched: fetch them anew and seal for those of now.
      this.#parts.context.outbox.removeCopies(entry.id, refused);
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
    const { context, account, directory } = this.#parts;
    const before = context.outbox.copies(entry.id);
    // What was sealed already goes as it is, unless something newer is known of its devices by now.
    const mayBeOld = before.length > 0 && freshFor > 0 ? Number.POSITIVE_INFINITY : freshFor;
    let recipient = await directory.recipient(peer, mayBeOld);
    // Whoever had no device a little while ago may have one by now.
    if (recipient.sealKeys.length === 0) recipient = await directory.recipient(peer, 0);
    if (recipient.sealKeys.length === 0) {
      throw new EngineFailure('refused', 'This person has no device that could read the message now.');
    }
    const self = peer === account.address ? null : await this.#ownDevices(mayBeOld);
    const current = new Set([recipient, self].flatMap((to) => to?.sealKeys.map(({ key }) => key) ?? []));
    const gone = before.filter(({ recipientKey, accepted }) => !accepted && !current.has(recipientKey));
    if (mayBeOld > freshFor && gone.length === 0) return;
    context.outbox.removeCopies(
      entry.id,
      gone.map(({ recipientKey }) => recipientKey),
    );
    const existing = before.filter((copy) => !gone.includes(copy));
    const payload = signedWords(this.#parts, message, before.length === 0 ? {} : null);
    const asRequest = self !== null && !context.messages.hasReceived(entry.conversationId, 'signed');
    const has = new Set(existing.map(({ recipientKey }) => recipientKey));
    const copies = [
      ...(await sealFor(this.#parts, recipient, has, payload, asRequest)),
      ...(self ? await sealFor(this.#parts, self, has, payload) : []),
    ];
    context.transaction(() => context.outbox.addCopies(entry.id, copies));
  }

  /** The person's own devices, as far as they can be sealed to now: they do not hold up a message to its recipient. */
  async #ownDevices(freshFor: number): Promise<Contact | null> {
    const { account, directory } = this.#parts;
    try {
      return await directory.recipient(account.address, freshFor);
    } catch (error) {
      if (error instanceof UnverifiableError) return null;
      throw error;
    }
  }

  /** Sends what is not accepted yet. Returns the keys of devices that are gone. */
  async #send(entry: OutboxEntry): Promise<string[]> {
    const { context, account } = this.#parts;
    const waiting = context.outbox.copies(entry.id).filter((copy) => !copy.accepted);
    if (waiting.length === 0) return [];
    const copies = waiting.map(({ envelope }) => JSON.parse(envelope) as GroupEnvelope);
    const gone: string[] = [];
    const refused: RelayRefusal[] = [];
    await sendInChunks(copies, batchLimits(await account.relay.limits()), async (chunk) => {
      const results = await account.relay.sendEnvelopes(chunk);
      const accepted: string[] = [];
      for (const [index, { toAddress, recipientDeviceKey }] of chunk.entries()) {
        const result = results[index];
        const error = result?.status === 'rejected' ? result.error : null;
        // An own device that cannot be reached must not hold up the message to its recipient.
        const own = toAddress === account.address;
        if (error?.code === 'unknown_device') gone.push(recipientDeviceKey);
        else if (error && !own) refused.push(refusalOf(error));
        else accepted.push(recipientDeviceKey);
      }
      context.transaction(() => context.outbox.markAccepted(entry.id, accepted));
    });
    const [refusal] = refused;
    if (refusal) throw refusal;
    return gone;
  }
}
