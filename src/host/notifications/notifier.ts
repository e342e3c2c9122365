/**
 * Shows notifications. Messages close in time share one, and the newest of a conversation replaces the one
 * before.
 */

import type { Settings } from '../../bridge/settings.ts';
import type { AddedDevice } from '../../bridge/shapes/device.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import type { Words } from '../../words/format.ts';
import {
  type Arrived,
  mayNotify,
  mayNotifyNow,
  type Phrases,
  type Reacted,
  wordsFor,
  wordsForDevices,
  wordsForMany,
  wordsForManyReactions,
  wordsForReaction,
} from './decision.ts';
import type { Outcomes, Screen } from './screen.ts';

/** Messages within this time share a notification, in milliseconds. */
const GATHER = 300;
/** With more conversations at once, only their number is shown. */
const MAX_AT_ONCE = 3;
/** In place of a conversation's id. */
const MANY = 'many';
/** Key of the notification of added devices. */
const DEVICES = 'devices';
/** The same for reactions. */
const MANY_REACTIONS = 'many-reactions';
/** Prefix of a conversation's id: a failed reply stays shown until the person has seen it. */
const REPLY = 'reply:';
/** With more messages in one notification, which shows only their number, deletions are not tracked. */
const MAX_WATCHED = 10;
/** Replaced messages of a notification that are shown again if the newer ones are deleted. */
const MAX_EARLIER = 5;

export interface NotifierParts {
  words: Words;
  screen: Screen;
  settings: () => Settings;
  /** True if a conversation is in front of the person. */
  isAttended: (conversationId: string) => boolean;
  /** Shows a conversation, or only the window. */
  open: (conversationId: string | null) => void;
  /**
   * Sends a reply, which marks the messages up to one as read. Resolves with a sentence if it could not be queued.
   * @param messageId the newest one of the notification: later ones were not seen
   */
  reply: (conversationId: string, text: string, messageId: string) => Promise<string | null>;
  markRead: (conversationId: string, messageId: string) => void;
  messageNow: (conversationId: string, messageId: string) => Promise<MessageNow>;
}

/** The current text and reactions of a message; `unknown` if it cannot be read now. */
export type MessageNow = CurrentMessage | 'deleted' | 'unknown';

type CurrentMessage = Pick<Message, 'kind' | 'fields' | 'text' | 'reactions' | 'moreReactions'>;

/** A shown notification with its messages. */
interface ShownNotification {
  /** Notifications not deleted since. */
  messageIds: Set<string>;
  /** By conversation, those not removed since; null for messages. An unread count does not contain reactions. */
  reactions: Map<string, Reacted> | null;
  /** Its messages, of one or many conversations; empty for other notifications. */
  arrived: readonly Arrived[];
  /** Messages whose notification it replaced, not deleted or read since, oldest first. */
  earlier: readonly Arrived[];
  /** Its conversations that are not read since. */
  conversationIds: Set<string>;
  close: () => void;
}

type ShowOptions = Partial<Pick<ShownNotification, 'reactions' | 'arrived' | 'earlier'>> & {
  /** True to show it without a sound. */
  isSilent?: boolean;
};

/** New messages of one conversation in one notification. */
type Together = [Arrived, ...Arrived[]];

export class Notifier {
  readonly #parts: NotifierParts;
  readonly #shown = new Map<string, ShownNotification>();
  #gathered = new Map<string, Together>();
  /** The newest reaction of each conversation. */
  #reactions = new Map<string, Reacted>();
  #timer: NodeJS.Timeout | undefined;
  /** Conversations whose messages are being checked, and whether they have changed meanwhile. */
  readonly #looking = new Map<string, boolean>();

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  add(arrived: Arrived): void {
    const { settings, isAttended, screen } = this.#parts;
    // Before the settings, whose file is read at each call: thousands may arrive in the open chat.
    if (isAttended(arrived.conversationId) || !screen.isThere()) return;
    if (!mayNotify(arrived, settings(), new Date())) return;
    const before = this.#gathered.get(arrived.conversationId);
    if (before) before.push(arrived);
    else this.#gathered.set(arrived.conversationId, [arrived]);
    this.#timer ??= setTimeout(() => this.#showAll(), GATHER);
  }

  /** Adds a reaction to a message of the person. It replaces no notification of a message. */
  addReaction(reacted: Reacted): void {
    const { settings, isAttended, screen } = this.#parts;
    if (isAttended(reacted.conversationId) || !screen.isThere()) return;
    if (!mayNotifyNow(settings(), new Date())) return;
    this.#reactions.set(reacted.conversationId, reacted);
    this.#timer ??= setTimeout(() => this.#showAll(), GATHER);
  }

  /** Removes the shown or planned reaction of a conversation: the person has opened it. */
  forgetReaction(conversationId: string): void {
    this.#reactions.delete(conversationId);
    for (const [key, { reactions, conversationIds }] of this.#shown)
      if (reactions && conversationIds.delete(conversationId) && conversationIds.size === 0) this.#close(key);
  }

  /** Shows the devices that were added to the account elsewhere in one notification. The interface has the question, too. */
  showDevices(added: readonly AddedDevice[]): void {
    const { screen, settings, words, open } = this.#parts;
    const [newest, ...others] = added;
    if (!newest || !screen.isThere() || !mayNotifyNow(settings(), new Date())) return;
    const phrases = wordsForDevices(words, [newest, ...others], settings().notifications);
    this.#show(DEVICES, null, phrases, [], { click: () => open(null) });
  }

  /** Removes the notification of added devices: the person has answered. */
  forgetDevices(): void {
    this.#close(DEVICES);
  }

  /** Removes shown and planned notifications: the person has seen them, or they must not be visible. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered.clear();
    this.#reactions.clear();
    for (const { close } of this.#shown.values()) close();
    this.#shown.clear();
  }

  /** Removes shown and planned notifications of a conversation without unread messages. */
  forgetRead(conversationId: string): void {
    this.#gathered.delete(conversationId);
    for (const [key, { reactions, conversationIds }] of this.#shown)
      if (!reactions && conversationIds.delete(conversationId) && conversationIds.size === 0)
        this.#close(key);
  }

  /** Removes shown and planned notifications of deleted messages, with their text. */
  forget(conversationId: string, ids: readonly string[]): void {
    const gone = new Set(ids);
    const [first, ...rest] = (this.#gathered.get(conversationId) ?? []).filter(
      ({ messageId }) => !gone.has(messageId),
    );
    if (first) this.#gathered.set(conversationId, [first, ...rest]);
    else this.#gathered.delete(conversationId);
    for (const reacted of this.#reactionsIn(conversationId))
      if (gone.has(reacted.messageId)) this.#removeReaction(reacted);
    this.#forgetOfMany(conversationId, gone);
    const shown = this.#shown.get(conversationId);
    if (!shown) return;
    shown.earlier = shown.earlier.filter(({ messageId }) => !gone.has(messageId));
    const wasGone = ids.filter((id) => shown.messageIds.delete(id)).length > 0;
    if (!wasGone) return;
    const { earlier } = shown;
    const [left, ...others] = shown.arrived.filter(({ messageId }) => shown.messageIds.has(messageId));
    const before = earlier.at(-1);
    // Without a sound: the person was notified of them.
    if (left) this.#showConversation([left, ...others], { isSilent: true, earlier });
    else if (shown.messageIds.size > 0) return;
    else if (before) this.#showConversation([before], { isSilent: true, earlier: earlier.slice(0, -1) });
    else this.#close(conversationId);
  }

  /** Removes deleted messages of a conversation from the notification of many, which shows the number of its messages. */
  #forgetOfMany(conversationId: string, gone: ReadonlySet<string>): void {
    const shown = this.#shown.get(MANY);
    if (!shown?.arrived.some((each) => each.conversationId === conversationId && gone.has(each.messageId)))
      return;
    const left = shown.arrived.filter(
      (each) =>
        shown.conversationIds.has(each.conversationId) &&
        !(each.conversationId === conversationId && gone.has(each.messageId)),
    );
    // Without a sound: the person was notified of them.
    if (left.length > 0) this.#showMany(left, true);
    else this.#close(MANY);
  }

  /**
   * Updates edited texts, and removes notifications whose messages or reactions were all removed, after a change in a
   * conversation.
   */
  async lookAgain(conversationId: string): Promise<void> {
    if (this.#looking.has(conversationId)) {
      this.#looking.set(conversationId, true);
      return;
    }
    try {
      do {
        this.#looking.set(conversationId, false);
        await this.#look(conversationId);
      } while (this.#looking.get(conversationId));
    } finally {
      this.#looking.delete(conversationId);
    }
  }

  async #look(conversationId: string): Promise<void> {
    const gathered = this.#gathered.get(conversationId) ?? [];
    const { messageIds = [], earlier = [] } = this.#shown.get(conversationId) ?? {};
    const ofMany = (this.#shown.get(MANY)?.arrived ?? []).filter(
      (each) => each.conversationId === conversationId,
    );
    const reactions = this.#reactionsIn(conversationId);
    const current = new Set([
      ...[...gathered, ...ofMany, ...reactions].map(({ messageId }) => messageId),
      ...messageIds,
    ]);
    const replaced = earlier.map(({ messageId }) => messageId);
    const ids = [...(current.size > MAX_WATCHED ? [] : current), ...replaced];
    if (ids.length === 0) return;
    const { messageNow } = this.#parts;
    const now = await Promise.all(ids.map((id) => messageNow(conversationId, id)));
    this.forget(
      conversationId,
      ids.filter((_, index) => now[index] === 'deleted'),
    );
    for (const [index, message] of now.entries()) {
      if (typeof message !== 'object') continue;
      const id = ids[index] ?? '';
      this.#edit(conversationId, id, message);
      for (const reacted of reactions)
        if (reacted.messageId === id && !mayHaveReaction(message, reacted)) this.#removeReaction(reacted);
    }
  }

  /** Shown and planned reactions in a conversation. */
  #reactionsIn(conversationId: string): Reacted[] {
    const shown = [...this.#shown.values()].map(({ reactions }) => reactions?.get(conversationId));
    return [this.#reactions.get(conversationId), ...shown].filter((each) => each !== undefined);
  }

  /** Removes a reaction from the shown and planned ones. One that has replaced it meanwhile stays. */
  #removeReaction(reacted: Reacted): void {
    const { conversationId } = reacted;
    if (this.#reactions.get(conversationId) === reacted) this.#reactions.delete(conversationId);
    for (const [key, { reactions, conversationIds }] of this.#shown) {
      if (reactions?.get(conversationId) !== reacted) continue;
      reactions.delete(conversationId);
      conversationIds.delete(conversationId);
      if (conversationIds.size === 0) this.#close(key);
    }
  }

  /** Puts the current text of a message into its shown or planned notification. */
  #edit(conversationId: string, id: string, { kind, fields, text }: CurrentMessage): void {
    const summary = { kind, fields, text };
    const gathered = this.#gathered.get(conversationId);
    const at = gathered?.findIndex(({ messageId }) => messageId === id) ?? -1;
    const planned = gathered?.[at];
    if (planned) gathered[at] = { ...planned, summary };
    const shown = this.#shown.get(conversationId);
    if (!shown) return;
    shown.earlier = shown.earlier.map((each) => (each.messageId === id ? { ...each, summary } : each));
    const seen = shown.arrived.find(({ messageId }) => messageId === id);
    if (!seen) return;
    const edited = { ...seen, summary };
    shown.arrived = shown.arrived.map((each) => (each === seen ? edited : each));
    // A notification of several shows their number, and no text.
    if (shown.arrived.length > 1) return;
    const { words, settings } = this.#parts;
    const level = settings().notifications;
    const [before, after] = [wordsFor(words, [seen], level), wordsFor(words, [edited], level)];
    // Without a sound: the person was notified of it.
    if (after.body !== before.body)
      this.#showConversation([edited], { isSilent: true, earlier: shown.earlier });
  }

  #showAll(): void {
    const gathered = this.#gathered;
    const reactions = this.#reactions;
    this.#timer = undefined;
    this.#gathered = new Map();
    this.#reactions = new Map();
    // A message is more important than a reaction in its chat.
    this.#showReactions(
      [...reactions.values()].filter(({ conversationId }) => !gathered.has(conversationId)),
    );
    const all = [...gathered.values()];
    if (all.length > MAX_AT_ONCE) {
      this.#showMany(all.flat());
      return;
    }
    for (const arrived of all) this.#showConversation(arrived, { earlier: this.#replacedBy(arrived) });
  }

  #showMany(arrived: readonly Arrived[], isSilent = false): void {
    const { words, open } = this.#parts;
    const chats = new Set(arrived.map(({ conversationId }) => conversationId)).size;
    const phrases = wordsForMany(words, arrived.length, chats);
    this.#show(MANY, null, phrases, arrived, { click: () => open(null) }, { arrived, isSilent });
  }

  #showReactions(all: readonly Reacted[]): void {
    const { words, open, settings } = this.#parts;
    const shown = all.filter(({ conversationId }) => this.#shown.get(conversationId)?.reactions !== null);
    if (shown.length > MAX_AT_ONCE) {
      const phrases = wordsForManyReactions(words, shown.length);
      const reactions = new Map(shown.map((each) => [each.conversationId, each]));
      this.#show(MANY_REACTIONS, null, phrases, shown, { click: () => open(null) }, { reactions });
      return;
    }
    for (const each of shown) {
      const { conversationId } = each;
      const phrases = wordsForReaction(words, each, settings().notifications);
      const click = () => open(conversationId);
      const reactions = new Map([[conversationId, each]]);
      this.#show(conversationId, conversationId, phrases, [each], { click }, { reactions });
    }
  }

  /** Messages of the shown notification that a new one of the same conversation replaces. */
  #replacedBy([{ conversationId }]: Together): Arrived[] {
    const { arrived = [], earlier = [], messageIds } = this.#shown.get(conversationId) ?? {};
    const left = arrived.filter(({ messageId }) => messageIds?.has(messageId));
    return [...earlier, ...left].slice(-MAX_EARLIER);
  }

  #showConversation(arrived: Together, options: Pick<ShowOptions, 'earlier' | 'isSilent'>): void {
    const { words, screen, settings, open, reply, markRead } = this.#parts;
    const level = settings().notifications;
    const newest = arrived.at(-1) ?? arrived[0];
    const { conversationId, messageId, request } = newest;
    const click = () => open(conversationId);
    const phrases = wordsFor(words, arrived, level);
    // Replying requires the text to be visible.
    if (!screen.canAct || level !== 'full' || request) {
      this.#show(conversationId, conversationId, phrases, arrived, { click }, { ...options, arrived });
      return;
    }
    const outcomes = {
      click,
      markRead: () => markRead(conversationId, messageId),
      reply: (text: string) => {
        void reply(conversationId, text, messageId).then((problem) => {
          if (problem === null) return;
          const failed = { title: words.text('desktop.replyNotSent'), body: problem };
          this.#show(`${REPLY}${conversationId}`, conversationId, failed, [], { click });
        });
      },
    };
    this.#show(conversationId, conversationId, phrases, arrived, outcomes, { ...options, arrived });
  }

  /** @param messages of other people, or those of the person with a reaction */
  #show(
    key: string,
    conversationId: string | null,
    phrases: Phrases,
    messages: readonly Pick<Arrived, 'conversationId' | 'messageId'>[],
    outcomes: Pick<Outcomes, 'click'> & Partial<Outcomes>,
    { reactions = null, arrived = [], earlier = [], isSilent = false }: ShowOptions = {},
  ): void {
    this.#close(key);
    const shown: ShownNotification = {
      messageIds: new Set(messages.map(({ messageId }) => messageId)),
      reactions,
      arrived,
      earlier,
      conversationIds: new Set(messages.map((each) => each.conversationId)),
      close: () => undefined,
    };
    this.#shown.set(key, shown);
    const isMute = isSilent || !this.#parts.settings().notificationSound;
    shown.close = this.#parts.screen.show(
      { ...phrases, key, conversationId, isSilent: isMute, canAnswer: outcomes.reply !== undefined },
      {
        reply: () => undefined,
        markRead: () => undefined,
        ...outcomes,
        gone: () => {
          if (this.#shown.get(key) === shown) this.#shown.delete(key);
        },
      },
    );
  }

  #close(key: string): void {
    const shown = this.#shown.get(key);
    this.#shown.delete(key);
    shown?.close();
  }
}

/** Reports whether a reaction is on its message; true if too many are there to know. */
function mayHaveReaction({ reactions, moreReactions }: CurrentMessage, { emoji, from }: Reacted): boolean {
  const same = reactions.find((each) => each.emoji === emoji);
  if (!same) return moreReactions > 0;
  return same.count > same.people.length || same.people.some(({ address }) => address === from.address);
}
