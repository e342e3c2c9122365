/**
 * Electron's `app`: calls that are allowed before and after `ready`, and the order of events when it quits.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import type * as Electron from 'electron';
import { refuseUnknown } from './declarations.ts';
import { asElectron, DeclaredEmitter } from './strict.ts';

/** An event that a listener can prevent, as Electron's are. */
export class PreventableEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** The program of a Windows command line: the part in quotes, or the part before the first space. */
function programOf(commandLine: string): string {
  return /^"([^"]*)"/.exec(commandLine)?.[1] ?? commandLine.split(' ', 1)[0] ?? '';
}

/** A window, as far as ending the app goes. */
interface Closable {
  close(): void;
  destroy(): void;
}

export interface AppState {
  /** The folder of the app's data. */
  userData: string;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Version in package.json. */
  version: string;
  /** The folder with package.json; in a package, its archive. */
  appPath: string;
}

export class AppDouble
  extends DeclaredEmitter
  implements
    Pick<
      Electron.App,
      | 'commandLine'
      | 'enableSandbox'
      | 'exit'
      | 'focus'
      | 'getAppPath'
      | 'getLoginItemSettings'
      | 'getName'
      | 'getPath'
      | 'getPreferredSystemLanguages'
      | 'getVersion'
      | 'isPackaged'
      | 'quit'
      | 'relaunch'
      | 'requestSingleInstanceLock'
      | 'setAppUserModelId'
      | 'setAsDefaultProtocolClient'
      | 'setBadgeCount'
      | 'setDesktopName'
      | 'setLoginItemSettings'
      | 'setName'
      | 'setPath'
      | 'setToastActivatorCLSID'
      | 'whenReady'
    >
{
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Chromium's switches on the command line. */
  readonly switches = new Set<string>();
  readonly commandLine: Electron.CommandLine;
  /** True if another instance already has the lock. */
  otherInstance = false;
  sandboxed = false;
  badge = 0;
  modelId: string | null = null;
  toastActivator: string | null = null;
  /** The options of its restart. */
  readonly relaunches: Electron.RelaunchOptions[] = [];
  /** Name of the desktop entry on Linux; null is that of package.json. */
  desktopName: string | null = null;
  protocolScheme: string | null = null;
  loginItem: Electron.Settings | null = null;
  wasOpenedAtLogin = false;
  /** True if the Task Manager of Windows allows it to start. */
  isLoginItemActive = true;
  /** Message of macOS for a refused login item; null: accepted. Nothing is thrown, as in Electron. */
  loginItemRefused: 'requires-approval' | 'not-found' | null = null;
  /** Reason why the system shows no notifications, such as an unsigned app; null: it shows them. */
  notificationsRefused: string | null = null;
  /** True if macOS has asked the person about notifications, which it does at the first query. */
  mayNotifyAsked = false;
  /** True if it is in the foreground. */
  isInFront = false;
  /** The code that the process ended with, or null while it runs. */
  exitCode: number | null = null;
  /** Resolves when the process ends. */
  readonly exited: Promise<number>;
  readonly windows = new Set<Closable>();
  readonly #ended = Promise.withResolvers<number>();
  readonly #ready = Promise.withResolvers<void>();
  /** Starts of other instances, which the real one reports when it is ready. */
  #startsBefore: string[][] = [];
  #isReady = false;
  #isQuitting = false;
  #userData: string;
  readonly #version: string;
  readonly #appPath: string;
  #name = 'Waxwing';

  constructor({ userData, platform, isPackaged, version, appPath }: AppState) {
    super('App', platform);
    this.#appPath = appPath;
    const commandLine = { hasSwitch: (name: string) => this.switches.has(name) };
    this.commandLine = asElectron<Electron.CommandLine>(commandLine, 'CommandLine', platform);
    this.#version = version;
    this.#userData = userData;
    this.platform = platform;
    this.isPackaged = isPackaged;
    this.exited = this.#ended.promise;
  }

  /** Drives: Electron has started. */
  becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
    this.emit('ready', new PreventableEvent(), {});
    for (const args of this.#startsBefore) this.startAgain(args);
    this.#startsBefore = [];
  }

  /** Drives: the person starts the app again. */
  startAgain(args: string[] = []): void {
    if (!this.#isReady) {
      this.#startsBefore.push(args);
      return;
    }
    this.emit('second-instance', new PreventableEvent(), ['/opt/Waxwing/waxwing', ...args], '/', null);
  }

  /** Drives: macOS passes a link to the app. */
  openUrl(url: string): PreventableEvent {
    const event = new PreventableEvent();
    this.emit('open-url', event, url);
    return event;
  }

  /** Drives: a server requests a client certificate. Returns the app's answer; null is none. */
  askForCertificate(stored: Electron.Certificate): Electron.Certificate | null {
    const event = new PreventableEvent();
    const answers: (Electron.Certificate | undefined)[] = [];
    const answer = (shown?: Electron.Certificate) => answers.push(shown);
    this.emit('select-client-certificate', event, null, 'https://example.org', [stored], answer);
    if (!event.defaultPrevented) return stored;
    if (answers.length !== 1) throw new Error('the server was not answered once');
    return answers[0] ?? null;
  }

  /** @throws Error with the real one's message before it is ready */
  requireReady(refusal: string): void {
    if (!this.#isReady) throw new Error(refusal);
  }

  /** @throws Error with the real one's message once it is ready */
  requireNotReady(refusal: string): void {
    if (this.#isReady) throw new Error(refusal);
  }

  isReady(): boolean {
    return this.#isReady;
  }

  enableSandbox(): void {
    this.requireNotReady('app.enableSandbox() can only be called before app is ready');
    this.sandboxed = true;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  requestSingleInstanceLock(): boolean {
    return !this.otherInstance;
  }

  /** Languages, in the person's order in the system's settings. */
  systemLanguages = ['en-US'];

  getPreferredSystemLanguages(): string[] {
    this.requireReady('app.getPreferredSystemLanguages() can only be called after app is ready');
    return this.systemLanguages;
  }

  getVersion(): string {
    return this.#version;
  }

  getName(): string {
    return this.#name;
  }

  /** Fails when the app is ready: the keychain item already has its name then. */
  setName(name: string): void {
    this.requireNotReady('the name was read when the app became ready');
    this.#name = name;
  }

  setDesktopName(name: string): void {
    this.requireNotReady('app.setDesktopName must be called before the ready event');
    this.desktopName = name;
  }

  getAppPath(): string {
    return this.#appPath;
  }

  getPath(name: string): string {
    if (name === 'appData') return dirname(this.#userData);
    if (name !== 'userData') throw new Error(`Failed to get '${name}' path`);
    return this.#userData;
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`the double knows no path called ${name}`);
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!existsSync(path)) throw new Error('Path does not exist');
    this.#userData = path;
  }

  relaunch(options: Electron.RelaunchOptions = {}): boolean {
    refuseUnknown(options, 'RelaunchOptions');
    this.relaunches.push(options);
    return true;
  }

  setToastActivatorCLSID(id: string): void {
    if (!/^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(id))
      throw new Error('Invalid CLSID format');
    this.toastActivator = id;
  }

  setAppUserModelId(id: string): void {
    this.modelId = id;
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.protocolScheme = scheme;
    return true;
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    refuseUnknown(settings, 'Settings');
    if (this.loginItemRefused === null) this.loginItem = settings;
  }

  /**
   * As on Windows: an entry is found by its program and arguments; whether it is active by its program
   * alone, for which the path counts as a command line.
   */
  getLoginItemSettings(options: Electron.LoginItemSettingsOptions = {}): Electron.LoginItemSettings {
    refuseUnknown(options, 'LoginItemSettingsOptions');
    const { path, args } = this.loginItem ?? {};
    const isThis = path === options.path && JSON.stringify(args) === JSON.stringify(options.args);
    const openAtLogin = isThis && (this.loginItem?.openAtLogin ?? false);
    return {
      openAtLogin,
      wasOpenedAtLogin: this.wasOpenedAtLogin,
      status: this.loginItemRefused ?? (openAtLogin ? 'enabled' : 'not-registered'),
      executableWillLaunchAtLogin:
        this.loginItem?.openAtLogin === true &&
        programOf(options.path ?? '') === path &&
        this.isLoginItemActive,
      launchItems: [],
    };
  }

  focus(options: Electron.FocusOptions = { steal: false }): void {
    refuseUnknown(options, 'FocusOptions');
    this.isInFront = options.steal;
  }

  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }

  /** As in Electron: before-quit, every window closes unless one refuses, will-quit, quit, the end. */
  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    const event = new PreventableEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) {
      this.#isQuitting = false;
      return;
    }
    if (this.windows.size === 0) this.#shutDown();
    for (const window of [...this.windows]) window.close();
  }

  /** As in Electron: there is no question, windows are destroyed, and only `quit` is emitted. */
  exit(code = 0): void {
    if (this.exitCode !== null) return;
    this.#isQuitting = true;
    for (const window of [...this.windows]) window.destroy();
    this.#end(code);
  }

  windowRefusedToClose(): void {
    this.#isQuitting = false;
  }

  windowWasClosed(): void {
    if (this.windows.size > 0 || this.exitCode !== null) return;
    if (this.#isQuitting) {
      this.#shutDown();
      return;
    }
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #shutDown(): void {
    if (this.exitCode !== null) return;
    const event = new PreventableEvent();
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#isQuitting = false;
    else this.#end(0);
  }

  #end(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.emit('quit', new PreventableEvent(), code);
    this.#ended.resolve(code);
  }
}
