/**
 * Reads envelopes into messages (src/messaging/receiving). Accepted ones are stored, refused ones are
 * recorded. Both are acknowledged when they are durable.
 */

import { setImmediate } from 'node:timers/promises';
import { UnverifiableError } from '../../base/failure.ts';
import type { Registration } from '../../client/identity/registration.ts';
import { isMessage } from '../../messaging/contents/all-kinds.ts';
import type { Gaps } from '../../messaging/gaps/gaps.ts';
import type { DeviceIn } from '../../messaging/gaps/memory.ts';
import type { Greetings } from '../../messaging/greeting/greetings.ts';
import { PENDING_FOR } from '../../messaging/groups/directory.ts';
import type { Receipts } from '../../messaging/receipts/receipts.ts';
import { Inbox } from '../../messaging/receiving/inbox.ts';
import { provenanceOf, type Received } from '../../messaging/receiving/received.ts';
import { RefusedEnvelope } from '../../messaging/receiving/refused-envelope.ts';
import type { Verdict } from '../../messaging/receiving/verdict.ts';
import { RelayRefusal, RelayUnreachable } from '../../messaging/relay.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { GroupAuthorship } from '../../protocol/roster/messages.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { AppGroups } from '../app-groups.ts';
import { isCacheFault } from '../cache/database.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Refused } from '../cache/quarantine.ts';
import type { Context } from '../context.ts';
import { conversationNamed } from '../conversation-names.ts';
import type { Directory } from '../directory.ts';
import type { DeliveryParts } from '../sending/delivery-parts.ts';
import { ContentReceiver } from './content-receiver.ts';
import type { ReceiveOutcome } from './outcome.ts';

/** The result of writing an accepted content. */
type Applied =
  | Exclude<Verdict<StoredGroup>, { kind: 'accepted' | 'pending' }>
  | { kind: 'received'; outcome: ReceiveOutcome };

interface Written {
  /** Ids of the envelopes that need not come again. */
  done: string[];
  outcomes: ReceiveOutcome[];
  /** Ids of conversations that were removed. */
  gone: number[];
}

/** Envelopes of a long page that are stored together: about 15 ms of the engine's thread. */
const SLICE = 64;

interface Judged {
  envelope: InboxEnvelope;
  verdict: Verdict<StoredGroup>;
}

export interface PageOutcome {
  /** Ids that are durable here and may be acknowledged. */
  done: string[];
  /** Number of new, shown messages. */
  fresh: number;
  /** Number of envelopes that have to come again. */
  deferred: number;
}

export class InboxReader {
  readonly #context: Context;
  readonly #own: string;
  readonly #directory: Directory;
  readonly #contents: ContentReceiver;
  readonly #inbox: Inbox<StoredGroup>;
  readonly #groups: AppGroups;
  readonly #gaps: Gaps;
  readonly #receipts: Receipts;
  readonly #onReceipt: (address: string) => void;
  /** Groups whose chain has new entries since their waiting messages were judged. */
  readonly #changed = new Set<number>();

  /** @param onReceipt called with the address of someone whose device reports newly delivered or read messages */
  constructor(
    parts: DeliveryParts,
    greetings: Greetings,
    registration: Registration,
    gaps: Gaps,
    receipts: Receipts,
    onReceipt: (address: string) => void,
  ) {
    const { context, account, directory, groups } = parts;
    const { contents, identity, now, pool } = context;
    this.#context = context;
    this.#own = account.address;
    this.#directory = directory;
    this.#groups = groups;
    this.#gaps = gaps;
    this.#receipts = receipts;
    this.#onReceipt = onReceipt;
    this.#contents = new ContentReceiver(context, account.address);
    this.#inbox = new Inbox({
      address: account.address,
      sealKeys: () => identity.sealKeys().map(({ statement, secret }) => ({ key: statement.key, secret })),
      open: (jobs) => pool.open(jobs),
      directory: directory.keys,
      groups,
      contents,
      retention: () => identity.retention(),
      now,
      lastEnd: () => identity.lastEnd(),
      wasRequested: (message) => gaps.wasRequested(message),
      ownSequence: () => identity.newestList()?.sequence ?? 0,
      onNewerOwnList: () => registration.recheck(),
      onBehind: (sender, sequence, group) => greetings.isBehind(sender, sequence, group),
    });
  }

  /**
   * Judges again the contents that an earlier version did not understand, and messages that waited when the
   * app closed.
   */
  judgeAgain(): void {
    this.#contents.judgeAgain((received) => this.#gaps.released(received));
    for (const { id } of this.#context.groups.joined()) this.groupChanged(id);
    this.#release();
  }

  /** Marks a group's chain as changed, so that its waiting messages are judged again. */
  groupChanged(id: number): void {
    this.#changed.add(id);
  }

  /** Releases waiting messages whose entry is known now, or whose wait is over. */
  #release(): void {
    const { groups, now, transaction } = this.#context;
    const overdue = new Set(groups.withOverdue(now() - PENDING_FOR));
    const changed = new Set([...this.#changed, ...overdue]);
    this.#changed.clear();
    const received = transaction(() => [...changed].flatMap((id) => this.#releaseOf(id, !overdue.has(id))));
    this.#contents.notify(received, []);
  }

  #releaseOf(id: number, mayWait: boolean): ReceiveOutcome[] {
    const { groups } = this.#context;
    const group = groups.get(id);
    if (!group) return [];
    return groups.pending(id).flatMap((pending) => {
      const { id: pendingId, body, bot: signer, proof, isRequested, receivedAt } = pending;
      const { sender, roster } = body;
      const authorship: GroupAuthorship =
        signer && 'key' in signer
          ? { by: 'bot', isOf: (key) => key === signer.key }
          : { by: proof === 'token' ? 'token' : 'member' };
      const message = {
        sender,
        authorship,
        roster,
        sentAt: decodeTime(body.sentAt),
        receivedAt,
        isRequested,
      };
      const verdict = this.#groups.judgePending(group, message, mayWait);
      if (verdict.is === 'pending') return [];
      groups.release(pendingId);
      this.#gaps.released({ ...pending, channel: 'group' });
      if (verdict.is === 'refused') return [];
      const { unaware, isBeyond, manages } = verdict;
      const bot = proof === 'token' ? signer : verdict.bot;
      const origin = { ...provenanceOf(pending), proof, channel: 'group' as const, body, group };
      const received = this.#contents.judge({ ...origin, notes: { unaware, isBeyond }, bot, manages });
      if (!received) return [];
      const outcome = this.#contents.receive(received);
      this.#planReceipts([outcome]);
      return [outcome];
    });
  }

  /**
   * Opens, judges and stores a page of the inbox. A long one is stored in slices, between which the engine answers calls. Only the
   * last commit waits for the disk: until then nothing is acknowledged.
   */
  async receive(envelopes: InboxEnvelope[]): Promise<PageOutcome> {
    const { moveLog, sync, withoutSync } = this.#context;
    const isLong = envelopes.length > SLICE;
    const outcome: PageOutcome = { done: [], fresh: 0, deferred: 0 };
    let slice: Judged[] = [];
    const store = async () => {
      // Pages of the slice before, in a slice of their own.
      if (moveLog()) await setImmediate();
      const stored = isLong ? withoutSync(() => this.#store(slice)) : this.#store(slice);
      outcome.done.push(...stored.done);
      outcome.fresh += stored.fresh;
      outcome.deferred += stored.deferred;
      slice = [];
    };
    for await (const { envelope, verdict } of this.#inbox.judge(envelopes)) {
      const problem = verdict.kind === 'accepted' ? await this.#findPartner(verdict.received) : null;
      slice.push({ envelope, verdict: problem ? { kind: 'later', error: problem } : verdict });
      if (slice.length < SLICE || !isLong) continue;
      await store();
      await setImmediate();
    }
    if (slice.length > 0) await store();
    if (isLong) sync();
    this.#release();
    return outcome;
  }

  /**
   * Reads the profile of a partner who has only messages from another own device, for their name.
   * @returns the failure of a call that has to be repeated; null without one
   */
  async #findPartner(received: Received<StoredGroup>): Promise<RelayUnreachable | RelayRefusal | null> {
    if (received.channel !== 'direct' || !isMessage(received.judged)) return null;
    const { peer } = received.body;
    if (peer === this.#own || this.#context.contacts.find(peer) !== null) return null;
    try {
      await this.#directory.contact(peer);
    } catch (error) {
      if (error instanceof RelayUnreachable || error instanceof RelayRefusal) return error;
      if (!(error instanceof UnverifiableError)) throw error;
    }
    return null;
  }

  #store(judged: readonly Judged[]): PageOutcome {
    const { done, outcomes, gone } = this.#write(judged);
    this.#contents.notify(outcomes, gone);
    const fresh = outcomes.filter(({ stored }) => stored !== null).length;
    return { done, fresh, deferred: judged.length - done.length };
  }

  /** A fault of this program in one content undoes all; then each is written in a nested transaction, to keep the others. */
  #write(judged: readonly Judged[]): Written {
    const { transaction } = this.#context;
    try {
      return transaction(() => {
        const written = this.#writeAll(judged, (_, work) => work());
        this.#planReceipts(written.outcomes);
        return written;
      });
    } catch (error) {
      if (isCacheFault(error)) throw error;
    }
    return transaction(() =>
      this.#writeAll(judged, (id, work) => {
        try {
          return transaction(() => {
            const applied = work();
            if (applied.kind === 'received') this.#planReceipts([applied.outcome]);
            return applied;
          });
        } catch (error) {
          if (isCacheFault(error)) throw error;
          return this.#inbox.fault(id, error);
        }
      }),
    );
  }

  /** @param attempt writes the content of the envelope with an id */
  #writeAll(judged: readonly Judged[], attempt: (id: string, work: () => Applied) => Applied): Written {
    const { quarantine, strangers, now } = this.#context;
    const done: string[] = [];
    const refused: Refused[] = [];
    const outcomes: ReceiveOutcome[] = [];
    for (const { envelope, verdict } of judged) {
      const outcome =
        verdict.kind === 'accepted' ? attempt(envelope.id, () => this.#receive(verdict.received)) : verdict;
      if (outcome.kind === 'later') continue;
      if (outcome.kind === 'pending') {
        const { pending } = outcome;
        this.#context.groups.addPending(pending.group.id, pending);
        this.#gaps.received({ ...pending, channel: 'group' });
        done.push(envelope.id);
        continue;
      }
      const { id: envelopeId, from: sender, ciphertext } = envelope;
      done.push(envelopeId);
      if (outcome.kind === 'received') outcomes.push(outcome.outcome);
      else refused.push({ envelopeId, sender, size: ciphertext.length, why: outcome.error.data });
    }
    if (refused.length > 0) quarantine.add(refused, now());
    return { done, outcomes, gone: strangers.prune() };
  }

  /** Plans receipts for those contents that are shown, in the caller's transaction. */
  #planReceipts(outcomes: readonly ReceiveOutcome[]): void {
    this.#receipts.came(outcomes.filter(({ stored }) => stored !== null).map(({ received }) => received));
  }

  /** Applies one content, in the caller's transaction. */
  #receive(received: Received<StoredGroup>): Applied {
    const problem = this.#contents.findRefusal(received);
    if (problem !== null) return { kind: 'refused', error: new RefusedEnvelope(problem) };
    const outcome = this.#contents.receive(received, this.#gaps.wasMissing(received));
    // After it: a first message creates the chat in which its sender's numbers are tracked.
    this.#gaps.received(received);
    if (outcome.stored?.hasAccepted) this.#receipts.accepted(this.#devicesIn(outcome.stored.conversationId));
    const named = received.proof === 'signed' ? this.#receipts.handle(received) : null;
    if (named !== null) this.#onReceipt(received.body.sender);
    const chat = named === null ? null : conversationNamed(this.#context, named);
    return { kind: 'received', outcome: { ...outcome, changed: outcome.changed ?? chat?.id ?? null } };
  }

  /** Devices of the partner whose messages are counted in a conversation. */
  #devicesIn(conversationId: number): DeviceIn[] {
    const { conversations, gaps } = this.#context;
    const conversation = conversations.get(conversationId);
    return conversation ? gaps.devicesIn(conversation.name) : [];
  }
}
