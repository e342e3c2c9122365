/**
 * Electron's windows and the pages in them.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { type AppDouble, PreventableEvent } from './app.ts';
import { refuseUnknown } from './options.ts';
import type { ProtocolDouble } from './web.ts';

/** A frame of a page, as the main process sees it. */
export type FrameDouble = Pick<Electron.WebFrameMain, 'origin' | 'url'>;

type OpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;

export class WebContentsDouble
  extends EventEmitter
  implements Pick<Electron.WebContents, 'send' | 'isDestroyed'>
{
  mainFrame: FrameDouble = { origin: 'null', url: 'about:blank' };
  /** Messages to the page go here: its ipcRenderer. */
  readonly page = new EventEmitter();
  #openHandler: OpenHandler | null = null;
  #isDestroyed = false;

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  send(channel: string, message: unknown): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
    const copy = structuredClone(message);
    setImmediate(() => this.page.emit(channel, {}, copy));
  }

  /** Drives: the page opens a window, by script or by a link with a target. */
  open(url: string): Electron.WindowOpenHandlerResponse['action'] {
    if (!this.#openHandler) return 'allow';
    // What the other fields say must not matter.
    return this.#openHandler({ url } as Electron.HandlerDetails).action;
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
}

export class BrowserWindowDouble
  extends EventEmitter
  implements
    Pick<
      Electron.BrowserWindow,
      | 'close'
      | 'focus'
      | 'hide'
      | 'isDestroyed'
      | 'isFocused'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'restore'
      | 'setContentProtection'
      | 'show'
    >
{
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents = new WebContentsDouble();
  /** Whether the system is asked to leave the window out of screenshots; null if nobody has said. */
  contentProtection: boolean | null = null;
  readonly #app: AppDouble;
  readonly #protocol: ProtocolDouble;
  #isVisible: boolean;
  #isFocused = false;
  #isMinimized = false;
  #isDestroyed = false;

  constructor(app: AppDouble, protocol: ProtocolDouble, options: Electron.BrowserWindowConstructorOptions) {
    super();
    app.requireReady('BrowserWindow');
    refuseUnknown(options, 'BrowserWindowConstructorOptions');
    refuseUnknown(options.webPreferences ?? {}, 'WebPreferences');
    this.options = options;
    this.#app = app;
    this.#protocol = protocol;
    this.#isVisible = options.show ?? true;
    app.windows.add(this);
  }

  async loadURL(url: string): Promise<void> {
    this.#requireAlive();
    const response = await this.#protocol.request(url);
    if (!response.ok) throw new Error(`ERR_FAILED (${response.status}) loading ${url}`);
    this.webContents.mainFrame = { url, origin: this.#protocol.originOf(url) };
  }

  show(): void {
    this.#requireAlive();
    this.#isVisible = true;
    this.#isFocused = true;
  }
  hide(): void {
    this.#requireAlive();
    this.#isVisible = false;
    this.#isFocused = false;
  }
  focus(): void {
    this.#requireAlive();
    this.#isFocused = true;
  }
  restore(): void {
    this.#requireAlive();
    this.#isMinimized = false;
  }
  setContentProtection(enable: boolean): void {
    this.#requireAlive();
    this.contentProtection = enable;
  }
  isVisible(): boolean {
    this.#requireAlive();
    return this.#isVisible;
  }
  isFocused(): boolean {
    this.#requireAlive();
    return this.#isFocused;
  }
  isMinimized(): boolean {
    this.#requireAlive();
    return this.#isMinimized;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Drives: the person turns to another window. */
  blur(): void {
    this.#isFocused = false;
  }

  /** Drives: the person minimises the window. */
  minimize(): void {
    this.#isMinimized = true;
    this.#isFocused = false;
  }

  /** What the person's click on the cross does, too. */
  close(): void {
    if (this.#isDestroyed) return;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) {
      this.#app.windowRefusedToClose();
      return;
    }
    this.#isDestroyed = true;
    this.webContents.destroy();
    this.#app.windows.delete(this);
    this.emit('closed');
    this.#app.windowWasClosed();
  }

  #requireAlive(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }
}
