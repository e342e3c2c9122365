/**
 * A double of the `electron` module for src/main and src/preload, checked against electron.d.ts: by the compiler, member by
 * member; while it runs, in its calls, listeners and options.
 *
 * It refuses the same calls as the real one, and lacks members that the app does not use: calling those fails. Properties that it
 * cannot prove (sandboxing, key stores, the desktop's display) need the real one: test/electron.
 */
import type * as Electron from 'electron';
import type { ElectronParts } from '../../../src/main/electron.ts';
import { AppDouble, type AppState } from './app.ts';
import { ClipboardDouble } from './clipboard.ts';
import { refuseUnknown } from './declarations.ts';
import { ImageDouble, NotificationDouble, TrayDouble } from './desktop.ts';
import { IpcMainDouble, rendererParts } from './ipc.ts';
import { type MenuDouble, menuClass } from './menu.ts';
import { SafeStorageDouble } from './safe-storage.ts';
import { ScreenDouble } from './screen.ts';
import { SquirrelDouble } from './squirrel.ts';
import { asElectron, asElectronClass, asElectronStatics, DeclaredEmitter, strictly } from './strict.ts';
import { NativeThemeDouble } from './theme.ts';
import { DialogDouble, ProtocolDouble, SessionDouble, ShellDouble } from './web.ts';
import type { PageHost } from './web-contents.ts';
import { BrowserWindowDouble } from './window.ts';

export { BrowserWindowDouble } from './window.ts';

export interface DoubleOptions extends Partial<AppState> {
  /** The process that shows pages; by default none. */
  pages?: PageHost;
  /** Key of the desktop's key store, 32 bytes; by default a new one. */
  keyStoreKey?: Buffer;
}

export class ElectronDouble {
  readonly app: AppDouble;
  readonly protocol: ProtocolDouble;
  readonly safeStorage: SafeStorageDouble;
  readonly session: SessionDouble;
  readonly shell = new ShellDouble();
  readonly dialog: DialogDouble;
  readonly ipcMain: IpcMainDouble;
  readonly clipboard = new ClipboardDouble();
  readonly autoUpdater: SquirrelDouble;
  readonly nativeTheme: NativeThemeDouble;
  /** Sessions beside the default one, by partition. */
  readonly partitions = new Map<string, SessionDouble>();
  /** Drives: emit `resume` and the like. */
  readonly powerMonitor: DeclaredEmitter;
  readonly screen: ScreenDouble;
  readonly windows: BrowserWindowDouble[] = [];
  readonly trays: TrayDouble[] = [];
  readonly notifications: NotificationDouble[] = [];
  /** Drives: the person acts on a notification, also on one of an earlier run. Only Windows reports those. */
  activate: (details: Electron.ActivationArguments) => void = () => undefined;
  /** The arguments of the app. */
  readonly parts: ElectronParts;
  readonly #menus: ReturnType<typeof menuClass>;

  constructor(options: DoubleOptions = {}) {
    const { userData = '/home/somebody/.config/Waxwing', platform = 'linux', isPackaged = true } = options;
    const { version = '0.1.0' } = options;
    const { appPath = isPackaged ? '/opt/Waxwing/resources/app.asar' : '/home/somebody/waxwing' } = options;
    const app = new AppDouble({ userData, platform, isPackaged, version, appPath });
    const protocol = new ProtocolDouble(app);
    const session = new SessionDouble(platform);
    const { windows, trays, notifications, partitions } = this;
    const menus = menuClass(platform);
    this.app = app;
    this.dialog = new DialogDouble(app);
    this.protocol = protocol;
    this.session = session;
    this.safeStorage = new SafeStorageDouble(app, options.keyStoreKey);
    this.ipcMain = new IpcMainDouble(platform);
    this.nativeTheme = new NativeThemeDouble(platform);
    this.autoUpdater = new SquirrelDouble(platform);
    this.powerMonitor = new DeclaredEmitter('PowerMonitor', platform);
    this.screen = new ScreenDouble(app);
    this.#menus = menus;

    class Window extends BrowserWindowDouble {
      /** Not used by the app: for tests that inspect the main process. */
      static getAllWindows(): Electron.BrowserWindow[] {
        return windows.map((each) => strictly(each) as Electron.BrowserWindow);
      }
      constructor(windowOptions?: Electron.BrowserWindowConstructorOptions) {
        super({ app, protocol, pages: options.pages ?? null }, windowOptions);
        windows.push(this);
      }
    }
    class Tray extends TrayDouble {
      constructor(image: Electron.NativeImage | string) {
        super(app, image);
        trays.push(this);
      }
    }
    const answer = (callback: typeof this.activate) => {
      this.activate = callback;
    };
    class Notification extends NotificationDouble {
      static handleActivation(callback: (details: Electron.ActivationArguments) => void): void {
        answer(callback);
      }
      static isSupported(): boolean {
        app.mayNotifyAsked = true;
        return true;
      }
      constructor(notificationOptions?: Electron.NotificationConstructorOptions) {
        super(app, notificationOptions);
        notifications.push(this);
      }
    }
    const images = {
      createFromPath: (path: string) =>
        asElectron<Electron.NativeImage>(new ImageDouble(path), 'NativeImage', platform),
    };
    const sessions = {
      get defaultSession() {
        app.requireReady('Session can only be received when app is ready');
        return asElectron<Electron.Session>(session, 'Session', platform);
      },
      fromPartition(partition: string, options?: Electron.FromPartitionOptions) {
        app.requireReady('Session can only be received when app is ready');
        refuseUnknown(options ?? {}, 'FromPartitionOptions');
        const known = partitions.get(partition) ?? new SessionDouble(platform);
        partitions.set(partition, known);
        return asElectron<Electron.Session>(known, 'Session', platform);
      },
    };
    this.parts = {
      app: asElectron<Electron.App>(app, 'App', platform),
      nativeTheme: asElectron<Electron.NativeTheme>(this.nativeTheme, 'NativeTheme', platform),
      autoUpdater: asElectron<Electron.AutoUpdater>(this.autoUpdater, 'AutoUpdater', platform),
      protocol: asElectron<Electron.Protocol>(protocol, 'Protocol', platform),
      safeStorage: asElectron<Electron.SafeStorage>(this.safeStorage, 'SafeStorage', platform),
      shell: asElectron<Electron.Shell>(this.shell, 'Shell', platform),
      dialog: asElectron<Electron.Dialog>(this.dialog, 'Dialog', platform),
      ipcMain: asElectron<Electron.IpcMain>(this.ipcMain, 'IpcMain', platform),
      clipboard: asElectron<Electron.Clipboard>(this.clipboard, 'Clipboard', platform),
      powerMonitor: asElectron<Electron.PowerMonitor>(this.powerMonitor, 'PowerMonitor', platform),
      screen: asElectron<Electron.Screen>(this.screen, 'Screen', platform),
      session: asElectronStatics<typeof Electron.session>(sessions, 'Session', platform),
      BrowserWindow: asElectronClass<typeof Electron.BrowserWindow>(Window, 'BrowserWindow', platform),
      Tray: asElectronClass<typeof Electron.Tray>(Tray, 'Tray', platform),
      Notification: asElectronClass<typeof Electron.Notification>(Notification, 'Notification', platform),
      Menu: asElectronClass<typeof Electron.Menu>(menus, 'Menu', platform),
      nativeImage: asElectronStatics<typeof Electron.nativeImage>(images, 'NativeImage', platform),
    };
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

  /** The menu of the whole app; undefined while it is Electron's default. */
  get applicationMenu(): MenuDouble | null | undefined {
    return this.#menus.applicationMenu;
  }

  /** Every menu that was made. */
  get menus(): readonly MenuDouble[] {
    return this.#menus.menus;
  }

  /** The module `electron` of the window's preload, and its exposed objects in the page. */
  renderer() {
    return rendererParts(this.ipcMain, this.window.contents);
  }
}
