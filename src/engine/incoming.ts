/**
 * From envelopes to messages. Each envelope ends in exactly one of:
 *   message     opened, its sender proven or allowed: stored
 *   refused     it lies or cannot be opened: noted in quarantine, never shown, never in the way of the inbox
 *   deferred    the directory could not be asked: stays at the relay and comes again
 * One at which the code itself fails comes again twice, in case the fault passes, and is then refused.
 * The first two are acknowledged after one transaction has made them durable.
 */
import type { Trust } from '../bridge/shapes.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { checkRoute, isSettledBy, proveSender, RefusedEnvelope } from '../client/trust.ts';
import { native } from '../protocol/crypto/native.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import type { EnvelopeHeader } from '../protocol/envelope.ts';
import {
  type DirectBody,
  decodePayload,
  type GroupBody,
  PayloadError,
  type UnverifiedPayload,
} from '../protocol/payload.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import type { Contact } from './cache/contacts.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { MessageBody } from './cache/messages.ts';
import type { Refused } from './cache/quarantine.ts';
import type { Context } from './context.ts';
import type { DeliveryParts } from './delivery/parts.ts';
import type { Directory } from './directory.ts';
import type { GroupDirectory } from './groups.ts';
import type { Account } from './identity/account.ts';
import { summaryOf, toPerson } from './procedures/views.ts';
import type { Opened } from './sealing/jobs.ts';

/** How often an envelope is judged at which the code fails. */
const MOST_TRIES = 3;
/** Such envelopes that are counted. */
const MOST_FAULTS = 1_000;

type Verdict =
  | { kind: 'direct'; body: DirectBody; trust: Trust }
  | { kind: 'group'; body: GroupBody; trust: Trust; group: StoredGroup }
  | { kind: 'refused'; reason: string }
  | { kind: 'deferred' };

interface Stored {
  conversationId: number;
  messageId: number;
  request: boolean;
  /** Name of the group. */
  group: string | null;
  /** Whether somebody else wrote it, where the person wants to hear of it. */
  notify: boolean;
}

export interface TakeOutcome {
  /** Ids that are durable here and may be acknowledged. */
  done: string[];
  /** How many brought a message that was not here before. */
  fresh: number;
  /** How many have to come again. */
  deferred: number;
}

export class Incoming {
  readonly #context: Context;
  readonly #account: Account;
  readonly #directory: Directory;
  readonly #groups: GroupDirectory;
  /** How often judging an envelope has failed for no reason that was foreseen. */
  readonly #faults = new RecentMap<string, number>(MOST_FAULTS);

  constructor({ context, account, directory, groups }: DeliveryParts) {
    this.#context = context;
    this.#account = account;
    this.#directory = directory;
    this.#groups = groups;
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
    if (!opened) return { kind: 'refused', reason: 'cannot be opened' };
    try {
      const payload = decodePayload(native, opened.payload);
      checkRoute(envelope, payload, this.#account.address);
      const trust = await this.#trust(envelope, payload, opened.header, asked);
      if (payload.channel === 'direct') {
        await this.#meet(payload.body.peer);
        return { kind: 'direct', body: payload.body, trust };
      }
      return { kind: 'group', body: payload.body, trust, group: await this.#groupOf(payload.body, trust) };
    } catch (error) {
      if (error instanceof RefusedEnvelope || error instanceof UnverifiableError)
        return { kind: 'refused', reason: error.message };
      if (error instanceof PayloadError) return { kind: 'refused', reason: `payload: ${error.message}` };
      if (error instanceof RelayUnreachable || error instanceof RelayRefusal) return { kind: 'deferred' };
      return this.#fault(envelope.id, error);
    }
  }

  /** Fetches a partner to whom only another own device has written so far, so that their name is known here too. */
  async #meet(peer: string): Promise<void> {
    if (peer === this.#account.address || this.#context.contacts.find(peer)) return;
    try {
      await this.#directory.contact(peer);
    } catch (error) {
      if (!(error instanceof UnverifiableError)) throw error;
    }
  }

  /** A fault of ours: one envelope must not keep all others waiting for ever. */
  #fault(id: string, error: unknown): Verdict {
    const tries = (this.#faults.get(id) ?? 0) + 1;
    this.#faults.set(id, tries);
    if (tries < MOST_TRIES) return { kind: 'deferred' };
    this.#faults.delete(id);
    return {
      kind: 'refused',
      reason: `failed ${tries} times: ${error instanceof Error ? error.message : error}`,
    };
  }

  /**
   * The group that a message is for: one that the person is in, and that its sender is or was in.
   * @throws RefusedEnvelope, RelayUnreachable
   */
  async #groupOf(body: GroupBody, trust: Trust): Promise<StoredGroup> {
    try {
      const { group } = await this.#groups.conversation(body.groupId);
      const before = group.members;
      await this.#groups.compareMembers(group, body.members, decodeTime(body.sentAt), trust === 'self');
      let current = this.#context.groups.get(group.id) ?? group;
      if (!before.includes(body.sender) && !current.members.includes(body.sender)) {
        ({ group: current } = await this.#groups.known(body.groupId, 0));
        if (!current.members.includes(body.sender))
          throw new RefusedEnvelope('its sender is not in the group');
      }
      return current;
    } catch (error) {
      // Left meanwhile, or never a member of it: nothing of it is shown.
      if (error instanceof RelayRefusal && !error.temporary)
        throw new RefusedEnvelope('not a group of this person');
      throw error;
    }
  }

  /** How the sender is known, asking for newer keys where those that are known do not settle it. */
  async #trust(
    envelope: InboxEnvelope,
    payload: UnverifiedPayload,
    header: EnvelopeHeader,
    asked: Set<string>,
  ): Promise<Trust> {
    let contact = await this.#directory.contact(envelope.from, Number.POSITIVE_INFINITY);
    // Asked for once for each sender of a page.
    if (!isSettledBy(contact.deviceList, envelope, payload, header) && !asked.has(envelope.from)) {
      asked.add(envelope.from);
      contact = await this.#refetch(contact);
    }
    const proof = proveSender(contact.deviceList, envelope, payload);
    if (proof !== 'signed') return proof === 'bots' ? 'bot' : 'api';
    return envelope.from === this.#account.address ? 'self' : 'verified';
  }

  /** The contact with newer keys; as it was, if what the relay shows instead does not prove itself. */
  async #refetch(contact: Contact): Promise<Contact> {
    try {
      return await this.#directory.contact(contact.address, 0);
    } catch (error) {
      if (error instanceof UnverifiableError) return contact;
      throw error;
    }
  }

  #store(envelopes: InboxEnvelope[], verdicts: Verdict[]): TakeOutcome {
    const done: string[] = [];
    let fresh = 0;
    const refused: Refused[] = [];
    const touched = new Set<number>();
    const arrived: (Stored & { body: MessageBody })[] = [];
    this.#context.transaction(() => {
      for (const [index, envelope] of envelopes.entries()) {
        const verdict = verdicts[index];
        if (!verdict || verdict.kind === 'deferred') continue;
        done.push(envelope.id);
        const { id: envelopeId, from: sender } = envelope;
        const size = envelope.ciphertext.length;
        if (verdict.kind === 'refused') {
          refused.push({ envelopeId, sender, size, reason: verdict.reason });
          continue;
        }
        if (verdict.kind === 'direct' && this.#context.strangers.hasSaidEnough(sender)) {
          refused.push({ envelopeId, sender, size, reason: 'too much before it was accepted' });
          continue;
        }
        const stored =
          verdict.kind === 'group'
            ? this.#storeGroupMessage(verdict.body, verdict.trust, verdict.group)
            : this.#storeDirectMessage(verdict.body, verdict.trust);
        if (!stored) continue;
        fresh++;
        touched.add(stored.conversationId);
        if (stored.notify) arrived.push({ ...stored, body: verdict.body });
      }
      if (refused.length > 0) this.#context.quarantine.add(refused, this.#context.now());
      for (const id of this.#context.strangers.prune()) touched.add(id);
    });
    for (const id of touched) this.#context.emit('messages.changed', { conversationId: String(id) });
    if (touched.size > 0) this.#context.emit('conversations.changed', { ids: Array.from(touched, String) });
    for (const { conversationId, messageId, body, request, group } of arrived) {
      this.#context.emit('message.arrived', {
        conversationId: String(conversationId),
        messageId: String(messageId),
        from: toPerson(this.#context.contacts.profile(body.sender)),
        group,
        text: summaryOf(body),
        request,
      });
    }
    return { done, fresh, deferred: verdicts.length - done.length };
  }

  /** Stores one message in the conversation with its partner. Null for a duplicate and for what a blocked person sent. */
  #storeDirectMessage(body: DirectBody, trust: Trust): Stored | null {
    const { contacts, conversations, now } = this.#context;
    const own = body.sender === this.#account.address;
    const contact = contacts.ensure(own ? body.peer : body.sender, now());
    const conversation = conversations.ensure(contact.id, own ? 'accepted' : 'request', now());
    if (conversation.state === 'blocked' && !own) return null;
    // Written on another own device: whoever writes to somebody has accepted them.
    if (own && conversation.state === 'request') conversations.setState(conversation.id, 'accepted');
    const messageId = this.#insert(conversation.id, body, trust, own);
    if (messageId === null) return null;
    const request = conversation.state === 'request';
    return {
      conversationId: conversation.id,
      messageId,
      request,
      group: null,
      notify: !own && !conversation.muted,
    };
  }

  /** Stores one message in the conversation of its group. Null for a duplicate and for what a blocked person sent. */
  #storeGroupMessage(body: GroupBody, trust: Trust, group: StoredGroup): Stored | null {
    const { contacts, conversations, now } = this.#context;
    const own = body.sender === this.#account.address && trust === 'self';
    const contact = contacts.ensure(body.sender, now());
    if (conversations.findByContact(contact.id)?.state === 'blocked' && !own) return null;
    const conversation = conversations.ensureForGroup(group.id, now());
    // Shown, because the owner may have let them back in, but marked: it must not look like a member's.
    const unconfirmed = !own && group.unconfirmed.includes(body.sender);
    const messageId = this.#insert(conversation.id, body, trust, own, unconfirmed);
    if (messageId === null) return null;
    const notify = !own && !unconfirmed && group.joined && !conversation.muted;
    return { conversationId: conversation.id, messageId, request: false, group: group.name, notify };
  }

  /** Null for a duplicate. */
  #insert(
    conversationId: number,
    body: MessageBody,
    trust: Trust,
    own: boolean,
    unconfirmed = false,
  ): number | null {
    const { conversations, messages, now } = this.#context;
    const messageId = messages.insert({
      conversationId,
      sender: body.sender,
      uid: decodeBase64Url(body.id),
      body,
      sentAt: decodeTime(body.sentAt),
      storedAt: now(),
      state: own ? 'sent' : 'received',
      trust,
      unconfirmed,
    });
    if (messageId !== null) conversations.messageAdded(conversationId, messageId, !own, now());
    return messageId;
  }
}
