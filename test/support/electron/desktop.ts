/**
 * Electron's parts on the desktop beside windows: images, the tray icon, and notifications.
 */
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import { type AppDouble, PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { MenuDouble } from './menu.ts';
import { behind, DeclaredEmitter } from './strict.ts';

export class ImageDouble implements Pick<Electron.NativeImage, 'isEmpty'> {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** As in Electron: a missing file gives an empty image, and no error. */
  isEmpty(): boolean {
    return !existsSync(this.path);
  }
}

/** The double of a non-empty image of the app. */
export function visibleImage(image: unknown): ImageDouble {
  const double = behind(image);
  if (!(double instanceof ImageDouble)) throw new TypeError('an image is missing');
  if (double.isEmpty()) throw new Error('the icon would be invisible');
  return double;
}

export class TrayDouble
  extends DeclaredEmitter
  implements Pick<Electron.Tray, 'destroy' | 'isDestroyed' | 'setImage' | 'setToolTip' | 'setContextMenu'>
{
  image: ImageDouble;
  toolTip = '';
  menu: MenuDouble | null = null;
  isGone = false;

  constructor(app: AppDouble, image: Electron.NativeImage | string) {
    super('Tray', app.platform);
    app.requireReady('Cannot create Tray before app is ready');
    this.image = visibleImage(image);
  }

  setImage(image: Electron.NativeImage | string): void {
    this.image = visibleImage(image);
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    const double = behind(menu);
    if (double !== null && !(double instanceof MenuDouble)) throw new TypeError('Must pass a Menu');
    this.menu = double;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  destroy(): void {
    this.isGone = true;
  }
}

/** Maximum length of the ids of Windows notifications, in UTF-16 units. */
const LONGEST_ID = 64;

export class NotificationDouble
  extends DeclaredEmitter
  implements Pick<Electron.Notification, 'show' | 'close' | 'title' | 'body'>
{
  readonly title: string;
  readonly body: string;
  readonly options: Electron.NotificationConstructorOptions;
  isShown = false;
  readonly #app: AppDouble;

  constructor(app: AppDouble, options: Electron.NotificationConstructorOptions = {}) {
    super('Notification', app.platform);
    app.requireReady('Cannot create Notification before app is ready');
    refuseUnknown(options, 'NotificationConstructorOptions');
    for (const action of options.actions ?? []) refuseUnknown(action, 'NotificationAction');
    if (app.platform === 'win32') refuseForWindows(options);
    if (app.platform === 'linux') refuseMarkup(options.body ?? '');
    this.#app = app;
    app.mayNotifyAsked = true;
    this.options = options;
    this.title = options.title ?? '';
    this.body = options.body ?? '';
  }

  /** The result comes later, when the system has processed it. */
  show(): void {
    const { notificationsRefused: reason } = this.#app;
    this.isShown = reason === null;
    setImmediate(() => {
      if (reason === null) this.emit('show', new PreventableEvent());
      else this.emit('failed', new PreventableEvent(), reason);
    });
  }

  close(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.emit('close', new PreventableEvent());
  }

  /** Drives: Windows removes it from the screen, and keeps it in the Action Center. */
  timeOut(): void {
    this.emit('close', Object.assign(new PreventableEvent(), { reason: 'timedOut' }));
  }

  /** Drives: the person answers in the notification. */
  reply(text: string): void {
    if (!this.options.hasReply) throw new Error('this notification takes no answer');
    this.emit('reply', Object.assign(new PreventableEvent(), { reply: text }), text);
  }

  /** Drives: the person presses a button of the notification. */
  act(label: string): void {
    const index = this.options.actions?.findIndex(({ text }) => text === label) ?? -1;
    if (index === -1) throw new Error(`this notification has no button ${label}`);
    this.emit('action', Object.assign(new PreventableEvent(), { actionIndex: index }), index, -1);
  }

  /** Drives: the person clicks it. */
  click(): void {
    if (!this.isShown) throw new Error('this notification is not shown');
    this.emit('click', new PreventableEvent());
  }
}

/** Electron passes the body unchanged, and the desktop interprets tags in it. The app must send none. */
function refuseMarkup(body: string): void {
  if (/[<>]|&(?!(?:amp|lt|gt);)/.test(body)) throw new Error('the body of a notification is markup on Linux');
}

function refuseForWindows({
  id = '',
  groupId = '',
  groupTitle = '',
}: Electron.NotificationConstructorOptions): void {
  if (id.length > LONGEST_ID || groupId.length > LONGEST_ID) {
    throw new Error('Notification id exceeds Windows limit of 64 UTF-16 characters');
  }
  if (groupTitle !== '' && groupId === '') {
    throw new Error('Notification groupTitle requires groupId to be set');
  }
}
