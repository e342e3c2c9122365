/** The tray icon: unread count, connection, and access to the window. */
import type { MenuItemConstructorOptions, Tray } from 'electron';
import type { Connection } from '../../bridge/shapes/account.ts';
import type { ElectronParts } from '../electron.ts';
import { locale, t } from '../words.ts';
import { type TrayMood, trayImagePath } from './images.ts';

export interface TrayState {
  unread: number;
  connection: Connection['state'];
  /** Locked: only known is whether a message has arrived. */
  isLocked: boolean;
  messagesWaiting: boolean;
  canLock: boolean;
  /** Milliseconds since 1970; null if notifications are not paused. */
  pausedUntil: number | null;
}

export interface TrayActions {
  open: () => void;
  /** @param until milliseconds since 1970; null: resume */
  pause: (until: number | null) => void;
  lock: () => void;
  quit: () => void;
}

const CONNECTIONS: Record<Connection['state'], string> = {
  online: t('desktop.online'),
  connecting: t('desktop.connecting'),
  offline: t('desktop.offline'),
};

const HOUR = 3_600_000;
/** The hour at which tomorrow begins for a pause. */
const MORNING = 8;

export class WaxwingTray {
  readonly #parts: ElectronParts;
  readonly #images: Record<TrayMood, Electron.NativeImage>;
  readonly #actions: TrayActions;
  readonly #tray: Tray;
  /** Labels of the current menu. */
  #words = '';

  /** @param folder of the images */
  constructor(parts: ElectronParts, folder: string, platform: NodeJS.Platform, actions: TrayActions) {
    const image = (mood: TrayMood) => parts.nativeImage.createFromPath(trayImagePath(folder, mood, platform));
    this.#parts = parts;
    this.#actions = actions;
    this.#images = { idle: image('idle'), unread: image('unread'), offline: image('offline') };
    this.#tray = new parts.Tray(this.#images.idle);
    // On macOS a click opens the menu, as for other apps in the bar.
    if (platform !== 'darwin') this.#tray.on('click', actions.open);
  }

  show(state: TrayState): void {
    this.#tray.setImage(this.#images[moodOf(state)]);
    this.#tray.setToolTip(toolTipOf(state));
    // Linux shows a changed menu only if it is set again; but setting it closes an open one.
    const menu = this.#menu(state);
    const words = JSON.stringify(menu);
    if (words === this.#words) return;
    this.#words = words;
    this.#tray.setContextMenu(this.#parts.Menu.buildFromTemplate(menu));
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #menu(state: TrayState): MenuItemConstructorOptions[] {
    const { open, lock, quit } = this.#actions;
    return [
      { label: t('desktop.open'), click: open },
      { type: 'separator' },
      { label: statusOf(state), enabled: false },
      ...this.#pauseItems(state.pausedUntil),
      { type: 'separator' },
      ...(state.canLock ? [{ label: t('desktop.lock'), click: lock }] : []),
      { label: t('desktop.quit'), click: quit },
    ];
  }

  #pauseItems(pausedUntil: number | null): MenuItemConstructorOptions[] {
    const { pause } = this.#actions;
    if (pausedUntil !== null) {
      return [
        { label: t('desktop.pausedUntil', { time: clockTime(pausedUntil) }), enabled: false },
        { label: t('desktop.resume'), click: () => pause(null) },
      ];
    }
    return [
      {
        label: t('desktop.pause'),
        submenu: [
          { label: t('desktop.pauseHour'), click: () => pause(Date.now() + HOUR) },
          { label: t('desktop.pauseTomorrow'), click: () => pause(tomorrowMorning(new Date())) },
        ],
      },
    ];
  }
}

function moodOf({ connection, isLocked, messagesWaiting, unread }: TrayState): TrayMood {
  if (isLocked) return messagesWaiting ? 'unread' : 'idle';
  if (connection === 'offline') return 'offline';
  return unread > 0 ? 'unread' : 'idle';
}

function statusOf({ connection, isLocked, messagesWaiting }: TrayState): string {
  if (!isLocked) return CONNECTIONS[connection];
  return messagesWaiting ? t('desktop.lockedNew') : t('desktop.locked');
}

function toolTipOf(state: TrayState): string {
  const parts = [t('desktop.app')];
  if (state.unread > 0 && !state.isLocked) parts.push(t('desktop.unread', { count: state.unread }));
  if (state.isLocked || state.connection === 'offline') parts.push(statusOf(state));
  return parts.join(' – ');
}

/** Milliseconds since 1970. Before the morning, the coming morning. */
export function tomorrowMorning(now: Date): number {
  const morning = new Date(now);
  if (now.getHours() >= MORNING) morning.setDate(now.getDate() + 1);
  return morning.setHours(MORNING, 0, 0, 0);
}

function clockTime(time: number): string {
  return new Date(time).toLocaleTimeString(locale, { timeStyle: 'short' });
}
