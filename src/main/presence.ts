/**
 * The app's presence on the desktop beside its window: tray icon, badge and notifications, from events of
 * engine and host.
 */
import type { BrowserWindow } from 'electron';
import { engineProcedures } from '../bridge/contract.ts';
import { Connection } from '../bridge/shapes/account.ts';
import type { LockState } from '../bridge/shapes/lock-state.ts';
import type { Calls } from '../host/calls.ts';
import { ArrivalNotices } from '../host/notifications/arrival-notices.ts';
import type { Session } from '../host/session.ts';
import type { DesktopLimits } from './desktop-limits.ts';
import type { ElectronParts } from './electron.ts';
import { LostAnswers } from './lost-answers.ts';
import { DesktopScreen } from './notifications.ts';
import { type TrayState, WaxwingTray } from './tray/tray.ts';
import { t, words } from './words.ts';

export interface PresenceParts {
  calls: Calls;
  session: Pick<Session, 'isOpen' | 'canLock'> & { state: Pick<LockState, 'messagesWaiting'> };
  window: BrowserWindow;
  /** Folder of the tray's images. */
  images: string;
  platform: NodeJS.Platform;
  /** Shows the window. */
  open: () => void;
  limits: DesktopLimits;
}

export class Presence {
  readonly #electron: ElectronParts;
  readonly #parts: PresenceParts;
  #tray: WaxwingTray;
  readonly #screen: DesktopScreen;
  readonly #notices: ArrivalNotices;
  readonly #lostAnswers: LostAnswers;
  readonly #stop: () => void;
  #state: TrayState = {
    unread: 0,
    connection: 'connecting',
    isLocked: true,
    messagesWaiting: false,
    canLock: false,
    pausedUntil: null,
  };
  #resumeTimer: NodeJS.Timeout | undefined;

  constructor(electron: ElectronParts, parts: PresenceParts) {
    const { calls, platform, open } = parts;
    this.#electron = electron;
    this.#parts = parts;
    this.#tray = this.#makeTray();
    this.#screen = new DesktopScreen(electron, platform, (isShown) => parts.limits.noteNotification(isShown));
    const show = (conversationId: string | null) => {
      open();
      if (conversationId !== null) calls.emit('navigate.conversation', { conversationId });
    };
    this.#lostAnswers = new LostAnswers(calls, parts.session, show);
    this.#screen.onOlder((activation) => void this.#lostAnswers.receive(activation));
    this.#notices = new ArrivalNotices({
      calls,
      session: parts.session,
      words,
      screen: this.#screen,
      isAttended: (conversationId) => this.#attended() === conversationId,
      open: show,
      onUnread: () => this.#showUnread(),
    });
    this.#show({});
    // Windows drops the image on a taskbar button with the button, which disappears with the window.
    if (platform === 'win32') parts.window.on('show', () => this.#show({}));
    this.#followPause();
    this.#stop = calls.onEvent((name, payload) => {
      if (name === 'connection.changed') this.#show({ connection: (payload as Connection).state });
      if (name === 'settings.changed') {
        this.#followPause();
        this.#showUnread();
        void this.#askPermission();
      }
      if (name === 'lock.changed') this.#followLock();
      if (name === 'app.changed') void this.#askPermission();
    });
  }

  /** Removes shown notifications, and stops listening. */
  close(): void {
    this.#stop();
    clearTimeout(this.#resumeTimer);
    this.#notices.close();
  }

  /** Recreates the tray icon after the desktop began to show them: it ignores earlier ones. */
  renewTray(): void {
    this.#tray.destroy();
    this.#tray = this.#makeTray();
    this.#show({});
  }

  #makeTray(): WaxwingTray {
    const { calls, images, platform, open } = this.#parts;
    return new WaxwingTray(this.#electron, images, platform, {
      open,
      pause: (until) => void calls.call('settings.set', { notificationsPausedUntil: until }),
      lock: () => void calls.call('lock.now', {}),
      quit: () => this.#electron.app.quit(),
    });
  }

  /** Only a focused window counts, with any content. */
  #attended(): string | null {
    const { calls, window } = this.#parts;
    const isInFront = !window.isDestroyed() && window.isVisible() && window.isFocused();
    return isInFront ? calls.attended() : null;
  }

  /** Queries events from before the engine opened. */
  #followLock(): void {
    void this.#lostAnswers.keep();
    void this.#queryConnection();
    void this.#askPermission();
  }

  /** Only after the person has set up their account: before that, the purpose of notifications is unclear. */
  async #askPermission(): Promise<void> {
    const { calls } = this.#parts;
    const answer = await calls.call('app.state', {});
    const isSetUp = answer.ok && engineProcedures['app.state'].output.parse(answer.value).phase === 'ready';
    if (isSetUp && calls.settings().notifications !== 'off') this.#screen.askPermission();
  }

  async #queryConnection(): Promise<void> {
    const answer = await this.#parts.calls.call('connection.get', {});
    this.#show({ connection: answer.ok ? Connection.parse(answer.value).state : 'connecting' });
  }

  #showUnread(): void {
    const { badgeCounts, mentionsPassMute } = this.#parts.calls.settings();
    const counts = [...(this.#notices.unread.chats?.values() ?? [])].map(({ count, mentions, isMuted }) => {
      // In muted chats only mentions count, if allowed.
      const counted = isMuted ? (mentionsPassMute ? mentions : 0) : count;
      if (badgeCounts === 'chats') return Math.min(counted, 1);
      return badgeCounts === 'mentions' ? Math.min(counted, mentions) : counted;
    });
    this.#show({ unread: counts.reduce((sum, count) => sum + count, 0) });
  }

  /** The tray shows the end of a notification pause, and updates when it ends. */
  #followPause(): void {
    const until = this.#parts.calls.settings().notificationsPausedUntil;
    const rest = (until ?? 0) - Date.now();
    clearTimeout(this.#resumeTimer);
    if (rest > 0) this.#resumeTimer = setTimeout(() => this.#followPause(), Math.min(rest, 2 ** 31 - 1));
    this.#show({ pausedUntil: rest > 0 ? until : null });
  }

  #show(changes: Partial<TrayState>): void {
    const { session, platform, window } = this.#parts;
    const { app, nativeImage } = this.#electron;
    const { isOpen, canLock } = session;
    const { messagesWaiting } = session.state;
    this.#state = { ...this.#state, ...changes, isLocked: !isOpen, canLock, messagesWaiting };
    this.#tray.show(this.#state);
    const { unread } = this.#state;
    if (platform !== 'win32') {
      app.setBadgeCount(unread);
    } else if (!window.isDestroyed()) {
      const image = unread > 0 ? nativeImage.createFromPath(`${this.#parts.images}/badge.png`) : null;
      window.setOverlayIcon(image, unread > 0 ? t('desktop.unread', { count: unread }) : '');
    }
  }
}
