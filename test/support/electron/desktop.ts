/**
 * What Electron puts on the desktop beside windows: the tray icon, its menu, and notifications.
 */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import type { AppDouble } from './app.ts';
import { refuseUnknown } from './options.ts';

export interface ImageDouble extends Pick<Electron.NativeImage, 'isEmpty'> {
  readonly path: string;
}

/** As Electron's: a file that is not there gives an empty image, and no error. */
export function imageFromPath(path: string): ImageDouble {
  return { path, isEmpty: () => !existsSync(path) };
}

export class MenuDouble {
  readonly template: Electron.MenuItemConstructorOptions[];

  constructor(template: Electron.MenuItemConstructorOptions[]) {
    for (const item of template) {
      refuseUnknown(item, 'MenuItemConstructorOptions');
      if (Array.isArray(item.submenu)) new MenuDouble(item.submenu);
    }
    this.template = template;
  }

  get labels(): string[] {
    return this.template.map(({ label, type }) => label ?? type ?? '');
  }

  /** Drives: the person picks an item, also of a submenu. */
  click(label: string): void {
    const item = this.template
      .flatMap((each) => [each, ...(Array.isArray(each.submenu) ? each.submenu : [])])
      .find((each) => each.label === label);
    if (!item || item.enabled === false) throw new Error(`${label} cannot be clicked`);
    // The app's handlers take nothing from Electron's arguments.
    (item.click as (() => void) | undefined)?.();
  }
}

export class TrayDouble
  extends EventEmitter
  implements Pick<Electron.Tray, 'setImage' | 'setToolTip' | 'setContextMenu'>
{
  image: Pick<Electron.NativeImage, 'isEmpty'>;
  toolTip = '';
  menu: MenuDouble | null = null;

  constructor(app: AppDouble, image: Pick<Electron.NativeImage, 'isEmpty'>) {
    super();
    app.requireReady('Tray');
    this.image = image;
    this.setImage(image);
  }

  setImage(image: Pick<Electron.NativeImage, 'isEmpty'> | string): void {
    if (typeof image === 'string' || image.isEmpty()) throw new Error('the tray icon would be invisible');
    this.image = image;
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: unknown): void {
    if (!(menu instanceof MenuDouble)) throw new TypeError('Must pass a Menu');
    this.menu = menu;
  }
}

export class NotificationDouble
  extends EventEmitter
  implements Pick<Electron.Notification, 'show' | 'close' | 'title' | 'body'>
{
  readonly title: string;
  readonly body: string;
  readonly options: Electron.NotificationConstructorOptions;
  isShown = false;

  constructor(app: AppDouble, options: Electron.NotificationConstructorOptions) {
    super();
    app.requireReady('Notification');
    refuseUnknown(options, 'NotificationConstructorOptions');
    this.options = options;
    this.title = options.title ?? '';
    this.body = options.body ?? '';
  }

  show(): void {
    this.isShown = true;
  }

  close(): void {
    this.isShown = false;
    this.emit('close', {});
  }

  /** Drives: the person answers in the notification. */
  reply(text: string): void {
    if (!this.options.hasReply) throw new Error('this notification takes no answer');
    this.emit('reply', { reply: text });
  }

  /** Drives: the person presses a button of the notification. */
  act(label: string): void {
    const index = this.options.actions?.findIndex(({ text }) => text === label) ?? -1;
    if (index === -1) throw new Error(`this notification has no button ${label}`);
    this.emit('action', { actionIndex: index });
  }

  /** Drives: the person clicks it. */
  click(): void {
    this.emit('click');
  }
}
