/** Notifications through Electron. */
import type { ActivationArguments } from 'electron';
import type { Outcomes, Screen, Showing } from '../host/notifications/screen.ts';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

export class DesktopScreen implements Screen {
  readonly canAct: boolean;
  readonly #Notification: ElectronParts['Notification'];
  readonly #platform: NodeJS.Platform;
  readonly #onShown: (isShown: boolean) => void;
  /** Ids of this run: their objects exist and receive their own events. */
  readonly #own = new Set<string>();

  /** @param onShown called after the system has shown or refused a notification */
  constructor(
    { Notification }: ElectronParts,
    platform: NodeJS.Platform,
    onShown: (isShown: boolean) => void,
  ) {
    this.#Notification = Notification;
    this.#onShown = onShown;
    this.#platform = platform;
    this.canAct = platform === 'darwin' || platform === 'win32';
  }

  /** @param listener called for an answered notification of an earlier run. Only Windows keeps those. */
  onOlder(listener: (activation: ActivationArguments) => void): void {
    if (this.#platform !== 'win32') return;
    this.#Notification.handleActivation((activation) => {
      const id = new URLSearchParams(activation.arguments).get('tag');
      if (id !== null && !this.#own.has(id)) listener(activation);
    });
  }

  isThere(): boolean {
    const isThere = this.#Notification.isSupported();
    if (!isThere) this.#onShown(false);
    return isThere;
  }

  /** Makes macOS ask the person for permission if it has not asked yet. It asks by itself. */
  askPermission(): void {
    this.#Notification.isSupported();
  }

  show({ title, body, conversationId, isSilent, canAnswer }: Showing, outcomes: Outcomes): () => void {
    const { click, reply, markRead, gone } = outcomes;
    // Windows returns it with a reply, even in a later run. A new one with the same tag replaces the old one.
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
      // The system stacks notifications of one chat.
      groupId: conversationId ?? 'messages',
      silent: isSilent,
    });
    notification.on('click', click);
    if (canAnswer) {
      notification.on('action', markRead);
      notification.on('reply', ({ reply: text }) => reply(text));
    }
    // On Windows it is then still in the Action Center, from where only this object can remove it.
    notification.on('close', ({ reason }) => {
      if (reason !== 'timedOut') gone();
    });
    notification.on('show', () => this.#onShown(true));
    // For example an unsigned app on macOS, or without the person's permission.
    notification.on('failed', () => {
      gone();
      this.#onShown(false);
    });
    notification.show();
    return () => notification.close();
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The body is markup on Linux (Desktop Notifications Specification, 'Markup'): plain text could contain links and images. */
function asMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
