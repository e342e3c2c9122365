/**
 * The main process of an app that is not of this folder, on the double of `electron`, and called as its page would call
 * it. There is no browser: the contents of a page are tested in test/e2e.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Answer } from '../../../src/bridge/failure.ts';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import type { Callable } from '../engine.ts';
import type { Browser, Desktop, Setup } from './process.ts';

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));

interface Calls {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
}

export class HeadlessDesktop implements Callable, AsyncDisposable {
  readonly desktop: BirpcReturn<Desktop, Browser>;
  /** The address that the window was asked to load. */
  loaded: { url: string; preload: string } | null = null;
  output = '';
  readonly #child: ChildProcess;
  readonly #calls: Calls;
  readonly #exited: Promise<number | null>;

  /**
   * Starts the process, waits until it is ready, and until its window shows a page.
   * @param execArgv of its Node
   */
  static async start(setup: Setup, execArgv: string[] = []): Promise<HeadlessDesktop> {
    mkdirSync(setup.userData, { recursive: true });
    const shown = Promise.withResolvers<void>();
    const app = new HeadlessDesktop(setup, execArgv, shown.resolve);
    void app.#exited.then(() => shown.reject(new Error(`the app has ended: ${app.output}`)));
    void app.desktop.becomeReady();
    await shown.promise;
    return app;
  }

  private constructor(setup: Setup, execArgv: string[], onShown: () => void) {
    // An installed app would use the person's own folder.
    const child = fork(PROCESS, [`--data=${setup.userData}`], {
      env: { ...process.env, WAXWING_DOUBLE: JSON.stringify(setup) },
      // Options other than those of the test runner.
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#exited = once(child, 'exit').then(([code]) => code);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    let toPage: (message: unknown) => void = () => undefined;
    const browser: Browser = {
      load: async (url, preload) => {
        this.loaded = { url, preload };
        await this.desktop.commit(url);
        onShown();
      },
      message: (_channel, message) => toPage(message),
      attention: () => undefined,
    };
    this.desktop = createBirpc<Desktop, Browser>(browser, {
      post: (message) => child.connected && child.send(message),
      on: (listener) => child.on('message', listener),
      timeout: -1,
    });
    this.#calls = createBirpc<Calls, object>(
      { event: () => undefined },
      {
        post: (message) => void this.desktop.message('top', BRIDGE_CHANNEL, message),
        on: (listener) => {
          toPage = listener;
        },
        timeout: -1,
      },
    );
  }

  call(name: string, input: unknown): Promise<Answer<unknown>> {
    return this.#calls.call(name, input);
  }

  /** Resolves with the exit code after the process has ended by itself. */
  ended(): Promise<number | null> {
    return this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
