/**
 * A double of the `electron` module for src/main and src/preload, held to electron.d.ts member by member.
 *
 * It refuses what the real one refuses, and lacks what the app does not use: calling that fails. What it cannot
 * prove (sandboxing, key stores, what the desktop shows) needs the real one: test/electron.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { ElectronParts } from '../../../src/main/electron.ts';
import { AppDouble } from './app.ts';
import { ClipboardDouble } from './clipboard.ts';
import { imageFromPath, MenuDouble, NotificationDouble, TrayDouble } from './desktop.ts';
import { IpcMainDouble, rendererParts } from './ipc.ts';
import { SafeStorageDouble } from './safe-storage.ts';
import { DialogDouble, ProtocolDouble, SessionDouble, ShellDouble } from './web.ts';
import { BrowserWindowDouble } from './window.ts';

export { BrowserWindowDouble } from './window.ts';

export class ElectronDouble {
  readonly app: AppDouble;
  readonly protocol: ProtocolDouble;
  readonly safeStorage: SafeStorageDouble;
  readonly session = new SessionDouble();
  readonly shell = new ShellDouble();
  readonly dialog = new DialogDouble();
  readonly ipcMain = new IpcMainDouble();
  readonly clipboard = new ClipboardDouble();
  /** Drives: emit `resume` and the like. */
  readonly powerMonitor = new EventEmitter();
  readonly windows: BrowserWindowDouble[] = [];
  readonly trays: TrayDouble[] = [];
  readonly notifications: NotificationDouble[] = [];
  /** What the app is given. */
  readonly parts: ElectronParts;

  constructor(userData = '/home/somebody/.config/Waxwing') {
    const app = new AppDouble(userData);
    const protocol = new ProtocolDouble(app);
    const { windows, trays, notifications, session, powerMonitor } = this;
    this.app = app;
    this.protocol = protocol;
    this.safeStorage = new SafeStorageDouble(app);
    const parts = {
      app,
      protocol,
      safeStorage: this.safeStorage,
      shell: this.shell,
      dialog: this.dialog,
      ipcMain: this.ipcMain,
      clipboard: this.clipboard,
      get powerMonitor() {
        app.requireReady('powerMonitor');
        return powerMonitor;
      },
      session: {
        get defaultSession() {
          app.requireReady('session');
          return session;
        },
      },
      BrowserWindow: class extends BrowserWindowDouble {
        constructor(options: Electron.BrowserWindowConstructorOptions) {
          super(app, protocol, options);
          windows.push(this);
        }
      },
      Tray: class extends TrayDouble {
        constructor(image: Pick<Electron.NativeImage, 'isEmpty'>) {
          super(app, image);
          trays.push(this);
        }
      },
      Notification: class extends NotificationDouble {
        static isSupported(): boolean {
          return true;
        }
        constructor(options: Electron.NotificationConstructorOptions) {
          super(app, options);
          notifications.push(this);
        }
      },
      Menu: {
        buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => new MenuDouble(template),
      },
      nativeImage: { createFromPath: imageFromPath },
    } satisfies Record<keyof ElectronParts, unknown>;
    // Each double implements a Pick of its own type; whole classes with hundreds of members are not rebuilt here.
    this.parts = parts as unknown as ElectronParts;
  }

  /** The window that the app made. */
  get window(): BrowserWindowDouble {
    const [window] = this.windows;
    if (!window) throw new Error('the app made no window');
    return window;
  }

  get tray(): TrayDouble {
    const [tray] = this.trays;
    if (!tray) throw new Error('the app made no tray icon');
    return tray;
  }

  /** What `electron` is to the preload of the window, and what that exposes to the page. */
  renderer() {
    return rendererParts(this.ipcMain, this.window.webContents);
  }
}

/** A double as the type that the app's functions take; here and in ElectronDouble are the only such casts. */
export function asWindow(window: BrowserWindowDouble): Electron.BrowserWindow {
  return window as unknown as Electron.BrowserWindow;
}
