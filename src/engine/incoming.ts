/**
 * From envelopes to messages. Each envelope ends in exactly one of:
 *   message     opened, its sender proven or allowed: stored
 *   refused     it lies or cannot be opened: kept in quarantine, never shown, never in the way of the inbox
 *   deferred    the directory could not be asked: stays at the relay and comes again
 * The first two are acknowledged after one transaction has made them durable.
 */
import type { Trust } from '../bridge/shapes.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { native } from '../protocol/crypto/native.ts';
import type { Device, DeviceList, UnsignedKind } from '../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import { type DirectBody, decodePayload, PayloadError, type UnverifiedPayload } from '../protocol/payload.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import type { Contact } from './cache/contacts.ts';
import type { Context } from './context.ts';
import type { Directory } from './directory.ts';
import { EngineFailure } from './failure.ts';
import type { Account } from './identity/account.ts';
import { textOf, toPerson } from './procedures/views.ts';
import type { Opened } from './sealing/jobs.ts';

type Verdict =
  | { kind: 'message'; body: DirectBody; trust: Trust }
  | { kind: 'refused'; reason: string }
  | { kind: 'deferred' };

/** Thrown while an envelope is judged; the reason goes into the quarantine. */
class Refused extends Error {}

export interface TakeOutcome {
  /** Ids that are durable here and may be acknowledged. */
  done: string[];
  /** How many have to come again. */
  deferred: number;
}

export class Incoming {
  readonly #context: Context;
  readonly #account: Account;
  readonly #directory: Directory;

  constructor(context: Context, account: Account, directory: Directory) {
    this.#context = context;
    this.#account = account;
    this.#directory = directory;
  }

  /** Opens, judges and stores a page of the inbox. */
  async take(envelopes: InboxEnvelope[]): Promise<TakeOutcome> {
    const opened = await this.#open(envelopes);
    const verdicts: Verdict[] = [];
    const asked = new Set<string>();
    for (const [index, envelope] of envelopes.entries()) {
      verdicts.push(await this.#judge(envelope, opened[index] ?? null, asked));
    }
    return this.#store(envelopes, verdicts);
  }

  async #open(envelopes: InboxEnvelope[]): Promise<Opened[]> {
    const keys = this.#context.identity.sealKeys();
    return this.#context.pool.open(
      envelopes.map((envelope) => ({
        route: { from: envelope.from, to: envelope.toAddress },
        asRequest: envelope.asRequest ?? false,
        copy: {
          ciphertext: decodeBase64Url(envelope.ciphertext),
          ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
          nonce: decodeBase64Url(envelope.nonce),
        },
        // A copy that names no device was sealed to one of ours, and which one only trying tells.
        secrets: keys
          .filter(
            ({ statement }) =>
              envelope.recipientDeviceKey === undefined || statement.key === envelope.recipientDeviceKey,
          )
          .map(({ secret }) => secret),
      })),
    );
  }

  async #judge(envelope: InboxEnvelope, opened: Opened, asked: Set<string>): Promise<Verdict> {
    if (envelope.toAddress !== this.#account.address) return { kind: 'refused', reason: 'another address' };
    if (!opened) return { kind: 'refused', reason: 'cannot be opened' };
    try {
      const payload = decodePayload(native, opened.payload);
      const body = this.#checkRoute(envelope, payload);
      const trust = await this.#trust(envelope, payload, opened.header.senderListSequence, asked);
      return { kind: 'message', body, trust };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      if (error instanceof PayloadError) return { kind: 'refused', reason: `payload: ${error.message}` };
      if (error instanceof EngineFailure) return { kind: 'refused', reason: error.message };
      if (error instanceof RelayUnreachable || error instanceof RelayRefusal) return { kind: 'deferred' };
      throw error;
    }
  }

  /** The sealed words must say the same as the envelope around them. */
  #checkRoute(envelope: InboxEnvelope, payload: UnverifiedPayload): DirectBody {
    if (payload.channel !== 'direct' || envelope.groupId !== undefined) throw new Refused('a group message');
    if (payload.body.sender !== envelope.from) throw new Refused('another sender inside than outside');
    const own = this.#account.address;
    const rightPeer = envelope.from === own || payload.body.peer === own;
    if (!rightPeer) throw new Refused('meant for another address');
    return payload.body;
  }

  /** How the sender is known, or Refused if the sender's own device list does not allow it. */
  async #trust(
    envelope: InboxEnvelope,
    payload: UnverifiedPayload,
    senderListSequence: number,
    asked: Set<string>,
  ): Promise<Trust> {
    const unsignedKind = envelope.via === 'group_token' ? 'bots' : 'api';
    let contact = await this.#directory.contact(envelope.from, Number.POSITIVE_INFINITY);
    const { deviceList: pinned } = contact;
    const isSettled =
      pinned !== null &&
      senderListSequence <= pinned.sequence &&
      (payload.deviceId === null
        ? allows(pinned, unsignedKind)
        : deviceOf(pinned, payload.deviceId) !== null);
    // What the pinned list does not settle, a newer one may; asked for once for each sender of a page.
    if (!isSettled && !asked.has(envelope.from)) {
      asked.add(envelope.from);
      contact = await this.#refetch(contact);
    }
    const { deviceList } = contact;
    if (payload.deviceId === null) {
      if (!deviceList || !allows(deviceList, unsignedKind)) {
        throw new Refused(`unsigned, which its sender does not allow (${unsignedKind})`);
      }
      return unsignedKind === 'bots' ? 'bot' : 'api';
    }
    const device = deviceList && deviceOf(deviceList, payload.deviceId);
    if (!device) throw new Refused('signed by a device that its sender did not certify');
    if (decodeTime(device.validUntil) <= decodeTime(envelope.receivedAt)) {
      throw new Refused('signed by a device whose certificate had ended');
    }
    if (!payload.isSignedBy(decodeBase64Url(device.key))) throw new Refused('the signature does not hold');
    return envelope.from === this.#account.address ? 'self' : 'verified';
  }

  /** The contact with newer keys; as it was, if what the relay shows instead does not prove itself. */
  async #refetch(contact: Contact): Promise<Contact> {
    try {
      return await this.#directory.contact(contact.address, 0);
    } catch (error) {
      if (error instanceof EngineFailure && error.code === 'unverifiable') return contact;
      throw error;
    }
  }

  #store(envelopes: InboxEnvelope[], verdicts: Verdict[]): TakeOutcome {
    const done: string[] = [];
    const touched = new Set<number>();
    const arrived: { conversationId: number; messageId: number; body: DirectBody; request: boolean }[] = [];
    this.#context.transaction(() => {
      for (const [index, envelope] of envelopes.entries()) {
        const verdict = verdicts[index];
        if (!verdict || verdict.kind === 'deferred') continue;
        done.push(envelope.id);
        if (verdict.kind === 'refused') {
          this.#context.quarantine.add(
            {
              envelopeId: envelope.id,
              sender: envelope.from,
              reason: verdict.reason,
              envelope: JSON.stringify(envelope),
            },
            this.#context.now(),
          );
          continue;
        }
        const stored = this.#storeMessage(verdict.body, verdict.trust);
        if (!stored) continue;
        touched.add(stored.conversationId);
        if (stored.notify) arrived.push({ ...stored, body: verdict.body });
      }
    });
    for (const id of touched) this.#context.emit('messages.changed', { conversationId: String(id) });
    if (touched.size > 0) this.#context.emit('conversations.changed', { ids: Array.from(touched, String) });
    for (const { conversationId, messageId, body, request } of arrived) {
      const conversation = this.#context.conversations.get(conversationId);
      if (!conversation) continue;
      this.#context.emit('message.arrived', {
        conversationId: String(conversationId),
        messageId: String(messageId),
        from: toPerson(conversation.peer),
        text: textOf(body) ?? 'Sent by a newer version of Waxwing',
        request,
      });
    }
    return { done, deferred: verdicts.length - done.length };
  }

  /** Stores one message in the conversation with its partner. Null for a duplicate and for what a blocked person sent. */
  #storeMessage(
    body: DirectBody,
    trust: Trust,
  ): { conversationId: number; messageId: number; request: boolean; notify: boolean } | null {
    const { contacts, conversations, messages, now } = this.#context;
    const own = body.sender === this.#account.address;
    const partner = own ? body.peer : body.sender;
    const contact = contacts.ensure(partner, now());
    const conversation = conversations.ensure(contact.id, own ? 'accepted' : 'request', now());
    if (conversation.state === 'blocked' && !own) return null;
    // Written on another own device: whoever writes to somebody has accepted them.
    if (own && conversation.state === 'request') conversations.setState(conversation.id, 'accepted');
    const messageId = messages.insert({
      conversationId: conversation.id,
      sender: body.sender,
      uid: decodeBase64Url(body.id),
      body,
      sentAt: decodeTime(body.sentAt),
      storedAt: now(),
      state: own ? 'sent' : 'received',
      trust,
    });
    if (messageId === null) return null;
    conversations.messageAdded(conversation.id, messageId, !own, now());
    return {
      conversationId: conversation.id,
      messageId,
      request: conversation.state === 'request',
      notify: !own,
    };
  }
}

function allows(list: DeviceList, kind: UnsignedKind): boolean {
  const allowed: readonly UnsignedKind[] = list.unsigned;
  return allowed.includes(kind);
}

function deviceOf(list: DeviceList, id: string): Device | null {
  return list.devices.find(({ deviceId }) => deviceId === id) ?? null;
}
