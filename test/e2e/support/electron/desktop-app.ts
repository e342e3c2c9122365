/**
 * The desktop app without Electron: the built main process in its own process, on the double of `electron`, and
 * its page in Chromium, with the built preload script.
 *
 * Differences from Electron: Chromium has no app:// scheme, so the page is at https://waxwing instead, a secure
 * origin too; the app's answers for app://waxwing are served there, headers and all, and the main process sees
 * app://waxwing. A window that is refused is opened and closed at once, where Electron opens none. A script sets
 * whether the window is visible, because the browser of a test has none.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page, Request, Route } from '@playwright/test';
import { type BirpcReturn, createBirpc } from 'birpc';
import { APP_ORIGIN } from '../../../../src/main/app-scheme.ts';
import type { Browser, Desktop, Setup } from '../../../support/electron/process.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { PreloadWorld } from './preload-world.ts';

const HERE = 'https://waxwing';
const PROCESS = fileURLToPath(new URL('../../../support/electron/process.ts', import.meta.url));
/** The built app; a run on the packed one sets its path. */
const PACKED_MAIN = process.env.WAXWING_PACKED_MAIN;
const MAIN = PACKED_MAIN ?? new URL('../../../../out/main/index.js', import.meta.url).href;

/** A message between the page and the main process. */
export interface Sent {
  channel: string;
  message: unknown;
}

export class DesktopApp {
  readonly page: Page;
  /** Actions and views of the person and the system. */
  readonly desktop: BirpcReturn<Desktop, Browser>;
  /** Messages from the page's own frame, from others in it, and to it. */
  readonly fromPage: Sent[] = [];
  readonly fromFrames: Sent[] = [];
  readonly toPage: Sent[] = [];
  /** Navigations of the page or a frame, and whether they are allowed. */
  readonly navigations: { url: string; mayGo: boolean }[] = [];
  /** Windows that it tried to open, and whether they are allowed. */
  readonly opened: { url: string; mayOpen: boolean }[] = [];
  /** Headers of the page's own document. */
  documentHeaders: Record<string, string> = {};
  /** Requests to anywhere else that got through policy and navigation. */
  readonly outside: string[] = [];
  preload: PreloadWorld | null = null;
  readonly #folder = temporaryFolder();
  readonly #child: ChildProcess;
  readonly #loaded = Promise.withResolvers<void>();
  #output = '';
  /** Addresses that the main process loads by itself. */
  #loading: string | null = null;

  /** Starts the process, which waits to become ready. @param args of its command line */
  constructor(page: Page, args: string[] = []) {
    this.page = page;
    mkdirSync(this.data, { recursive: true });
    const keyStoreKey = randomBytes(32).toString('base64');
    const isPackaged = PACKED_MAIN !== undefined;
    const setup: Setup = { main: MAIN, userData: this.data, keyStoreKey, isPackaged };
    const child = fork(PROCESS, [`--data=${this.data}`, ...args], {
      env: { ...process.env, WAXWING_DOUBLE: JSON.stringify(setup) },
      // Options other than those of the test runner.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += chunk;
      });
    }
    child.once('exit', () => this.#loaded.reject(new Error(`the app has ended: ${this.#output}`)));
    const browser: Browser = {
      load: (url, preload) => this.#load(url, preload),
      message: (channel, message) => {
        this.toPage.push({ channel, message });
        void this.preload?.deliver(channel, message);
      },
      attention: (isVisible, isFocused) => void this.#tellAttention(isVisible, isFocused),
    };
    this.desktop = createBirpc<Desktop, Browser>(browser, {
      post: (message) => child.connected && child.send(message),
      on: (listener) => child.on('message', listener),
      timeout: -1,
    });
  }

  /** Everything that the process has printed. */
  get output(): string {
    return this.#output;
  }

  /** The folder of the app's data. */
  get data(): string {
    return join(this.#folder.path, 'data');
  }

  /** URL of the relay on this computer, once the person has chosen it. */
  get relayUrl(): string {
    return `http://127.0.0.1:${readFileSync(join(this.data, 'embedded', 'port'), 'utf8')}`;
  }

  /** Makes Electron ready, and waits until the window shows the page. */
  async start(): Promise<void> {
    await this.page.addInitScript(followAttention);
    await this.page.context().route('**/*', (route) => this.#answer(route));
    this.page.context().on('page', (other) => void other.close());
    void this.desktop.becomeReady();
    await this.#loaded.promise;
  }

  /** Resolves with the exit code after the process has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async #load(url: string, preload: string): Promise<void> {
    const source = readFileSync(preload, 'utf8');
    this.preload = await PreloadWorld.install(this.page, source, (sender, channel, message) => {
      (sender === 'top' ? this.fromPage : this.fromFrames).push({ channel, message });
      void this.desktop.message(sender, channel, message);
    });
    const cdp = await this.page.context().newCDPSession(this.page);
    await cdp.send('Page.enable');
    cdp.on('Page.windowOpen', async (event) => {
      const url = toApp(event.url);
      this.opened.push({ url, mayOpen: await this.desktop.opens(url) });
    });
    this.#loading = toHere(url);
    const response = await this.page.goto(toHere(url));
    this.#loading = null;
    this.documentHeaders = (await response?.allHeaders()) ?? {};
    this.#loaded.resolve();
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const url = request.url();
    if (request.isNavigationRequest() && url !== this.#loading) {
      const frame = frameOf(request);
      // A window that was opened is closed at once.
      if (frame?.page() !== this.page) return route.abort('aborted');
      const mayGo = await this.desktop.navigates(toApp(url), frame === this.page.mainFrame());
      this.navigations.push({ url: toApp(url), mayGo });
      if (!mayGo) return route.abort('aborted');
    }
    if (!url.startsWith(`${HERE}/`)) {
      this.outside.push(url);
      return route.abort('addressunreachable');
    }
    const { status, headers, body } = await this.desktop.request(toApp(url), request.method());
    if (request.isNavigationRequest()) await this.desktop.commit(toApp(url));
    await route.fulfill({ status, headers, body: Buffer.from(body) });
  }

  /** The page receives this like the focus event of a window. */
  async #tellAttention(isVisible: boolean, isFocused: boolean): Promise<void> {
    const detail = { isVisible, isFocused };
    await this.page
      .evaluate(
        (attention) => window.dispatchEvent(new CustomEvent('test:attention', { detail: attention })),
        detail,
      )
      // It may have ended meanwhile.
      .catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    this.#folder[Symbol.dispose]();
  }
}

/** The first request of a new window arrives before its frame exists. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

const toApp = (url: string) => (url.startsWith(HERE) ? `${APP_ORIGIN}${url.slice(HERE.length)}` : url);
const toHere = (url: string) => (url.startsWith(APP_ORIGIN) ? `${HERE}${url.slice(APP_ORIGIN.length)}` : url);

/** Runs in the page before its scripts: focus and visibility follow the app's window. */
function followAttention(): void {
  let state = { isVisible: true, isFocused: true };
  document.hasFocus = () => state.isFocused;
  Object.defineProperty(document, 'visibilityState', { get: () => (state.isVisible ? 'visible' : 'hidden') });
  window.addEventListener('test:attention', (event) => {
    state = (event as CustomEvent<typeof state>).detail;
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event(state.isFocused ? 'focus' : 'blur'));
  });
}
