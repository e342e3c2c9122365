/**
 * The effect of a received content on this device: a message makes a bubble, a control does not, and an unknown content is
 * kept for a later version. Only the signature of an own device proves the person's intent: a message sent with their API key is
 * shown, but accepts no request. Messages are stored by store-message.ts; the effect of a control is with its kind, in
 * src/messaging/contents.
 */
import { describe } from '../../base/error-facts.ts';
import { logUnexpected } from '../../base/log.ts';
import { isMessage } from '../../messaging/contents/all-kinds.ts';
import type { Applied } from '../../messaging/contents/kind.ts';
import { findUnsignedProblem } from '../../messaging/contents/rights.ts';
import {
  botOf,
  judgeContent,
  managesIn,
  type Proven,
  provenanceOf,
  type Received,
} from '../../messaging/receiving/received.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { ConversationHead } from '../cache/conversations.ts';
import { isCacheFault } from '../cache/database.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { PendingControl } from '../cache/pending-controls.ts';
import type { UnknownContent } from '../cache/unknown-contents.ts';
import { applyControl, applyPending } from '../content-store.ts';
import type { Context } from '../context.ts';
import { receiveHistory } from '../linked-history/receive.ts';
import { storeTimer } from '../timers.ts';
import { botLabel, currentSummary, groupName, namesOf } from '../views/conversations.ts';
import type { Names } from '../views/names.ts';
import { type Namesakes, namesakesOf } from '../views/namesakes.ts';
import { followReaction } from './new-reaction.ts';
import { type ReceiveOutcome, trustOf } from './outcome.ts';
import { hasInvite, lifetimeOf, storeMessage } from './store-message.ts';

/** The change of the cache, and whether anything of the content is kept. */
type Effect = Omit<ReceiveOutcome, 'received' | 'isNew'> & { isKept: boolean };

const groupOf = (received: Received<StoredGroup>) => (received.channel === 'group' ? received.group : null);

/** A control as it is stored until its message arrives. */
function pendingOf(received: Received<StoredGroup>): PendingControl {
  const { channel, body, deviceId, proof, receivedAt, isRequested } = received;
  return {
    channel,
    body,
    proof,
    bot: botOf(received),
    manages: managesIn(received),
    receivedAt,
    isRequested,
    deviceId,
  };
}

export class ContentReceiver {
  readonly #context: Context;
  /** The person's address. */
  readonly #own: string;

  constructor(context: Context, own: string) {
    this.#context = context;
    this.#own = own;
  }

  /** The reason to refuse a content now; null without one. */
  findRefusal(received: Received<StoredGroup>): 'stranger_limit' | null {
    const { channel, body } = received;
    if (channel === 'group' || this.#isOwn(received)) return null;
    if (isMessage(received.judged) && hasInvite(this.#context, this.#own, received)) return null;
    const partner = body.sender === this.#own ? body.peer : body.sender;
    return this.#context.strangers.hasRoom(partner, body) ? null : 'stranger_limit';
  }

  /** Applies a content, in the caller's transaction. @param isLate whether later messages of its sender came before it */
  receive(received: Received<StoredGroup>, isLate = false): ReceiveOutcome {
    const { seen, strangers, now } = this.#context;
    const { sender, id } = received.body;
    const isSigned = received.proof === 'signed';
    const uid = decodeBase64Url(id);
    if (seen.has(sender, uid, isSigned))
      return { received, isNew: false, stored: null, reaction: null, changed: null, hasErased: false };
    const { isKept, ...outcome } = this.#apply(received, isLate);
    const conversation = this.#conversationOf(received);
    if (isKept) {
      const isStranger = !this.#isOwn(received) && conversation?.state !== 'accepted';
      seen.add(sender, uid, { isSigned, isStranger }, now());
      if (conversation) strangers.draw(conversation.id, received.body);
    }
    return { received, isNew: true, ...outcome };
  }

  /** Reports whether a device of the person signed it. */
  #isOwn({ proof, body }: Proven<StoredGroup>): boolean {
    return proof === 'signed' && body.sender === this.#own;
  }

  /**
   * Judges again the contents that an earlier version did not know.
   * @param onReleased called with each, in its transaction
   */
  judgeAgain(onReleased: (received: Received<StoredGroup>) => void): void {
    const { contents, unknowns, transaction } = this.#context;
    const received = transaction(() =>
      unknowns.judgedWithout(contents.names).flatMap(({ id, ...kept }): ReceiveOutcome[] => {
        const judged = contents.judge(kept.channel, kept.body);
        if (judged.as === 'unknown') {
          unknowns.setKinds(id, contents.names);
          return [];
        }
        unknowns.remove(id);
        const proven = this.#provenOf(kept);
        const received = proven && this.judge(proven);
        if (received) onReleased(received);
        return received ? this.#receiveKept(received) : [];
      }),
    );
    this.notify(received, []);
  }

  /** Judges a kept body by the rules of this version; null if its sender may not send it. */
  judge(proven: Proven<StoredGroup>): Received<StoredGroup> | null {
    if (findUnsignedProblem(proven, proven.body) !== null) return null;
    return judgeContent(this.#context.contents, proven);
  }

  /** A fault of this program in one content rolls back only that content, so that the app starts. */
  #receiveKept(received: Received<StoredGroup>): ReceiveOutcome[] {
    try {
      const { isKept: _, ...outcome } = this.#context.transaction(() => this.#apply(received, false));
      return [{ received, isNew: true, ...outcome }];
    } catch (error) {
      if (isCacheFault(error)) throw error;
      logUnexpected(describe(error));
      return [];
    }
  }

  /** A kept content with its group; null if the group is no longer known. */
  #provenOf(kept: UnknownContent): Proven<StoredGroup> | null {
    const { channel, body, proof, bot, manages } = kept;
    const origin = { ...provenanceOf(kept), proof };
    if (channel === 'direct') return { ...origin, channel, body: body as DirectBody };
    const group = this.#context.groups.find((body as GroupBody).groupId);
    return group && { ...origin, channel, body: body as GroupBody, group, notes: null, bot, manages };
  }

  #apply(received: Received<StoredGroup>, isLate: boolean): Effect {
    const { judged } = received;
    let hasErased = false;
    const onErased = () => {
      hasErased = true;
    };
    if (isMessage(judged)) {
      if (this.#hasEnded(received)) return this.#forget(received);
      const stored = storeMessage(this.#context, this.#own, received, isLate);
      if (stored) applyPending(this.#context, stored.conversationId, this.#own, received.body, onErased);
      const shown = stored && { ...stored, notify: stored.notify && !hasErased };
      // A dropped message of a blocked person, too: the relay could deliver it again after the end of the block.
      const isKept = stored !== null || this.#conversationOf(received)?.state === 'blocked';
      return { stored: shown, reaction: null, changed: null, hasErased, isKept };
    }
    if (judged.as === 'unknown') {
      return { stored: null, reaction: null, changed: null, hasErased, isKept: this.#keep(received) };
    }
    if (this.#isOwnShare(received)) {
      const deviceId = received.deviceId ?? '';
      this.#context.own.apply(received.body, deviceId);
      hasErased = receiveHistory(this.#context, received.body, deviceId);
      return { stored: null, reaction: null, changed: null, hasErased, isKept: true };
    }
    const conversation = this.#conversationOf(received);
    const toReaction = followReaction(this.#context, this.#own, received, conversation);
    const outcome = this.#applyControl(received, conversation, onErased);
    const reaction = toReaction(outcome);
    const changed = outcome === 'changed' ? (conversation?.id ?? null) : null;
    // A control counts once, even a refused one: its sender may have other rights when it comes again.
    return { stored: null, reaction, changed, hasErased, isKept: judged.apply !== null };
  }

  /** Reports whether a disappearing message ended before it arrived. */
  #hasEnded(received: Received<StoredGroup>): boolean {
    const now = this.#context.now();
    const ends = lifetimeOf(received, this.#own, now)?.endsAt ?? null;
    return ends !== null && ends <= now;
  }

  /** Deletes a message and the controls that wait for it. */
  #forget(received: Received<StoredGroup>): Effect {
    const conversation = this.#conversationOf(received);
    const { sender, id } = received.body;
    const waited = conversation ? this.#context.pending.remove(conversation.id, sender, id) : [];
    const isKept = conversation?.state === 'accepted';
    return { stored: null, reaction: null, changed: null, hasErased: waited.length > 0, isKept };
  }

  /** Reports whether it shares settings between own devices: signed, and from the person to themselves. */
  #isOwnShare(
    received: Received<StoredGroup>,
  ): received is Extract<Received<StoredGroup>, { channel: 'direct' }> {
    const { channel, judged, body } = received;
    return (
      judged.as === 'control' &&
      channel === 'direct' &&
      this.#isOwn(received) &&
      (body as DirectBody).peer === this.#own &&
      body.kind.startsWith('own.')
    );
  }

  /** A control creates neither a bubble nor a conversation. */
  #applyControl(
    received: Received<StoredGroup>,
    head: ConversationHead | null,
    onErased: () => void,
  ): Applied {
    const conversation = head && this.#context.conversations.get(head.id);
    if (!conversation) return this.#applyWithoutChat(received);
    if (conversation.state === 'blocked') return 'nothing';
    const control = pendingOf(received);
    const outcome = applyControl(this.#context, conversation, this.#own, control, onErased);
    if (control.body.kind === 'profile' && control.body.sender === this.#own)
      this.#context.conversations.setProfileSentElsewhere(conversation.id);
    return outcome;
  }

  /** Applies a control without a chat: only a timer counts, for a later chat. */
  #applyWithoutChat({ body, deviceId, judged, proof, channel }: Received<StoredGroup>): Applied {
    if (judged.as !== 'control' || channel !== 'direct' || proof !== 'signed') return 'nothing';
    return storeTimer(this.#context, body as DirectBody, deviceId, this.#own) ? 'changed' : 'nothing';
  }

  /** Stores an unknown content of an accepted sender. It is not shown, and creates no conversation. */
  #keep(received: Received<StoredGroup>): boolean {
    const { channel, body, proof } = received;
    const conversation = this.#conversationOf(received);
    if (!this.#isOwn(received) && conversation?.state !== 'accepted') return false;
    const { contents, unknowns } = this.#context;
    const content = {
      ...provenanceOf(received),
      channel,
      body,
      proof,
      bot: botOf(received),
      manages: managesIn(received),
    };
    unknowns.add(content, conversation?.id ?? null, contents.names);
    return true;
  }

  /** The conversation of a content: the direct one if its sender is blocked; null without one. */
  #conversationOf(received: Received<StoredGroup>): ConversationHead | null {
    const { conversations } = this.#context;
    const { sender } = received.body;
    if (received.channel === 'group' && conversations.stateWith(sender) !== 'blocked') {
      return conversations.headOfGroup(received.group.id);
    }
    const isToPeer = received.channel === 'direct' && sender === this.#own;
    return conversations.headWith(isToPeer ? received.body.peer : sender);
  }

  /**
   * Emits the events of the outcomes, after the transaction.
   * @param gone ids of conversations that were removed meanwhile
   */
  notify(outcomes: readonly ReceiveOutcome[], gone: readonly number[]): void {
    const { emit } = this.#context;
    const names = namesOf(this.#context);
    const namesakes = namesakesOf(this.#context, names);
    const stored = outcomes.flatMap(({ received, stored: message }) =>
      message ? [{ received, message }] : [],
    );
    const changed = outcomes.flatMap((each) => each.changed ?? []);
    const touched = new Set(
      [...stored.map(({ message }) => message.conversationId), ...changed, ...gone].map(String),
    );
    if (outcomes.some(({ hasErased }) => hasErased)) this.#context.eraseTraces();
    for (const conversationId of touched) emit('messages.changed', { conversationId });
    if (touched.size > 0) emit('conversations.changed', { ids: [...touched] });
    this.#context.own.emitChanges();
    const notifying = stored.filter(
      ({ received: { judged }, message }) => message.notify && (judged.as !== 'message' || judged.notifies),
    );
    const ids = notifying.map(({ message }) => message.messageId);
    const current = new Map(this.#context.messages.getAll(ids).map((each) => [each.id, each]));
    for (const { received, message } of notifying) {
      const { body, channel } = received;
      const now = current.get(message.messageId);
      // An edit or a deletion may have arrived together with its message.
      if (!now || now.deletedBy !== null) continue;
      emit('message.arrived', {
        conversationId: String(message.conversationId),
        messageId: String(message.messageId),
        from: names(body.sender),
        bot: botLabel(botOf(received), trustOf(received, this.#own)),
        group: message.group,
        hasNamesake: namesakes(groupOf(received), body.sender),
        summary: currentSummary(this.#context.contents, channel, { ...now, isDeleted: false }),
        request: message.request,
        mentionsMe: message.mentionsMe,
        muted: message.muted,
      });
    }
    this.#notifyReactions(outcomes, names, namesakes);
  }

  #notifyReactions(outcomes: readonly ReceiveOutcome[], names: Names, namesakes: Namesakes): void {
    const { contents, emit, messages } = this.#context;
    for (const { received, reaction } of outcomes) {
      const message = reaction?.isThere() ? messages.get(reaction.messageId) : null;
      if (!reaction || !message || message.deletedBy !== null) continue;
      emit('reaction.arrived', {
        conversationId: String(reaction.conversationId),
        messageId: String(reaction.messageId),
        from: names(received.body.sender),
        bot: botLabel(botOf(received), trustOf(received, this.#own)),
        group: received.channel === 'group' ? groupName(received.group) : null,
        hasNamesake: namesakes(groupOf(received), received.body.sender),
        emoji: reaction.emoji,
        summary: currentSummary(contents, received.channel, { ...message, isDeleted: false }),
      });
    }
  }
}
