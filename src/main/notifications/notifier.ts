/**
 * Shows notifications: what arrives together is told together, and the newest of a conversation takes the place of the
 * one before.
 */
import type { Notification as ElectronNotification, NotificationConstructorOptions } from 'electron';
import type { Settings } from '../../bridge/shapes.ts';
import type { ElectronParts } from '../electron.ts';
import { t } from '../words.ts';
import { type Arrived, mayNotify, type Words, wordsFor, wordsForMany } from './decision.ts';

/** What arrives within this time is told together, in milliseconds. */
const GATHER = 300;
/** Of more conversations than these at once, only their number is told. */
const MOST_AT_ONCE = 3;
/** In place of a conversation's id. */
const MANY = 'many';
/** Before a conversation's id: an answer that could not be sent is told until the person has seen that. */
const REPLY = 'reply:';

export interface NotifierParts {
  settings: () => Settings;
  /** The conversation that is in front of the person. */
  attended: () => string | null;
  /** Shows a conversation, or only the window. */
  open: (conversationId: string | null) => void;
  /** Sends an answer. Resolves with a sentence if it could not be queued. */
  reply: (conversationId: string, text: string) => Promise<string | null>;
  markRead: (conversationId: string, messageId: string) => void;
  /** The system has shown a notification, or has refused to. */
  told: (isShown: boolean) => void;
}

export class Notifier {
  readonly #Notification: ElectronParts['Notification'];
  readonly #parts: NotifierParts;
  /** Whether the platform lets a person answer and choose in the notification itself. */
  readonly #canAct: boolean;
  readonly #shown = new Map<string, ElectronNotification>();
  /** Of each notification of a conversation, the messages whose words are in it. */
  readonly #told = new Map<string, ReadonlySet<string>>();
  #gathered = new Map<string, [Arrived, ...Arrived[]]>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ Notification }: ElectronParts, platform: NodeJS.Platform, parts: NotifierParts) {
    this.#Notification = Notification;
    this.#parts = parts;
    this.#canAct = platform === 'darwin' || platform === 'win32';
  }

  take(arrived: Arrived): void {
    const { settings, attended } = this.#parts;
    if (!mayNotify(arrived, settings(), attended(), new Date())) return;
    if (!this.#Notification.isSupported()) {
      this.#parts.told(false);
      return;
    }
    const before = this.#gathered.get(arrived.conversationId);
    this.#gathered.set(arrived.conversationId, before ? [...before, arrived] : [arrived]);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER);
  }

  /** Has macOS ask the person whether the app may show notifications, where it has not asked yet. It asks by itself. */
  askPermission(): void {
    this.#Notification.isSupported();
  }

  /** Takes back what is shown, and what is about to be: the person has seen it, or it may not be seen any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered.clear();
    for (const notification of this.#shown.values()) notification.close();
    this.#shown.clear();
    this.#told.clear();
  }

  /** Takes back what is told, or about to be, of conversations in which nothing is unread any more. */
  keepOnly(unread: ReadonlySet<string>): void {
    for (const id of this.#gathered.keys()) if (!unread.has(id)) this.#gathered.delete(id);
    for (const [key, notification] of this.#shown) {
      if (key.startsWith(REPLY)) continue;
      if (key === MANY ? unread.size > 0 : unread.has(key)) continue;
      notification.close();
      this.#shown.delete(key);
      this.#told.delete(key);
    }
  }

  /** Takes back what is told, or about to be, of messages that are erased: their words go with them. */
  forget(conversationId: string, ids: readonly string[]): void {
    const [first, ...rest] = (this.#gathered.get(conversationId) ?? []).filter(
      ({ messageId }) => !ids.includes(messageId),
    );
    if (first) this.#gathered.set(conversationId, [first, ...rest]);
    else this.#gathered.delete(conversationId);
    const told = this.#told.get(conversationId);
    if (!told || !ids.some((id) => told.has(id))) return;
    this.#shown.get(conversationId)?.close();
    this.#shown.delete(conversationId);
    this.#told.delete(conversationId);
  }

  #tell(): void {
    const gathered = this.#gathered;
    this.#timer = undefined;
    this.#gathered = new Map();
    const all = [...gathered.values()];
    if (all.length > MOST_AT_ONCE) {
      const words = wordsForMany(all.flat().length, all.length);
      this.#show(MANY, words, {}).on('click', () => this.#parts.open(null));
      return;
    }
    for (const arrived of all) this.#tellOf(arrived);
  }

  #tellOf(arrived: [Arrived, ...Arrived[]]): void {
    const { settings, open, reply, markRead } = this.#parts;
    const level = settings().notifications;
    const newest = arrived.at(-1) ?? arrived[0];
    const { conversationId, messageId, request } = newest;
    // Anyone who cannot see what was written cannot answer it.
    const canAct = this.#canAct && level === 'full' && !request;
    const words = wordsFor(arrived, level);
    const notification = this.#show(
      conversationId,
      words,
      canAct
        ? {
            hasReply: true,
            replyPlaceholder: t('desktop.reply'),
            actions: [{ type: 'button', text: t('desktop.markRead') }],
          }
        : {},
    );
    this.#told.set(conversationId, new Set(arrived.map(({ messageId: id }) => id)));
    notification.on('click', () => open(conversationId));
    if (!canAct) return;
    notification.on('action', () => markRead(conversationId, messageId));
    notification.on('reply', ({ reply: text }) => {
      void reply(conversationId, text).then((problem) => {
        if (problem === null) return;
        const failed = { title: t('desktop.replyNotSent'), body: problem };
        this.#show(`${REPLY}${conversationId}`, failed, {}).on('click', () => open(conversationId));
      });
    });
  }

  #show(key: string, words: Words, more: NotificationConstructorOptions): ElectronNotification {
    this.#shown.get(key)?.close();
    const notification = new this.#Notification({
      ...words,
      ...more,
      groupId: 'messages',
      silent: !this.#parts.settings().notificationSound,
    });
    this.#shown.set(key, notification);
    notification.on('close', ({ reason }) => {
      // On Windows it is then still in the Action Center, from where only this object can take it back.
      if (reason === 'timedOut') return;
      if (this.#shown.get(key) === notification) this.#shown.delete(key);
    });
    notification.on('show', () => this.#parts.told(true));
    // As in an app for macOS that nobody signed, or where the person has forbidden it.
    notification.on('failed', () => {
      if (this.#shown.get(key) === notification) this.#shown.delete(key);
      this.#parts.told(false);
    });
    notification.show();
    return notification;
  }
}
