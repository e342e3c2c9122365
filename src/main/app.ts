/**
 * The desktop app: starts the relay on this computer and the engine, shows the window, stays in the tray.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserWindow } from 'electron';
import type { Settings } from '../bridge/shapes.ts';
import { normaliseRelayUrl } from '../client/check.ts';
import { type Calls, createCalls, readSettings } from '../host/calls.ts';
import { lockDataFolder, makeDataFolder } from '../host/data-folder.ts';
import { readInterfaceFiles } from '../host/interface-files.ts';
import { Session } from '../host/session.ts';
import { APP_SCHEME, appSchemeHandler } from './app-scheme.ts';
import { AppClipboard } from './clipboard.ts';
import type { ElectronParts } from './electron.ts';
import { connectWindow } from './ipc.ts';
import { findElectronKeyStore } from './key-store.ts';
import { type ContactLink, linkIn, parseLink } from './links.ts';
import { isHiddenStart, setLoginItem } from './login-item.ts';
import { Presence } from './presence.ts';
import { createWindow, limitPermissions } from './window.ts';

export interface AppOptions {
  /** Files that the build made or the package brings. */
  paths: { preload: string; interface: string; trayImages: string };
  /** The worker entries that the build made. */
  workers: { engine: URL; sealing: URL; embedded: URL; store: URL };
  /** Makes the file of settings in a folder. */
  openSettings: (folder: string) => { store: Settings };
  platform: NodeJS.Platform;
  /** What starts the app again: of an AppImage, its file. */
  executable: string;
  /** The command line after the program's own name. */
  args: string[];
}

/** As in electron-builder.yml. */
const APP_ID = 'dev.waxwing.app';

/** The running app, for whoever has started it. */
export interface WaxwingApp {
  /** Resolves when the window shows the interface; null if another instance was there first. */
  readonly ready: Promise<BrowserWindow | null>;
}

/** Starts the app. Has to be called before Electron is ready. */
export function startApp(electron: ElectronParts, options: AppOptions): WaxwingApp {
  const { app, protocol } = electron;
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  // Windows shows notifications only of a program that says which entry of the start menu it is.
  if (options.platform === 'win32') {
    app.setAppUserModelId(APP_ID);
    // The other systems learn it from the package.
    if (app.isPackaged) app.setAsDefaultProtocolClient('waxwing');
  }
  const { relay, data, unprotectedKey } = readArguments(options.args);
  try {
    // Before the lock, which is one for each such folder. Chromium keeps its own files there too.
    if (data !== null) app.setPath('userData', makeDataFolder(resolve(data)));
  } catch (error) {
    return { ready: Promise.resolve(giveUp(electron, error)) };
  }
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return { ready: Promise.resolve(null) };
  }
  const desktop = new Desktop(electron, options);
  const ready = app
    .whenReady()
    .then(() => desktop.open(relay, unprotectedKey).catch((error) => giveUp(electron, error)));
  return { ready };
}

function giveUp({ app, dialog }: ElectronParts, error: unknown): null {
  dialog.showErrorBox('Waxwing cannot start', error instanceof Error ? error.message : String(error));
  app.exit(1);
  return null;
}

interface Arguments {
  relay: string | null;
  data: string | null;
  /** As for `waxwing serve`. */
  unprotectedKey: boolean;
}

function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      relay: { type: 'string' },
      data: { type: 'string' },
      'unprotected-key': { type: 'boolean' },
    },
    // Chromium has switches of its own.
    strict: false,
  });
  const { relay, data } = values;
  return {
    relay: typeof relay === 'string' ? relay : null,
    data: typeof data === 'string' ? data : null,
    unprotectedKey: values['unprotected-key'] === true,
  };
}

class Desktop {
  readonly #electron: ElectronParts;
  readonly #options: AppOptions;
  readonly #clipboard: AppClipboard;
  #unlock: (() => void) | null = null;
  #session: Session | null = null;
  #window: BrowserWindow | null = null;
  #calls: Calls | null = null;
  #link: ContactLink | null;
  #isQuitting = false;
  #closing: Promise<void> | null = null;

  constructor(electron: ElectronParts, options: AppOptions) {
    this.#electron = electron;
    this.#options = options;
    const { app, clipboard } = electron;
    this.#clipboard = new AppClipboard(clipboard);
    this.#link = linkIn(options.args);
    app.on('second-instance', (_event, argv) => this.#follow(linkIn(argv)));
    // macOS brings a link as an event, also before the app is ready.
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#follow(parseLink(url));
    });
    app.on('activate', () => this.#show());
    // With a listener here, closing the window does not end the app; the window's own handler decides.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
    app.on('will-quit', (event) => {
      if (!this.#session) return;
      event.preventDefault();
      // Asked to quit again meanwhile, it is still one closing.
      this.#closing ??= this.#close().finally(() => {
        this.#closing = null;
        app.quit();
      });
    });
  }

  async open(relay: string | null, unprotectedKey: boolean): Promise<BrowserWindow> {
    try {
      return await this.#open(relay === null ? null : normaliseRelayUrl(relay), unprotectedKey);
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  /** The window first, so that it can ask for the passphrase; then the key, then the engine. */
  async #open(relay: string | null, mayBePlain: boolean): Promise<BrowserWindow> {
    const { app, protocol, session, safeStorage, dialog } = this.#electron;
    const { args, paths, platform, openSettings, workers } = this.#options;
    const folder = app.getPath('userData');
    protocol.handle('app', appSchemeHandler(readInterfaceFiles(paths.interface)));
    limitPermissions(session.defaultSession);

    this.#unlock = lockDataFolder(folder);
    const settings = openSettings(folder);
    const waxwing = new Session({
      folder,
      findStore: () => findElectronKeyStore(safeStorage, platform),
      mayBePlain,
      relay,
      autoLockMinutes: () => readSettings(settings).autoLockMinutes,
      workers,
    });
    this.#session = waxwing;
    void waxwing.broken.then((reason) => dialog.showErrorBox('Waxwing has stopped working', reason));
    const calls = createCalls({
      session: waxwing,
      settings,
      copy: (text, isSecret) => this.#clipboard.copy(text, isSecret),
      takeLink: () => {
        const link = this.#link;
        this.#link = null;
        return link;
      },
      info: { kind: 'electron', version: app.getVersion(), platform },
    });

    const window = await createWindow(this.#electron, paths.preload);
    this.#window = window;
    const disconnect = connectWindow(this.#electron, window, calls);
    window.on('close', (event) => {
      if (this.#isQuitting || !calls.settings().keepInTray) return;
      event.preventDefault();
      window.hide();
    });
    const presence = new Presence(this.#electron, {
      calls,
      session: waxwing,
      window,
      images: paths.trayImages,
      platform,
      open: () => this.#show(),
    });
    const stopWaking = this.#wakeWith(calls);
    const stopFollowing = this.#followLoginItem(calls);
    window.on('closed', () => {
      disconnect();
      presence.close();
      stopWaking();
      stopFollowing();
      app.quit();
    });
    if (!isHiddenStart(this.#electron, platform, args)) window.show();
    await waxwing.start();
    this.#calls = calls;
    return window;
  }

  /** A computer that slept, or was locked, asks the relay at once. */
  #wakeWith(calls: Calls): () => void {
    const { powerMonitor } = this.#electron;
    const wake = () => void calls.call('connection.retry', {});
    powerMonitor.on('resume', wake);
    powerMonitor.on('unlock-screen', wake);
    return () => {
      powerMonitor.off('resume', wake);
      powerMonitor.off('unlock-screen', wake);
    };
  }

  /** Keeps the system's list of what starts at login true to the setting. */
  #followLoginItem(calls: Calls): () => void {
    const { platform, executable } = this.#options;
    let isSet = calls.settings().startAtLogin;
    return calls.onEvent((name) => {
      const isWanted = calls.settings().startAtLogin;
      if (name !== 'settings.changed' || isWanted === isSet) return;
      isSet = isWanted;
      try {
        setLoginItem(this.#electron, { platform, executable }, isWanted);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#electron.dialog.showErrorBox('Waxwing cannot change what starts at login', reason);
      }
    });
  }

  /** Shows the window, which asks the person whether they want what the link asks for. */
  #follow(link: ContactLink | null): void {
    this.#show();
    if (!link) return;
    this.#link = link;
    this.#calls?.tell('link.waiting', {});
  }

  #show(): void {
    const window = this.#window;
    if (!window || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  async #close(): Promise<void> {
    await this.#clipboard.clearSecret();
    await this.#session?.close();
    this.#session = null;
    this.#unlock?.();
    this.#unlock = null;
  }
}
