/**
 * Electron's pages: their frames, their events, and their restrictions.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { asElectron, DeclaredEmitter } from './strict.ts';

/** The place of pages: a browser, in an end-to-end test. Without one, a page is only an address. */
export interface PageHost {
  /** Resolves when the page has loaded; the test that answers its request calls {@link WebContentsDouble.commit}. */
  load(url: string): Promise<void>;
  /** A message of the main process to the page. */
  receive(channel: string, message: unknown): void;
}

/** A frame of a page, as the main process sees it. */
export class FrameDouble implements Pick<Electron.WebFrameMain, 'origin' | 'url'> {
  readonly origin: string;
  readonly url: string;
  /** The app's view of it. */
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
    Pick<
      Electron.WebContents,
      'isDestroyed' | 'mainFrame' | 'reload' | 'replaceMisspelling' | 'send' | 'setWindowOpenHandler'
    >
{
  frame = new FrameDouble('null', 'about:blank');
  /** Messages to the page go here: its ipcRenderer. */
  readonly page = new EventEmitter();
  /** The app's view of it. */
  readonly webContents: Electron.WebContents;
  reloads = 0;
  /** Drives: the page would lose data, and prevents it in `beforeunload`. */
  asksBeforeUnload = false;
  /** The replacement of the word under the pointer. */
  readonly replaced: string[] = [];
  isGone = false;
  readonly #platform: NodeJS.Platform;
  readonly #pages: PageHost | null;
  #openHandler: OpenHandler | null = null;
  #isCrashing = false;

  constructor(platform: NodeJS.Platform, pages: PageHost | null) {
    super('WebContents', platform);
    this.#platform = platform;
    this.#pages = pages;
    this.webContents = asElectron<Electron.WebContents>(this, 'WebContents', platform, () => this.isGone);
  }

  get mainFrame(): Electron.WebFrameMain {
    return this.frame.webFrameMain;
  }

  /** Drives: a page has loaded, and its scripts are about to run. */
  commit(url: string, origin: string): void {
    this.frame = new FrameDouble(origin, url, this.#platform);
    this.emit('did-navigate', new PreventableEvent(), url, 200, '');
  }

  /** True if the page may close. As in Electron, it stays if it asks a question, unless the app prevents that. */
  mayUnload(): boolean {
    if (!this.asksBeforeUnload) return true;
    const event = new PreventableEvent();
    this.emit('will-prevent-unload', event);
    return event.defaultPrevented;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  replaceMisspelling(text: string): void {
    this.replaced.push(text);
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  /** Called during `render-process-gone`, this ended all of Electron, until Electron emitted that event later. */
  reload(): void {
    if (this.#isCrashing) throw new Error('the process of the page is still being taken down');
    if (!this.mayUnload()) return;
    this.asksBeforeUnload = false;
    this.reloads++;
    this.commit(this.frame.url, this.frame.origin);
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
    // The values of the other fields are irrelevant.
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

  /** Drives: the page contains a webview element. Returns whether it may be attached. */
  attachWebview(): boolean {
    const event = new PreventableEvent();
    this.emit('will-attach-webview', event, {}, {});
    return !event.defaultPrevented;
  }

  /** Drives: the page's process ends. */
  crash(reason: Electron.RenderProcessGoneDetails['reason']): void {
    this.#isCrashing = true;
    this.emit('render-process-gone', new PreventableEvent(), { reason, exitCode: 1 });
    this.#isCrashing = false;
  }
}
