/**
 * The running app: the window, its session, and the system's events for starts, links, sleep and quitting.
 */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserWindow } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { log, logTo } from '../base/log.ts';
import { type LogFiles, logFolder, openLog } from '../base/node/log-files.ts';
import { MAX_FIRST_LINKS } from '../bridge/longest.ts';
import type { Settings } from '../bridge/settings.ts';
import type { OpenedLink } from '../bridge/shapes/app.ts';
import { normaliseRelayUrl } from '../client/check.ts';
import { type Calls, createCalls, filesIn, readSettings, receiptsIn } from '../host/calls.ts';
import { lockDataFolder } from '../host/data-folder.ts';
import type { Origin } from '../host/default-folder.ts';
import { readInterfaceFiles } from '../host/interface-files.ts';
import { removeOpened } from '../host/opened-files.ts';
import { proxyAsSet } from '../host/proxy-choice.ts';
import { Session } from '../host/session.ts';
import { appSchemeHandler, withFiles } from './app-scheme.ts';
import { backupDesktop } from './backup-desktop.ts';
import { AppClipboard } from './clipboard.ts';
import { followContentProtection } from './content-protection.ts';
import { DesktopLimits } from './desktop-limits.ts';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import { fileDesktop } from './file-desktop.ts';
import { helpActions, openFolder } from './help.ts';
import { connectWindow } from './ipc.ts';
import { findElectronKeyStore } from './key-store.ts';
import { isLink, linkIn, parseLink } from './links.ts';
import { followLoginItem, followNewName, HIDDEN_SWITCH, isHiddenStart } from './login-item.ts';
import { followRightClicks, setAppMenu } from './menu.ts';
import { type FollowScreen, followPower } from './power.ts';
import { Presence } from './presence.ts';
import { dictionariesOf, fetchNoDictionaries, followSpelling } from './spelling.ts';
import { followSystemEnd, type Signals } from './system-end.ts';
import { findSystemProxy } from './system-proxy.ts';
import { followTheme } from './theme.ts';
import { trayComes } from './tray/late-tray.ts';
import { askBeforeUnload } from './unload-question.ts';
import { RELEASE_KEY, UPDATE_SERVER } from './updates/release-key.ts';
import { ReleaseMemory } from './updates/release-memory.ts';
import { followProxy, UPDATE_PARTITION } from './updates/update-proxy.ts';
import { Updates } from './updates/updates.ts';
import { createWindow, limitPermissions } from './window.ts';
import { WindowPlace } from './window-place.ts';
import { failureText, language, t } from './words.ts';

export interface AppOptions {
  /** Files from the build or the package. */
  paths: { preload: string; interface: string; trayImages: string; icon: string };
  /** Worker entries from the build. */
  workers: { engine: URL; sealing: URL; files: URL; embedded: URL; store: URL };
  /** The default data folder. */
  dataFolder: (origin: Origin) => string;
  /** Creates the settings file in a folder. */
  openSettings: (folder: string) => { store: Settings };
  /** The updater for this system's packages; null for an unpackaged app. */
  updater: AppUpdater | null;
  /** True if this copy can replace itself: src/main/updates/self-install.ts. */
  installsUpdates: boolean;
  platform: NodeJS.Platform;
  signals: Signals;
  /** True if the desktop currently shows tray icons. */
  hasTray: () => Promise<boolean>;
  /** Reports the screen lock where Electron does not; null elsewhere. */
  followScreen: FollowScreen | null;
  /** The file that starts the app again: for an AppImage, the AppImage. */
  executable: string;
  /** The command line after the program's own name. */
  args: string[];
}

/** Parsed command line. */
export interface StartArguments {
  relay: string | null;
  /** The data folder, absolute; null for the default. */
  data: string | null;
  /** Same as for `waxwing serve`. */
  unprotectedKey: boolean;
}

export class Desktop {
  readonly #electron: ElectronParts;
  readonly #options: AppOptions;
  readonly #clipboard: AppClipboard;
  #unlock: (() => void) | null = null;
  #log: LogFiles | null = null;
  #session: Session | null = null;
  #window: BrowserWindow | null = null;
  #calls: Calls | null = null;
  #presence: Presence | null = null;
  #updates: Updates | null = null;
  readonly #links: OpenedLink[];
  /** The window was requested before it existed. */
  #isAwaited = false;
  #isQuitting = false;
  #closing: Promise<void> | null = null;

  constructor(electron: ElectronParts, options: AppOptions) {
    this.#electron = electron;
    this.#options = options;
    const { app, clipboard } = electron;
    this.#clipboard = new AppClipboard(clipboard);
    const link = linkIn(options.args);
    this.#links = link ? [link] : [];
    app.on('second-instance', (_event, argv) => this.#follow(linkIn(argv)));
    // macOS sends a link as an event, even before the app is ready.
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#follow(parseLink(url));
    });
    app.on('activate', () => this.#show());
    // With this listener, closing the window does not end the app; the window's own handler decides.
    app.on('window-all-closed', () => undefined);
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
    app.on('will-quit', (event) => {
      if (!this.#session) return;
      event.preventDefault();
      // A second quit request joins the running one.
      this.#closing ??= this.#close().finally(() => {
        this.#closing = null;
        app.quit();
      });
    });
  }

  /** Resolves with null if the person quits meanwhile. */
  async open(start: StartArguments): Promise<BrowserWindow | null> {
    const { relay } = start;
    try {
      return await this.#open({ ...start, relay: relay === null ? null : normaliseRelayUrl(relay) });
    } catch (error) {
      if (this.#isQuitting) return null;
      await this.#close();
      throw error;
    }
  }

  /** The window comes first, so that it can ask for the passphrase; then the key, then the engine. */
  async #open({ relay, data, unprotectedKey: mayBePlain }: StartArguments): Promise<BrowserWindow> {
    const { app, protocol, screen, session, safeStorage } = this.#electron;
    const { args, executable, paths, platform, openSettings, workers } = this.#options;
    const folder = app.getPath('userData');
    limitPermissions(session.defaultSession);
    fetchNoDictionaries(session.defaultSession);

    this.#unlock = lockDataFolder(
      folder,
      ({ data }) => void showError(this.#electron, t('desktop.app'), failureText(data)),
    );
    this.#log = openLog(logFolder(folder));
    logTo(this.#log.write);
    const settings = openSettings(folder);
    const pages = readInterfaceFiles(paths.interface, language);
    protocol.handle(
      'app',
      withFiles(
        appSchemeHandler(pages, () => readSettings(settings)),
        () => this.#calls?.files() ?? null,
      ),
    );
    const waxwing = new Session({
      folder,
      findStore: () => findElectronKeyStore(safeStorage, platform, folder),
      mayBePlain,
      relay,
      autoLockMinutes: () => readSettings(settings).autoLockMinutes,
      receipts: () => receiptsIn(readSettings(settings)),
      files: () => filesIn(readSettings(settings)),
      findProxy: proxyAsSet(() => readSettings(settings), findSystemProxy(session.defaultSession)),
      workers,
    });
    this.#session = waxwing;
    void waxwing.broken.then(({ data }) =>
      showError(this.#electron, t('desktop.stopped'), failureText(data)),
    );
    const updates = this.#startUpdates(folder, settings);
    this.#updates = updates;
    const limits = new DesktopLimits(
      this.#options.hasTray,
      () => dictionariesOf(session.defaultSession, platform),
      () => calls.emit('desktop.changed', {}),
    );
    const calls = createCalls({
      session: waxwing,
      settings,
      copy: (text, isSecret) => this.#clipboard.copy(text, isSecret),
      openFolder: (path) => openFolder(this.#electron, path),
      fileDesktop: fileDesktop(this.#electron, platform),
      backupDesktop: backupDesktop(this.#electron),
      receiveLink: () => {
        const link = this.#links.shift() ?? null;
        if (this.#links.length > 0) this.#calls?.emit('link.waiting', {});
        return link;
      },
      ...(updates && { updates }),
      desktop: () => limits.state(),
      restart: () => this.#restart(),
      info: { kind: 'electron', version: app.getVersion(), platform },
    });

    this.#calls = calls;
    if (this.#options.updater) followNewName(this.#electron, this.#options.updater, calls, data);
    setAppMenu(this.#electron, platform, helpActions(this.#electron, calls, this.#clipboard));
    // Linux shows the window's icon without a desktop entry, for example for an AppImage.
    const place = new WindowPlace(folder, screen);
    const icon = platform === 'linux' ? paths.icon : null;
    const look = { preload: paths.preload, icon, place: place.options() };
    const stopTheme = followTheme(this.#electron, calls);
    const window = await createWindow(this.#electron, look, (made) => {
      this.#window = made;
      const stops = [
        stopTheme,
        place.follow(made),
        connectWindow(this.#electron, made, calls),
        this.#showPresence(made, calls, waxwing, limits),
        followPower(this.#electron, waxwing, calls, this.#options.followScreen),
        followLoginItem(this.#electron, { platform, executable, data }, calls, settings),
        followContentProtection(made, calls, platform),
        followSpelling(this.#electron, calls, platform),
        updates?.onChange((state) => calls.emit('updates.changed', state)),
        () => updates?.close(),
        updates && followProxy(session.fromPartition(UPDATE_PARTITION, { cache: false }), calls),
      ];
      this.#followWindow(made, calls, () => {
        for (const stop of stops) stop?.();
      });
    });
    if (this.#isAwaited || !isHiddenStart(this.#electron, platform, args)) window.show();
    else void this.#stayHidden(window);
    await waxwing.start();
    log('info', 'app.started', { ms: Math.round(performance.now()) });
    return window;
  }

  /** After a start at login, the window stays hidden if there is a tray, or one appears. */
  async #stayHidden(window: BrowserWindow): Promise<void> {
    const tray = await trayComes(this.#options.hasTray);
    if (window.isDestroyed()) return;
    if (tray === 'late') this.#presence?.renewTray();
    if (tray === 'never') this.#show();
  }

  /** Closing hides the window, unless the person wants otherwise; the app ends with its window. */
  #followWindow(window: BrowserWindow, calls: Calls, onClosed: () => void): void {
    const { app } = this.#electron;
    followRightClicks(this.#electron, window);
    window.on('close', (event) => {
      const { keepInTray } = calls.settings();
      if (this.#isQuitting || keepInTray === false) return;
      event.preventDefault();
      void this.#leave(window, keepInTray);
    });
    const leaveWithoutQuestion = askBeforeUnload(this.#electron, window, () => {
      // The question has stopped it.
      this.#isQuitting = false;
      this.#show();
    });
    followSystemEnd(this.#electron, window, this.#options, () => {
      leaveWithoutQuestion();
      // Windows would end the installer, too.
      if (this.#options.platform === 'win32') this.#updates?.installLater();
      app.quit();
    });
    window.on('closed', () => {
      onClosed();
      app.quit();
    });
  }

  /**
   * Without a tray, a hidden window could not be opened again. The app quits, unless the person chose
   * otherwise.
   */
  async #leave(window: BrowserWindow, keepInTray: true | null): Promise<void> {
    const isKept = keepInTray ?? (await this.#options.hasTray());
    if (window.isDestroyed()) return;
    if (isKept) this.#hide(window);
    else this.#electron.app.quit();
  }

  /** On macOS a full-screen window would leave a black screen behind. */
  #hide(window: BrowserWindow): void {
    if (this.#options.platform !== 'darwin' || !window.isFullScreen()) {
      window.hide();
      return;
    }
    window.once('leave-full-screen', () => {
      if (!window.isDestroyed()) window.hide();
    });
    window.setFullScreen(false);
  }

  /** Ends in order, and starts again with the person's arguments and a visible window. */
  #restart(): void {
    const { app } = this.#electron;
    const { args, executable } = this.#options;
    // From a checkout Electron restarts with its own arguments. An AppImage is mounted again.
    const ours = args.filter((each) => each !== HIDDEN_SWITCH && !isLink(each));
    app.relaunch(app.isPackaged ? { execPath: executable, args: ours } : {});
    app.quit();
  }

  #showPresence(window: BrowserWindow, calls: Calls, session: Session, limits: DesktopLimits): () => void {
    const { paths, platform } = this.#options;
    this.#presence = new Presence(this.#electron, {
      calls,
      session,
      window,
      images: paths.trayImages,
      platform,
      open: () => this.#show(),
      limits,
    });
    return () => this.#presence?.close();
  }

  #startUpdates(folder: string, settings: { store: Settings }): Updates | null {
    const { updater, installsUpdates: installs, platform } = this.#options;
    if (!updater) return null;
    return new Updates({
      updater,
      installs,
      downloads: join(folder, 'updates'),
      native: platform === 'darwin' ? this.#electron.autoUpdater : null,
      server: UPDATE_SERVER,
      key: RELEASE_KEY,
      memory: new ReleaseMemory(join(folder, 'releases.json')),
      channel: () => readSettings(settings).updateChannel,
      mayCheck: () => readSettings(settings).checkForUpdates,
    });
  }

  /** Shows the window, which asks the person to confirm the link. */
  #follow(link: OpenedLink | null): void {
    if (!this.#window) this.#isAwaited = true;
    this.#show();
    if (!link) return;
    // The page is loading or locked. A program can open one link again and again, and must not fill all places with it.
    const isWaiting = this.#links.some((each) => isDeepStrictEqual(each, link));
    if (!isWaiting && this.#links.length < MAX_FIRST_LINKS) this.#links.push(link);
    this.#calls?.emit('link.waiting', {});
  }

  #show(): void {
    const window = this.#window;
    if (!window || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // On macOS another app would stay in front.
    if (this.#options.platform === 'darwin') this.#electron.app.focus({ steal: true });
  }

  /** Never rejects: a failure must not keep the app from ending. */
  async #close(): Promise<void> {
    await Promise.allSettled([this.#clipboard.clearSecret(), this.#session?.close()]);
    if (this.#session) removeOpened(this.#session.folder);
    this.#session = null;
    logTo(null);
    await this.#log?.close();
    this.#log = null;
    this.#unlock?.();
    this.#unlock = null;
  }
}
