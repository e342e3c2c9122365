/**
 * The desktop app: starts the relay on this computer and the engine, shows the window, stays in the tray.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserWindow } from 'electron';
import type { EventPayload } from '../bridge/contract.ts';
import { Connection, Conversation, type Settings } from '../bridge/shapes.ts';
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
import { notifier } from './notifications.ts';
import { createTray, type TrayState, type WaxwingTray } from './tray.ts';
import { createWindow, limitPermissions } from './window.ts';

export interface AppOptions {
  /** Files that the build made or the package brings. */
  paths: { preload: string; interface: string; icons: { idle: string; unread: string } };
  /** The worker entries that the build made. */
  workers: { engine: URL; sealing: URL; embedded: URL; store: URL };
  /** Makes the file of settings in a folder. */
  openSettings: (folder: string) => { store: Settings };
  platform: NodeJS.Platform;
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
  if (options.platform === 'win32') app.setAppUserModelId(APP_ID);
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
  #isQuitting = false;
  #closing: Promise<void> | null = null;

  constructor(electron: ElectronParts, options: AppOptions) {
    this.#electron = electron;
    this.#options = options;
    const { app, clipboard } = electron;
    this.#clipboard = new AppClipboard(clipboard);
    app.on('second-instance', () => this.#show());
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
    const { paths, platform, openSettings, workers } = this.#options;
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
    const unfollow = this.#follow(calls, window);
    window.on('closed', () => {
      disconnect();
      unfollow();
      app.quit();
    });
    window.show();
    await waxwing.start();
    return window;
  }

  /** Tray, badge and notifications live on the engine's events. Returns the function that stops listening. */
  #follow(calls: Calls, window: BrowserWindow): () => void {
    const { app } = this.#electron;
    const tray = createTray(this.#electron, this.#options.paths.icons, {
      open: () => this.#show(),
      quit: () => app.quit(),
    });
    const state: TrayState = { unread: 0, connection: 'connecting' };
    const notify = notifier(this.#electron, window, calls.settings, (conversationId) => {
      this.#show();
      calls.tell('navigate.conversation', { conversationId });
    });
    const stop = calls.onEvent((name, payload) => {
      if (name === 'message.arrived') notify(payload as EventPayload<'message.arrived'>);
      if (name === 'connection.changed') {
        state.connection = (payload as Connection).state;
        tray.show(state);
      }
      if (name === 'conversations.changed') void this.#count(calls, state, tray);
      if (name === 'lock.changed') {
        // What the engine told before it was opened is asked for; while it is closed, nothing is shown.
        void this.#askConnection(calls, state, tray);
        void this.#count(calls, state, tray);
      }
    });
    return stop;
  }

  async #askConnection(calls: Calls, state: TrayState, tray: WaxwingTray): Promise<void> {
    const answer = await calls.call('connection.get', {});
    state.connection = answer.ok ? Connection.parse(answer.value).state : 'connecting';
    tray.show(state);
  }

  async #count(calls: Calls, state: TrayState, tray: WaxwingTray): Promise<void> {
    const answer = await calls.call('conversations.list', {});
    const conversations = answer.ok ? Conversation.array().parse(answer.value) : [];
    state.unread = conversations.reduce(
      (sum, { muted, unread, state: kind }) => (muted || kind === 'blocked' ? sum : sum + unread),
      0,
    );
    tray.show(state);
    this.#electron.app.setBadgeCount(state.unread);
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
