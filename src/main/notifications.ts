/**
 * Notifications as Electron shows them.
 */
import type { ActivationArguments } from 'electron';
import type { Outcomes, Screen, Showing } from '../host/notifications/screen.ts';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

export class DesktopScreen implements Screen {
  readonly canAct: boolean;
  readonly #Notification: ElectronParts['Notification'];
  readonly #platform: NodeJS.Platform;
  readonly #told: (isShown: boolean) => void;
  /** Ids of this run: the notifications are there, and hear themselves. */
  readonly #own = new Set<string>();

  /** @param told the system has shown a notification, or has refused to */
  constructor({ Notification }: ElectronParts, platform: NodeJS.Platform, told: (isShown: boolean) => void) {
    this.#Notification = Notification;
    this.#told = told;
    this.#platform = platform;
    this.canAct = platform === 'darwin' || platform === 'win32';
  }

  /** @param listener is told of each notification of an earlier run that the person answers. Only Windows keeps such. */
  onOlder(listener: (activation: ActivationArguments) => void): void {
    if (this.#platform !== 'win32') return;
    this.#Notification.handleActivation((activation) => {
      const id = new URLSearchParams(activation.arguments).get('tag');
      if (id !== null && !this.#own.has(id)) listener(activation);
    });
  }

  isThere(): boolean {
    const isThere = this.#Notification.isSupported();
    if (!isThere) this.#told(false);
    return isThere;
  }

  /** Has macOS ask the person whether the app may show notifications, where it has not asked yet. It asks by itself. */
  askPermission(): void {
    this.#Notification.isSupported();
  }

  show({ title, body, conversationId, isSilent, canAnswer }: Showing, outcomes: Outcomes): () => void {
    const { click, reply, markRead, gone } = outcomes;
    // Windows gives it back with an answer, also in a later run. Another with the same one takes its place.
    const id = this.#platform === 'win32' && canAnswer ? conversationId : null;
    if (id !== null) this.#own.add(id);
    const notification = new this.#Notification({
      ...(id !== null && { id }),
      title,
      // The title is plain text on each system.
      body: this.#platform === 'linux' ? asMarkup(body) : body,
      ...(canAnswer && {
        hasReply: true,
        replyPlaceholder: t('desktop.reply'),
        actions: [{ type: 'button' as const, text: t('desktop.markRead') }],
      }),
      // The system shows those of one chat as one stack.
      groupId: conversationId ?? 'messages',
      silent: isSilent,
    });
    notification.on('click', click);
    if (canAnswer) {
      notification.on('action', markRead);
      notification.on('reply', ({ reply: text }) => reply(text));
    }
    // On Windows it is then still in the Action Center, from where only this object can take it back.
    notification.on('close', ({ reason }) => {
      if (reason !== 'timedOut') gone();
    });
    notification.on('show', () => this.#told(true));
    // As in an app for macOS that nobody signed, or where the person has forbidden it.
    notification.on('failed', () => {
      gone();
      this.#told(false);
    });
    notification.show();
    return () => notification.close();
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The body is markup on Linux (Desktop Notifications Specification, 'Markup'): bare text could bring links and images. */
function asMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
