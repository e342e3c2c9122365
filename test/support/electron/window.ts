/**
 * Electron's windows and the pages in them.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { type AppDouble, PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { visibleImage } from './desktop.ts';
import { asElectron, DeclaredEmitter } from './strict.ts';
import type { ProtocolDouble } from './web.ts';

/** Where pages are shown: a browser, in an end-to-end test. Without one, a page is no more than its address. */
export interface PageHost {
  /** Resolves when the page has loaded; whoever answers its request calls {@link WebContentsDouble.commit}. */
  load(url: string): Promise<void>;
  /** A message of the main process to the page. */
  receive(channel: string, message: unknown): void;
}

/** A frame of a page, as the main process sees it. */
export class FrameDouble implements Pick<Electron.WebFrameMain, 'origin' | 'url'> {
  readonly origin: string;
  readonly url: string;
  /** As the app sees it. */
  readonly webFrameMain: Electron.WebFrameMain;

  constructor(origin: string, url: string, platform: NodeJS.Platform = 'linux') {
    this.origin = origin;
    this.url = url;
    this.webFrameMain = asElectron<Electron.WebFrameMain>(this, 'WebFrameMain', platform);
  }
}

type OpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;

export class WebContentsDouble
  extends DeclaredEmitter
  implements
    Pick<Electron.WebContents, 'isDestroyed' | 'mainFrame' | 'reload' | 'send' | 'setWindowOpenHandler'>
{
  frame = new FrameDouble('null', 'about:blank');
  /** Messages to the page go here: its ipcRenderer. */
  readonly page = new EventEmitter();
  /** As the app sees it. */
  readonly webContents: Electron.WebContents;
  reloads = 0;
  isGone = false;
  readonly #platform: NodeJS.Platform;
  readonly #pages: PageHost | null;
  #openHandler: OpenHandler | null = null;

  constructor(platform: NodeJS.Platform, pages: PageHost | null) {
    super('WebContents', platform);
    this.#platform = platform;
    this.#pages = pages;
    this.webContents = asElectron<Electron.WebContents>(this, 'WebContents', platform, () => this.isGone);
  }

  get mainFrame(): Electron.WebFrameMain {
    return this.frame.webFrameMain;
  }

  /** Drives: a page is there, whose scripts are about to run. */
  commit(url: string, origin: string): void {
    this.frame = new FrameDouble(origin, url, this.#platform);
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  reload(): void {
    this.reloads++;
  }

  send(channel: string, message: unknown): void {
    const copy = structuredClone(message);
    setImmediate(() => {
      this.page.emit(channel, {}, copy);
      this.#pages?.receive(channel, copy);
    });
  }

  /** Drives: the page opens a window, by script or by a link with a target. */
  open(url: string): Electron.WindowOpenHandlerResponse['action'] {
    if (!this.#openHandler) return 'allow';
    // What the other fields say must not matter.
    const answer = this.#openHandler({ url } as Electron.HandlerDetails);
    refuseUnknown(answer, 'WindowOpenHandlerResponse');
    return answer.action;
  }

  /** Drives: something wants to navigate. Returns whether it may. */
  navigate(event: 'will-navigate' | 'will-frame-navigate' | 'will-redirect', url: string): boolean {
    const details = Object.assign(new PreventableEvent(), { url });
    this.emit(event, details);
    return !details.defaultPrevented;
  }

  /** Drives: the page holds a webview element. Returns whether it may be attached. */
  attachWebview(): boolean {
    const event = new PreventableEvent();
    this.emit('will-attach-webview', event, {}, {});
    return !event.defaultPrevented;
  }

  /** Drives: the page's process ends. */
  crash(reason: Electron.RenderProcessGoneDetails['reason']): void {
    this.emit('render-process-gone', new PreventableEvent(), { reason, exitCode: 1 });
  }
}

export interface WindowParts {
  app: AppDouble;
  protocol: ProtocolDouble;
  pages: PageHost | null;
}

export class BrowserWindowDouble
  extends DeclaredEmitter
  implements
    Pick<
      Electron.BrowserWindow,
      | 'close'
      | 'destroy'
      | 'focus'
      | 'hide'
      | 'isDestroyed'
      | 'isFocused'
      | 'isFullScreen'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'restore'
      | 'setFullScreen'
      | 'setOverlayIcon'
      | 'show'
      | 'webContents'
    >
{
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly contents: WebContentsDouble;
  /** On the window's button in the taskbar of Windows; null if there is none. */
  overlay: { path: string; description: string } | null = null;
  isGone = false;
  readonly #parts: WindowParts;
  #isVisible: boolean;
  #isFocused = false;
  #isMinimized = false;
  #isFullScreen = false;

  constructor(parts: WindowParts, options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', parts.app.platform);
    const { app } = parts;
    app.requireReady('Cannot create BrowserWindow before app is ready');
    refuseUnknown(options, 'BrowserWindowConstructorOptions');
    refuseUnknown(options.webPreferences ?? {}, 'WebPreferences');
    this.options = options;
    this.contents = new WebContentsDouble(app.platform, parts.pages);
    this.#parts = parts;
    this.#isVisible = options.show ?? true;
    app.windows.add(this);
  }

  get webContents(): Electron.WebContents {
    return this.contents.webContents;
  }

  async loadURL(url: string): Promise<void> {
    const { protocol, pages } = this.#parts;
    if (pages) {
      await pages.load(url);
      return;
    }
    const response = await protocol.request(url);
    if (!response.ok) throw new Error(`ERR_FAILED (${response.status}) loading ${url}`);
    this.contents.commit(url, protocol.originOf(url));
  }

  show(): void {
    this.#isVisible = true;
    this.#isFocused = true;
    this.emit('show');
    this.emit('focus');
  }
  hide(): void {
    this.#isVisible = false;
    this.#isFocused = false;
    this.emit('hide');
  }
  focus(): void {
    this.#isFocused = true;
  }
  restore(): void {
    this.#isMinimized = false;
  }
  isVisible(): boolean {
    return this.#isVisible;
  }
  isFocused(): boolean {
    return this.#isFocused;
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  isFullScreen(): boolean {
    return this.#isFullScreen;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }

  /** macOS takes a while for it; the event says when it is done. */
  setFullScreen(isWanted: boolean): void {
    this.#isFullScreen = isWanted;
    setImmediate(() => this.emit(isWanted ? 'enter-full-screen' : 'leave-full-screen'));
  }

  setOverlayIcon(image: Electron.NativeImage | null, description: string): void {
    this.overlay = image && { path: visibleImage(image).path, description };
  }

  /** Drives: the person turns to another window. */
  blur(): void {
    this.#isFocused = false;
    this.emit('blur');
  }

  /** Drives: the person minimises the window. */
  minimize(): void {
    this.#isMinimized = true;
    this.blur();
  }

  /** What the person's click on the cross does, too. */
  close(): void {
    if (this.isGone) return;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) this.#parts.app.windowRefusedToClose();
    else this.destroy();
  }

  /** As in Electron: nobody is asked. */
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.contents.isGone = true;
    this.#parts.app.windows.delete(this);
    this.emit('closed');
    this.#parts.app.windowWasClosed();
  }
}
