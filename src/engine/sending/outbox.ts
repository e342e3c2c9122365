/**
 * The outbox: delivers queued messages to the relay, in order within a conversation, across failures and
 * restarts.
 */

import { Sleeper, slowRetryDelay } from '../../base/backoff.ts';
import { describe } from '../../base/error-facts.ts';
import { Failure, type FailureData, failedWith, isWithheld } from '../../base/failure.ts';
import { log, stopwatch, toFailure } from '../../base/log.ts';
import { waitAfter } from '../../client/wait-after.ts';
import { extrasOf } from '../../messaging/contents/extras.ts';
import { MessageId } from '../../messaging/contents/fields.ts';
import { isTransient } from '../../messaging/relay.ts';
import { sendDirect } from '../../messaging/sending/direct.ts';
import { sendToGroup } from '../../messaging/sending/group.ts';
import type { MessageBody, SendingParts, Undelivered } from '../../messaging/sending/outgoing.ts';
import { retentionOf } from '../../messaging/trust/replay.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { Files } from '../cache/files.ts';
import type { OutboxEntry } from '../cache/outbox-rows.ts';
import type { ConnectionState } from '../connection.ts';
import type { Context } from '../context.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';
import { storedBody, undoControl } from './stored-body.ts';
import { StoredOutgoing } from './stored-outgoing.ts';

/** Longest wait for devices that the relay does not show, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000;
/** Limit of messages of one conversation with pending recipients. The oldest are given up. */
const MAX_PENDING = 1_000;
/** Entries with pending recipients that are tried between looks for new messages. */
const PENDING_AT_ONCE = 20;

export class Outbox {
  readonly #context: Context;
  readonly #parts: DeliveryParts;
  readonly #sending: SendingParts;
  readonly #connection: ConnectionState;
  readonly #sleeper: Sleeper;
  #closed = false;
  /** Number of {@link retryNow} calls. They also count for the running attempt. */
  #retries = 0;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: DeliveryParts, connection: ConnectionState) {
    this.#context = parts.context;
    this.#parts = parts;
    this.#sleeper = new Sleeper(parts.context.later);
    this.#sending = sendingParts(parts);
    this.#connection = connection;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Called after an entry was queued. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** Retries all entries now: the relay is back, or the person requested it. */
  retryNow(): void {
    this.#retries += 1;
    this.#context.outbox.retryNow(this.#context.now());
    this.#sleeper.wake();
  }

  /** Retries a message that waited for its files. */
  retryMessage(messageId: number): void {
    this.#context.outbox.retryMessage(messageId, this.#context.now());
    this.#sleeper.wake();
  }

  /** Retries waiting messages in the chat of a group, after the upload of its picture succeeded or failed. */
  retryGroup(groupId: string): void {
    const conversation = this.#context.conversations.findByGroup(this.#context.groups.find(groupId)?.id ?? 0);
    if (conversation) this.#context.outbox.retryConversation(conversation.id, this.#context.now());
    this.#sleeper.wake();
  }

  /** Retries entries that wait for the devices of an address, after news about them. */
  retryFor(address: string): void {
    this.#context.outbox.retryFor(address, this.#context.now());
    this.#sleeper.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sleeper.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const heads = this.#context.outbox.heads(this.#context.identity.relayUrl());
      const due = heads.filter((entry) => entry.nextAttemptAt <= this.#context.now());
      const pending = due.filter((entry) => entry.pendingRecipients !== null);
      const others = due.filter((entry) => entry.pendingRecipients === null);
      for (const entry of [...others, ...pending.slice(0, PENDING_AT_ONCE)]) {
        if (this.#closed) return;
        // A failure postpones all pending entries of its conversation.
        if (this.#context.outbox.isDue(entry.id, this.#context.now())) await this.#attempt(entry);
      }
      if (due.length > 0) continue;
      const next = Math.min(...heads.map((entry) => entry.nextAttemptAt), Number.MAX_SAFE_INTEGER);
      await this.#sleeper.sleep(Math.min(Math.max(next - this.#context.now(), 10), 60_000));
    }
  }

  async #attempt(entry: OutboxEntry): Promise<void> {
    const stored = storedBody(this.#context, entry, this.#parts.account.address);
    const conversation = this.#context.conversations.get(entry.conversationId);
    if (!stored || !conversation) {
      this.#context.outbox.remove(entry.id);
      return;
    }
    const uploads =
      entry.messageId === null
        ? pictureUpload(this.#context, stored.body)
        : this.#context.files.uploadsOf(entry.messageId);
    if (uploads === 'replaced' && entry.pendingRecipients === null) return this.#withdraw(entry);
    // The transfers report the end of the uploads.
    if (uploads === 'running') return this.#context.outbox.delay(entry.id, this.#context.now() + 60_000);
    if (uploads !== 'done' && uploads !== 'replaced') return this.#finish(entry, 'failed', uploads);
    const { partner } = conversation;
    const retries = this.#retries;
    const ms = stopwatch();
    try {
      const undelivered = await this.#send(new StoredOutgoing(this.#context, entry, stored), partner);
      log('info', 'engine.sent', { ms: ms() });
      const pending = undelivered.filter(
        ({ waitsFor }) => waitsFor !== null && this.#mayWait(entry, waitsFor),
      );
      if (pending.length > 0) {
        const addresses = new Set(pending.map(({ address }) => address));
        return this.#setPending(entry, [...addresses], retries);
      }
      this.#finish(entry, 'sent', null);
    } catch (error) {
      // Deleted meanwhile.
      if (!this.#context.outbox.has(entry.id)) return;
      log('warn', 'engine.not_sent', { code: describe(error).code, ms: ms() });
      if (isTransient(error)) {
        const until = this.#context.now() + waitAfter(error, entry.attempts + 1);
        this.#context.outbox.postpone(entry.id, this.#unlessRetried(retries, until));
        return;
      }
      if (isWithheld(error)) {
        if (this.#mayWait(entry, 'keys')) return this.#wait(entry, error.data, retries);
        return this.#finish(entry, 'failed', waitedTooLong(error).data);
      }
      this.#finish(entry, 'failed', toFailure(error).data);
    }
  }

  /** @returns recipients of whom a device has no copy */
  async #send(outgoing: StoredOutgoing, partner: StoredConversation['partner']): Promise<Undelivered[]> {
    if (partner.kind === 'direct') {
      const asRequest = !this.#context.timelines.hasReceived(outgoing.conversationId, 'signed');
      return sendDirect(this.#sending, outgoing, partner.peer.address, { asRequest, automated: false });
    }
    const { groups } = this.#parts;
    const group = this.#context.groups.get(partner.groupId);
    if (!group) throw new Failure('group_left');
    return sendToGroup({ ...this.#sending, groups }, outgoing, group.groupId, { automated: false });
  }

  /**
   * Reports whether to try again: for a day while the relay does not show a device, and for the relay's retention
   * while a queue is full, because the queue is empty after that.
   */
  #mayWait(entry: OutboxEntry, condition: 'keys' | 'room'): boolean {
    const { identity, now } = this.#context;
    const most = condition === 'keys' ? MAX_WAIT : retentionOf(identity.retention());
    return now() - entry.queuedAt < most;
  }

  /**
   * Time of the next attempt. Immediately if a retry was requested during the attempt, which may have been
   * too early for it.
   */
  #unlessRetried(before: number, until: number): number {
    return this.#retries === before ? until : this.#context.now();
  }

  /** Stores the reason of the wait on the message. Later ones of the conversation wait behind it. */
  #wait(entry: OutboxEntry, problem: FailureData, retries: number): void {
    const { messages, outbox, now, random, transaction, emit } = this.#context;
    transaction(() => {
      if (entry.messageId !== null) messages.setState(entry.messageId, 'queued', problem);
      const until = now() + slowRetryDelay(entry.waits + 1, random());
      outbox.wait(entry.id, this.#unlessRetried(retries, Math.min(until, entry.queuedAt + MAX_WAIT)));
    });
    emit('messages.changed', { conversationId: String(entry.conversationId) });
  }

  /** Marks the message as sent to all devices that can get it now. The others get it later. */
  #setPending(entry: OutboxEntry, recipients: readonly string[], retries: number): void {
    const { outbox, now, random, transaction } = this.#context;
    // All entries with pending recipients of a conversation share one retry time.
    const others = entry.pendingRecipients === null ? outbox.pendingSchedule(entry.conversationId) : null;
    const waits = others?.waits ?? entry.waits + 1;
    const until = this.#unlessRetried(retries, others?.until ?? now() + slowRetryDelay(waits, random()));
    transaction(() => {
      if (!outbox.has(entry.id)) return;
      if (entry.messageId !== null) this.#setSent(entry.conversationId, entry.messageId);
      outbox.setPending(entry, recipients, { waits, until }, MAX_PENDING);
    });
    this.#changed(entry);
  }

  /** Removes a control that a later one has replaced before it was sent. */
  #withdraw({ id, controlId }: OutboxEntry): void {
    const { outbox, sentControls, transaction } = this.#context;
    transaction(() => {
      outbox.remove(id);
      if (controlId !== null) sentControls.remove(controlId);
    });
    this.#connection.queueChanged();
  }

  #finish(entry: OutboxEntry, state: 'sent' | 'failed', problem: FailureData | null): void {
    const { conversations, messages, outbox, transaction } = this.#context;
    transaction(() => {
      if (!outbox.has(entry.id)) return;
      if (entry.messageId !== null && state === 'sent') this.#setSent(entry.conversationId, entry.messageId);
      else if (entry.messageId !== null) {
        messages.setState(entry.messageId, state, problem);
        conversations.addFailure(entry.conversationId);
      } else if (problem) undoControl(this.#context, entry, problem);
      outbox.remove(entry.id);
    });
    this.#changed(entry);
  }

  /** Marks a message as sent and starts its lifetime, in the caller's transaction. */
  #setSent(conversationId: number, messageId: number): void {
    const { conversations, lifetimes, messages, now } = this.#context;
    messages.setState(messageId, 'sent', null);
    const message = messages.get(messageId);
    // A message from before the link was opened has no token.
    const token = message && extrasOf(message.body).token;
    if (token) conversations.removeInviteToken(conversationId, token);
    if (message?.lifetime) lifetimes.begin(messageId, decodeTime(message.body.sentAt), now());
  }

  #changed(entry: OutboxEntry): void {
    this.#context.emit('messages.changed', { conversationId: String(entry.conversationId) });
    this.#context.emit('conversations.changed', { ids: [String(entry.conversationId)] });
    this.#connection.queueChanged();
  }
}

/**
 * Upload of the picture of a group: done, still running, or failed. Others could not download it before. Of a replaced
 * picture there is no file here.
 */
function pictureUpload(
  { faces, files }: Context,
  { id, kind, groupId, set }: MessageBody,
): ReturnType<Files['uploadsOf']> | 'replaced' {
  if (kind !== 'picture' || typeof groupId !== 'string') return 'done';
  const face = faces.get(groupId);
  // A repeated one has the version of the picture.
  const version = set === undefined ? id : MessageId.safeParse(set).data?.id;
  if (!face || face.id !== version) return 'replaced';
  const file = face.fileId === null ? null : files.get(face.fileId);
  if (file?.task === 'upload') return 'running';
  return (file?.isHere && file.problem) || 'done';
}

function waitedTooLong(error: Failure<'keys_withheld' | 'own_keys_withheld'>): Failure {
  return failedWith(error, 'keys_withheld')
    ? new Failure('keys_withheld_long', { who: error.parameters.who })
    : new Failure('own_keys_withheld_long');
}
