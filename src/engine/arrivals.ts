/**
 * What a judged content does on this device: a message makes a bubble, a control does not, and what is not understood
 * is kept for a later version. Only what an own device has signed speaks for the person: what a program sent with
 * an API key of theirs shows itself, and accepts nobody.
 */
import { describe } from '../base/error-facts.ts';
import { logUnexpected } from '../base/log.ts';
import type { Trust } from '../bridge/shapes.ts';
import { isMessage, type Judged } from '../messaging/contents/all-kinds.ts';
import type { Mention } from '../messaging/contents/fields.ts';
import type { Applied } from '../messaging/contents/kind.ts';
import { mentionsIn } from '../messaging/contents/mentions.ts';
import { findUnsignedProblem, type SenderProof } from '../messaging/contents/rights.ts';
import { writtenAtOf } from '../messaging/contents/written.ts';
import type { Provenance, RosterNotes } from '../messaging/receiving/arrival.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import type { DirectBody, GroupBody } from '../protocol/payload.ts';
import type { RosterBot } from '../protocol/roster/forms.ts';
import { isMuted, type StoredConversation } from './cache/conversations.ts';
import { isCacheFault } from './cache/database.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { StoredLifetime } from './cache/message-rows.ts';
import type { PendingControl } from './cache/pending-controls.ts';
import type { UnknownContent } from './cache/unknown-contents.ts';
import { applyControl, applyPending } from './content-store.ts';
import type { Context } from './context.ts';
import { findLatePlace } from './late-place.ts';
import { lifetimeIn, takeTimer } from './timers.ts';
import { gistOf, groupName, toldBot, toPerson } from './views.ts';

/** A content whose sender is proven and may send it. `isLate`: its sender's later ones came before it. */
export type Arrival = Provenance & { trust: Trust; judged: Judged; isLate?: boolean } & (
    | { channel: 'direct'; body: DirectBody }
    /** `bot`: the one that signed it; null where none did. */
    | {
        channel: 'group';
        body: GroupBody;
        group: StoredGroup;
        notes: RosterNotes | null;
        bot: RosterBot | null;
      }
  );

/** A message that was stored. */
interface Stored {
  conversationId: number;
  messageId: number;
  request: boolean;
  /** Name of the group. */
  group: string | null;
  /** Whether someone else wrote it, where the person wants to hear of it, if it mentions them at least. */
  notify: boolean;
  mentionsMe: boolean;
  muted: boolean;
}

/** What became of a content. */
export interface TakenArrival {
  arrival: Arrival;
  /** False if it came before: then nothing happened. */
  isNew: boolean;
  /** Null if it is no message, or is not shown. */
  stored: Stored | null;
  /** The conversation in which it changed something that was there; null if it changed nothing. */
  changed: number | null;
  /** Whether words were erased from the disk. */
  hasErased: boolean;
}

/** How a content came, and nothing else. */
export function provenanceOf({ deviceId, digest, receivedAt, askedFor, suite }: Provenance): Provenance {
  return { deviceId, digest, receivedAt, askedFor, suite };
}

/** How the sender of a stored content was known when it came. */
function proofOf(trust: Trust): SenderProof {
  return trust === 'self' || trust === 'verified' ? 'signed' : trust;
}

/** The bot that signed a content; null where none did. */
function botOf(arrival: Arrival): RosterBot | null {
  return arrival.channel === 'group' ? arrival.bot : null;
}

/** A control as it is kept while it waits. */
function pendingOf(arrival: Arrival): PendingControl {
  const { channel, body, trust, receivedAt, askedFor } = arrival;
  return { channel, body, trust, bot: botOf(arrival), receivedAt, askedFor };
}

/** How a proven sender is shown. @param isOwn whether it is the person's address */
export function trustIn(proof: SenderProof, isOwn: boolean): Trust {
  if (proof !== 'signed') return proof;
  return isOwn ? 'self' : 'verified';
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
  findProblem({ channel, judged, body }: Arrival): 'said_enough' | null {
    if (channel === 'group' || !isMessage(judged)) return null;
    const partner = body.sender === this.#own ? body.peer : body.sender;
    return this.#context.strangers.hasSaidEnough(partner) ? 'said_enough' : null;
  }

  /** Takes what came, in the caller's transaction. */
  take(arrival: Arrival): TakenArrival {
    const { seen, now } = this.#context;
    const { sender, id } = arrival.body;
    const message = [sender, decodeBase64Url(id), proofOf(arrival.trust) === 'signed'] as const;
    if (seen.has(...message)) return { arrival, isNew: false, stored: null, changed: null, hasErased: false };
    const { isKept, ...outcome } = this.#apply(arrival);
    // What left nothing here may come again and leaves nothing again: a stranger cannot make this device remember it.
    if (isKept) seen.add(...message, now());
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
    { body, proof, ...held }: Provenance & { body: GroupBody; proof: SenderProof },
    group: StoredGroup,
    { bot, ...notes }: RosterNotes & { bot: RosterBot | null },
  ): Arrival | null {
    if (findUnsignedProblem({ proof, channel: 'group' }, body) !== null) return null;
    const judged = this.#context.contents.judge('group', body);
    const trust = trustIn(proof, body.sender === this.#own);
    return { ...provenanceOf(held), channel: 'group', body, trust, judged, group, notes, bot };
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
    const { channel, body, trust, bot } = kept;
    const provenance = provenanceOf(kept);
    const group =
      'groupId' in body && channel === 'group' ? this.#context.groups.find(String(body.groupId)) : null;
    if (channel === 'group' && !group) return null;
    if (findUnsignedProblem({ proof: proofOf(trust), channel }, body) !== null) return null;
    return group
      ? { ...provenance, channel: 'group', body: body as GroupBody, trust, judged, group, notes: null, bot }
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
      const stored =
        arrival.channel === 'group' ? this.#storeGroupMessage(arrival) : this.#storeDirectMessage(arrival);
      if (stored) this.#applyPending(stored.conversationId, arrival, onErased);
      const told = stored && { ...stored, notify: stored.notify && !hasErased };
      return { stored: told, changed: null, hasErased, isKept: stored !== null };
    }
    if (judged.as === 'unknown') {
      return { stored: null, changed: null, hasErased, isKept: this.#keep(arrival) };
    }
    if (this.#isOwnShare(arrival)) {
      this.#context.own.take(arrival.body);
      return { stored: null, changed: null, hasErased, isKept: true };
    }
    const conversation = this.#conversationOf(arrival);
    const outcome = this.#takeControl(arrival, conversation, onErased);
    const changed = outcome === 'changed' ? (conversation?.id ?? null) : null;
    return { stored: null, changed, hasErased, isKept: outcome !== 'nothing' };
  }

  /** Whether its time was over before it came. */
  #hasEnded(arrival: Arrival): boolean {
    const now = this.#context.now();
    const ends = this.#lifetimeOf(arrival, now)?.endsAt ?? null;
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

  #lifetimeOf(arrival: Arrival, now: number): StoredLifetime | null {
    return lifetimeIn(arrival.body, { isOwn: this.#isOwn(arrival), receivedAt: arrival.receivedAt }, now);
  }

  /** What a bot posts in the person's own group is to them what it is to all members: not theirs. */
  #isOwn({ body, trust }: Arrival): boolean {
    return body.sender === this.#own && trust !== 'bot' && trust !== 'token';
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
    const content = { ...provenanceOf(arrival), channel, body, trust, bot: botOf(arrival) };
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

  /** Null for what a blocked person sent. */
  #storeDirectMessage(arrival: Extract<Arrival, { channel: 'direct' }>): Stored | null {
    const { body, trust } = arrival;
    const { contacts, conversations, now } = this.#context;
    const own = body.sender === this.#own;
    const contact = contacts.ensure(own ? body.peer : body.sender, now());
    const accepts = trust === 'self' || (own && body.peer === this.#own);
    const conversation = conversations.ensure(contact.id, accepts ? 'accepted' : 'request', now());
    if (conversation.state === 'blocked' && !own) return null;
    // Written on another own device: a user who writes to a person has accepted them. A program's message has not.
    if (accepts && conversation.state === 'request') conversations.setState(conversation.id, 'accepted');
    return {
      conversationId: conversation.id,
      messageId: this.#insert(conversation.id, arrival, own),
      request: conversation.state === 'request',
      group: null,
      ...this.#mentionIn(arrival, conversation, !own),
    };
  }

  /** Null for what a blocked person sent. */
  #storeGroupMessage(arrival: Extract<Arrival, { channel: 'group' }>): Stored | null {
    const { body, group } = arrival;
    const { contacts, conversations, now } = this.#context;
    const own = this.#isOwn(arrival);
    const contact = contacts.ensure(body.sender, now());
    if (conversations.findByContact(contact.id)?.state === 'blocked' && !own) return null;
    const conversation = conversations.ensureForGroup(group.id, now());
    return {
      conversationId: conversation.id,
      messageId: this.#insert(conversation.id, arrival, own),
      request: false,
      group: groupName(group),
      ...this.#mentionIn(arrival, conversation, !own && group.joined),
    };
  }

  /** What a mention makes of being told. @param isHeard whether it is told where nothing is muted */
  #mentionIn(
    arrival: Arrival,
    conversation: StoredConversation,
    isHeard: boolean,
  ): Pick<Stored, 'notify' | 'mentionsMe' | 'muted'> {
    const mentionsMe = isHeard && this.#mentionsMe(arrival);
    const muted = isMuted(conversation, this.#context.now());
    return { notify: isHeard && (mentionsMe || !muted), mentionsMe, muted };
  }

  /** Whether it mentions the person. The kinds have judged the fields. */
  #mentionsMe({ judged, body }: Arrival): boolean {
    if (judged.as !== 'message' || judged.text === null) return false;
    const mentions = (body.mentions as readonly Mention[] | undefined) ?? [];
    return mentionsIn(judged.text, mentions).some(({ address }) => address === this.#own);
  }

  #insert(conversationId: number, arrival: Arrival, own: boolean): number {
    const { conversations, messages, timelines, now } = this.#context;
    const { body, trust, isLate, deviceId, digest, receivedAt, suite } = arrival;
    const { notes, bot } = arrival.channel === 'group' ? arrival : { notes: null, bot: null };
    const at =
      isLate && findLatePlace(body.sender, decodeTime(body.sentAt), timelines.newestFirst(conversationId));
    const lifetime = this.#lifetimeOf(arrival, now());
    const messageId = messages.insert({
      conversationId,
      sender: body.sender,
      uid: decodeBase64Url(body.id),
      body,
      sentAt: decodeTime(writtenAtOf(body)),
      storedAt: now(),
      state: own ? 'sent' : 'received',
      trust,
      bot,
      roster: notes && (notes.isBeyond || notes.unaware.length > 0) ? notes : null,
      at: at || null,
      ...{ deviceId, digest, receivedAt, suite },
      mentionsMe: !own && this.#mentionsMe(arrival),
      lifetime,
    });
    if (lifetime) this.#context.lifetimes.tell(lifetime.endsAt);
    conversations.messageAdded(
      conversationId,
      at ? timelines.lastId(conversationId) : messageId,
      !own,
      now(),
    );
    this.#context.own.stored(conversationId, body, messageId);
    return messageId;
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
