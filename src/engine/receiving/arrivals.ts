/**
 * What a judged content does on this device: a message makes a bubble, a control does not, and what is not understood
 * is kept for a later version. Only what an own device has signed speaks for the person: what a program sent with
 * an API key of theirs shows itself, and accepts nobody. How a message is stored is store-arrival.ts; what a kind of
 * content does to others is with the kind, in src/messaging/contents.
 */
import { describe } from '../../base/error-facts.ts';
import { logUnexpected } from '../../base/log.ts';
import type { Trust } from '../../bridge/shapes.ts';
import { isMessage, type Judged } from '../../messaging/contents/all-kinds.ts';
import type { Applied } from '../../messaging/contents/kind.ts';
import { findUnsignedProblem, type SenderProof } from '../../messaging/contents/rights.ts';
import type { MessageBot, Provenance, RosterNotes } from '../../messaging/receiving/arrival.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { isCacheFault } from '../cache/database.ts';
import type { StoredGroup } from '../cache/groups.ts';
import type { PendingControl } from '../cache/pending-controls.ts';
import type { UnknownContent } from '../cache/unknown-contents.ts';
import { applyControl, applyPending } from '../content-store.ts';
import type { Context } from '../context.ts';
import { takeTimer } from '../timers.ts';
import { gistOf, toldBot, toPerson } from '../views/conversations.ts';
import { type Arrival, botOf, managesIn, provenanceOf, type TakenArrival, trustIn } from './arrival.ts';
import { lifetimeOf, storeArrival } from './store-arrival.ts';

/** How the sender of a stored content was known when it came. */
function proofOf(trust: Trust): SenderProof {
  return trust === 'self' || trust === 'verified' ? 'signed' : trust;
}

/** A control as it is kept while it waits. */
function pendingOf(arrival: Arrival): PendingControl {
  const { channel, body, trust, receivedAt, askedFor } = arrival;
  return { channel, body, trust, bot: botOf(arrival), manages: managesIn(arrival), receivedAt, askedFor };
}

export class Arrivals {
  readonly #context: Context;
  /** The person's address. */
  readonly #own: string;

  constructor(context: Context, own: string) {
    this.#context = context;
    this.#own = own;
  }

  /** Why it does not count now; null if it does. */
  findProblem({ channel, trust, body }: Arrival): 'said_enough' | null {
    if (channel === 'group' || trust === 'self') return null;
    const partner = body.sender === this.#own ? body.peer : body.sender;
    return this.#context.strangers.hasRoom(partner, body) ? null : 'said_enough';
  }

  /** Takes what came, in the caller's transaction. */
  take(arrival: Arrival): TakenArrival {
    const { seen, strangers, now } = this.#context;
    const { sender, id } = arrival.body;
    const isSigned = proofOf(arrival.trust) === 'signed';
    const uid = decodeBase64Url(id);
    if (seen.has(sender, uid, isSigned))
      return { arrival, isNew: false, stored: null, changed: null, hasErased: false };
    const { isKept, ...outcome } = this.#apply(arrival);
    const conversation = this.#conversationOf(arrival);
    if (isKept) {
      const isStranger = arrival.trust !== 'self' && conversation?.state !== 'accepted';
      seen.add(sender, uid, { isSigned, isStranger }, now());
      if (conversation) strangers.draw(conversation.id, arrival.body);
    }
    return { arrival, isNew: true, ...outcome };
  }

  /** Judges again what an earlier version did not understand. */
  judgeAgain(): void {
    const { contents, unknowns, transaction } = this.#context;
    const taken = transaction(() =>
      unknowns.judgedWithout(contents.names).flatMap(({ id, ...kept }): TakenArrival[] => {
        const judged = contents.judge(kept.channel, kept.body);
        if (judged.as === 'unknown') {
          unknowns.setKinds(id, contents.names);
          return [];
        }
        unknowns.remove(id);
        const arrival = this.#arrivalOf(kept, judged);
        return arrival ? this.#takeKept(arrival) : [];
      }),
    );
    this.tell(taken, []);
  }

  /** A message that was held until now; null if its sender may not send it. */
  ofHeld(
    {
      body,
      proof,
      bot,
      ...held
    }: Provenance & { body: GroupBody; proof: SenderProof; bot: MessageBot | null },
    group: StoredGroup,
    { bot: named, manages, unaware, isBeyond }: RosterNotes & { bot: MessageBot | null; manages: boolean },
  ): Arrival | null {
    if (findUnsignedProblem({ proof, channel: 'group' }, body) !== null) return null;
    const judged = this.#context.contents.judge('group', body);
    const trust = trustIn(proof, body.sender === this.#own);
    const writer = proof === 'token' ? bot : named;
    const notes = { unaware, isBeyond };
    return {
      ...provenanceOf(held),
      channel: 'group',
      body,
      trust,
      judged,
      group,
      notes,
      bot: writer,
      manages,
    };
  }

  /** A fault of ours at one content undoes nothing but itself: it must not keep the app from starting. */
  #takeKept(arrival: Arrival): TakenArrival[] {
    try {
      const { isKept: _, ...outcome } = this.#context.transaction(() => this.#apply(arrival));
      return [{ arrival, isNew: true, ...outcome }];
    } catch (error) {
      if (isCacheFault(error)) throw error;
      logUnexpected(describe(error));
      return [];
    }
  }

  /** Null if its sender may not send it, or its group is not known any more. */
  #arrivalOf(kept: UnknownContent, judged: Judged): Arrival | null {
    const { channel, body, trust, bot, manages } = kept;
    const provenance = provenanceOf(kept);
    const group =
      'groupId' in body && channel === 'group' ? this.#context.groups.find(String(body.groupId)) : null;
    if (channel === 'group' && !group) return null;
    if (findUnsignedProblem({ proof: proofOf(trust), channel }, body) !== null) return null;
    return group
      ? {
          ...provenance,
          channel: 'group',
          body: body as GroupBody,
          trust,
          judged,
          group,
          notes: null,
          bot,
          manages,
        }
      : { ...provenance, channel: 'direct', body: body as DirectBody, trust, judged };
  }

  /** What becomes of it, and whether anything of it is kept. */
  #apply(arrival: Arrival): Omit<TakenArrival, 'arrival' | 'isNew'> & { isKept: boolean } {
    const { judged } = arrival;
    let hasErased = false;
    const onErased = () => {
      hasErased = true;
    };
    if (isMessage(judged)) {
      if (this.#hasEnded(arrival)) return this.#forget(arrival);
      const stored = storeArrival(this.#context, this.#own, arrival);
      if (stored) this.#applyPending(stored.conversationId, arrival, onErased);
      const told = stored && { ...stored, notify: stored.notify && !hasErased };
      return { stored: told, changed: null, hasErased, isKept: stored !== null };
    }
    if (judged.as === 'unknown') {
      return { stored: null, changed: null, hasErased, isKept: this.#keep(arrival) };
    }
    if (this.#isOwnShare(arrival)) {
      this.#context.own.take(arrival.body, arrival.deviceId ?? '');
      return { stored: null, changed: null, hasErased, isKept: true };
    }
    const conversation = this.#conversationOf(arrival);
    const outcome = this.#takeControl(arrival, conversation, onErased);
    const changed = outcome === 'changed' ? (conversation?.id ?? null) : null;
    // It is judged once, whatever came of it: its sender's rights may be others when it comes again.
    return { stored: null, changed, hasErased, isKept: judged.apply !== null };
  }

  /** Whether its time was over before it came. */
  #hasEnded(arrival: Arrival): boolean {
    const now = this.#context.now();
    const ends = lifetimeOf(arrival, this.#own, now)?.endsAt ?? null;
    return ends !== null && ends <= now;
  }

  /** It leaves nothing here, nor does what came before it about it. */
  #forget(arrival: Arrival): Omit<TakenArrival, 'arrival' | 'isNew'> & { isKept: boolean } {
    const conversation = this.#conversationOf(arrival);
    const { sender, id } = arrival.body;
    const waited = conversation ? this.#context.pending.take(conversation.id, sender, id) : [];
    const isKept = conversation?.state === 'accepted';
    return { stored: null, changed: null, hasErased: waited.length > 0, isKept };
  }

  /** What an own device shares with the others: signed, and from the person to themselves. */
  #isOwnShare(arrival: Arrival): arrival is Extract<Arrival, { channel: 'direct' }> {
    const { channel, judged, trust, body } = arrival;
    return (
      judged.as === 'control' &&
      channel === 'direct' &&
      trust === 'self' &&
      body.sender === this.#own &&
      (body as DirectBody).peer === this.#own &&
      body.kind.startsWith('own.')
    );
  }

  /** A control makes no bubble and opens no conversation. */
  #takeControl(arrival: Arrival, conversation: StoredConversation | null, onErased: () => void): Applied {
    if (!conversation) return this.#takeAlone(arrival);
    if (conversation.state === 'blocked') return 'nothing';
    return applyControl(this.#context, conversation, this.#own, pendingOf(arrival), onErased);
  }

  /** What counts without a chat: a timer, for when it begins again. */
  #takeAlone({ body, judged, trust, channel }: Arrival): Applied {
    if (judged.as !== 'control' || channel !== 'direct' || proofOf(trust) !== 'signed') return 'nothing';
    return takeTimer(this.#context, body as DirectBody, this.#own) ? 'changed' : 'nothing';
  }

  /** What came before the message that it is about counts now. */
  #applyPending(conversationId: number, { body }: Arrival, onErased: () => void): void {
    const conversation = this.#context.conversations.get(conversationId);
    if (conversation) applyPending(this.#context, conversation, this.#own, body, onErased);
  }

  /** Keeps what is not understood, if its sender is accepted. It is seen nowhere, and opens no conversation. */
  #keep(arrival: Arrival): boolean {
    const { channel, body, trust } = arrival;
    const conversation = this.#conversationOf(arrival);
    if (trust !== 'self' && conversation?.state !== 'accepted') return false;
    const { contents, unknowns } = this.#context;
    const content = {
      ...provenanceOf(arrival),
      channel,
      body,
      trust,
      bot: botOf(arrival),
      manages: managesIn(arrival),
    };
    unknowns.add(content, conversation?.id ?? null, contents.names);
    return true;
  }

  /** The conversation in which the sender writes, if there is one; that with the sender, if they are blocked. */
  #conversationOf(arrival: Arrival): StoredConversation | null {
    const { conversations } = this.#context;
    const { sender } = arrival.body;
    const between = (address: string) => {
      const contact = this.#context.contacts.find(address);
      return contact && conversations.findByContact(contact.id);
    };
    if (arrival.channel === 'direct') return between(sender === this.#own ? arrival.body.peer : sender);
    const direct = between(sender);
    return direct?.state === 'blocked' ? direct : conversations.findByGroup(arrival.group.id);
  }

  /**
   * Tells of what was taken, after the transaction.
   * @param gone ids of conversations that were removed meanwhile
   */
  tell(taken: readonly TakenArrival[], gone: readonly number[]): void {
    const { emit, contacts } = this.#context;
    const stored = taken.flatMap(({ arrival, stored: message }) => (message ? [{ arrival, message }] : []));
    const changed = taken.flatMap((each) => each.changed ?? []);
    const touched = new Set(
      [...stored.map(({ message }) => message.conversationId), ...changed, ...gone].map(String),
    );
    if (taken.some(({ hasErased }) => hasErased)) this.#context.eraseTraces();
    for (const conversationId of touched) emit('messages.changed', { conversationId });
    if (touched.size > 0) emit('conversations.changed', { ids: [...touched] });
    this.#context.own.tell();
    for (const { arrival, message } of stored) {
      if (!message.notify || (arrival.judged.as === 'message' && !arrival.judged.notifies)) continue;
      emit('message.arrived', {
        conversationId: String(message.conversationId),
        messageId: String(message.messageId),
        from: toPerson(contacts.profile(arrival.body.sender)),
        bot: toldBot(botOf(arrival), arrival.trust),
        group: message.group,
        gist: gistOf(arrival.judged),
        request: message.request,
        mentionsMe: message.mentionsMe,
        muted: message.muted,
      });
    }
  }
}
