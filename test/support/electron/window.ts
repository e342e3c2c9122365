/**
 * Electron's windows.
 */
import type * as Electron from 'electron';
import { type AppDouble, PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { ImageDouble, visibleImage } from './desktop.ts';
import { DeclaredEmitter } from './strict.ts';
import type { ProtocolDouble } from './web.ts';
import { type PageHost, WebContentsDouble } from './web-contents.ts';

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
      | 'getNormalBounds'
      | 'hide'
      | 'isDestroyed'
      | 'isFocused'
      | 'isFullScreen'
      | 'isMaximized'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'maximize'
      | 'restore'
      | 'setContentProtection'
      | 'setFullScreen'
      | 'setOverlayIcon'
      | 'show'
      | 'webContents'
    >
{
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly contents: WebContentsDouble;
  /** Overlay on the window's button in the Windows taskbar; null if there is none. */
  overlay: { path: string; description: string } | null = null;
  /** True if the window is excluded from screenshots; null if not set. */
  contentProtection: boolean | null = null;
  isGone = false;
  readonly #parts: WindowParts;
  #isVisible: boolean;
  #isFocused = false;
  #isMinimized = false;
  #isMaximized = false;
  #isFullScreen = false;
  #bounds: Electron.Rectangle;

  constructor(parts: WindowParts, options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', parts.app.platform);
    const { app } = parts;
    app.requireReady('Cannot create BrowserWindow before app is ready');
    refuseUnknown(options, 'BrowserWindowConstructorOptions');
    refuseUnknown(options.webPreferences ?? {}, 'WebPreferences');
    if (typeof options.icon === 'string') visibleImage(new ImageDouble(options.icon));
    this.options = options;
    this.contents = new WebContentsDouble(app.platform, parts.pages);
    this.#parts = parts;
    this.#isVisible = options.show ?? true;
    const { x = 100, y = 100, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
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
  setContentProtection(enable: boolean): void {
    this.contentProtection = enable;
  }
  /** As in Electron: it also becomes visible. */
  maximize(): void {
    this.#isMaximized = true;
    if (!this.#isVisible) this.show();
    this.emit('maximize');
  }
  isMaximized(): boolean {
    return this.#isMaximized;
  }
  getNormalBounds(): Electron.Rectangle {
    return this.#bounds;
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

  /** On macOS this needs a while; the event reports the end. */
  setFullScreen(isWanted: boolean): void {
    this.#isFullScreen = isWanted;
    setImmediate(() => this.emit(isWanted ? 'enter-full-screen' : 'leave-full-screen'));
  }

  setOverlayIcon(image: Electron.NativeImage | null, description: string): void {
    this.overlay = image && { path: visibleImage(image).path, description };
  }

  /** Drives: the person drags the window and its edges. */
  drag(bounds: Electron.Rectangle): void {
    this.#isMaximized = false;
    this.#bounds = bounds;
    this.emit('move');
    this.emit('resize');
  }

  /** Drives: the person switches to another window. */
  blur(): void {
    this.#isFocused = false;
    this.emit('blur');
  }

  /** Drives: the person minimises the window. */
  minimize(): void {
    this.#isMinimized = true;
    this.blur();
  }

  /** Also called by the close button. */
  close(): void {
    if (this.isGone) return;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented || !this.contents.mayUnload()) this.#parts.app.windowRefusedToClose();
    else this.destroy();
  }

  /** As in Electron: without asking. */
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.contents.isGone = true;
    this.#parts.app.windows.delete(this);
    this.emit('closed');
    this.#parts.app.windowWasClosed();
  }
}
