/**
 * The desktop app: starts the relay on this computer and the engine, shows the window, stays in the tray.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserWindow } from 'electron';
import type { EventPayload } from '../bridge/contract.ts';
import { Connection, Conversation, type Settings } from '../bridge/shapes.ts';
import { normaliseRelayUrl } from '../client/check.ts';
import { type EmbeddedRelay, startEmbeddedRelay } from '../embedded/start.ts';
import { type EngineHandle, startEngine } from '../engine/start.ts';
import { type Calls, createCalls } from '../host/calls.ts';
import { lockDataFolder, makeDataFolder } from '../host/data-folder.ts';
import { readInterfaceFiles } from '../host/interface-files.ts';
import { APP_SCHEME, appSchemeHandler } from './app-scheme.ts';
import type { ElectronParts } from './electron.ts';
import { connectWindow } from './ipc.ts';
import { keyStoreProtection, openKey } from './key-store.ts';
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
  const { relay, data } = readArguments(options.args);
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
  const ready = app.whenReady().then(() => desktop.open(relay).catch((error) => giveUp(electron, error)));
  return { ready };
}

function giveUp({ app, dialog }: ElectronParts, error: unknown): null {
  dialog.showErrorBox('Waxwing cannot start', error instanceof Error ? error.message : String(error));
  app.exit(1);
  return null;
}

function readArguments(args: string[]): { relay: string | null; data: string | null } {
  const { values } = parseArgs({
    args,
    options: { relay: { type: 'string' }, data: { type: 'string' } },
    // Chromium has switches of its own.
    strict: false,
  });
  const { relay, data } = values;
  return {
    relay: typeof relay === 'string' ? relay : null,
    data: typeof data === 'string' ? data : null,
  };
}

class Desktop {
  readonly #electron: ElectronParts;
  readonly #options: AppOptions;
  #unlock: (() => void) | null = null;
  #embedded: EmbeddedRelay | null = null;
  #engine: EngineHandle | null = null;
  #window: BrowserWindow | null = null;
  #isQuitting = false;
  #closing: Promise<void> | null = null;

  constructor(electron: ElectronParts, options: AppOptions) {
    this.#electron = electron;
    this.#options = options;
    const { app } = electron;
    app.on('second-instance', () => this.#show());
    app.on('activate', () => this.#show());
    // With a listener here, closing the window does not end the app; the window's own handler decides.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
    app.on('will-quit', (event) => {
      if (!this.#engine && !this.#embedded) return;
      event.preventDefault();
      // Asked to quit again meanwhile, it is still one closing.
      this.#closing ??= this.#close().finally(() => {
        this.#closing = null;
        app.quit();
      });
    });
  }

  async open(relay: string | null): Promise<BrowserWindow> {
    try {
      return await this.#open(relay === null ? null : normaliseRelayUrl(relay));
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async #open(relay: string | null): Promise<BrowserWindow> {
    const { app, protocol, session, safeStorage } = this.#electron;
    const { paths, platform, openSettings } = this.#options;
    const folder = app.getPath('userData');
    protocol.handle('app', appSchemeHandler(readInterfaceFiles(paths.interface)));
    limitPermissions(session.defaultSession);

    this.#unlock = lockDataFolder(folder);
    const databaseKey = await openKey(safeStorage, folder, platform);
    const engine = await this.#startEngine(folder, databaseKey, relay);
    const calls = createCalls({
      engine,
      settings: openSettings(folder),
      info: {
        kind: 'electron',
        version: app.getVersion(),
        platform,
        keyProtection: keyStoreProtection(platform),
      },
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
    return window;
  }

  async #startEngine(folder: string, databaseKey: Uint8Array, fixed: string | null): Promise<EngineHandle> {
    const { workers } = this.#options;
    if (fixed === null) {
      this.#embedded = await startEmbeddedRelay({ dataDirectory: join(folder, 'embedded'), workers });
    }
    this.#engine = await startEngine({
      dataDirectory: join(folder, 'engine'),
      databaseKey,
      relays: { embedded: this.#embedded?.url ?? null, fixed },
      workers,
    });
    for (const part of [this.#engine, this.#embedded]) {
      void part?.ended.then((reason) => {
        if (reason !== null) this.#electron.dialog.showErrorBox('Waxwing has stopped working', reason);
      });
    }
    return this.#engine;
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
    });
    // The engine began while the window was loading: what it told before is asked for.
    void this.#askConnection(calls, state, tray);
    void this.#count(calls, state, tray);
    return stop;
  }

  async #askConnection(calls: Calls, state: TrayState, tray: WaxwingTray): Promise<void> {
    const answer = await calls.call('connection.get', {});
    if (!answer.ok) return;
    state.connection = Connection.parse(answer.value).state;
    tray.show(state);
  }

  async #count(calls: Calls, state: TrayState, tray: WaxwingTray): Promise<void> {
    const answer = await calls.call('conversations.list', {});
    if (!answer.ok) return;
    const conversations = Conversation.array().parse(answer.value);
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

  /** In order: the engine first, so that what it still has to say finds a relay. */
  async #close(): Promise<void> {
    await this.#engine?.close();
    await this.#embedded?.close();
    this.#engine = null;
    this.#embedded = null;
    this.#unlock?.();
    this.#unlock = null;
  }
}
