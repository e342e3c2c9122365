/**
 * The real app as a process, and its page over Chromium's remote debugging. Playwright's own launcher of Electron asks
 * Node's inspector, which a fuse has turned off in the packaged app; this way both are tested alike. Actions that need the
 * inspector, such as simulated sleep, are made where there is one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import type { Input, Output, ProcedureName } from '../../src/bridge/contract.ts';
import type { Answer } from '../../src/bridge/failure.ts';
import { hasStatusNotifier } from '../../src/main/tray/status-notifier.ts';
import { watched } from '../e2e/support/watched.ts';
import { WAIT_LIMIT } from '../support/limits.ts';
import { MainProcess } from './main-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Electron itself, or the packaged app; named by scripts/test.mjs, where it can run. */
export const binary = process.env.WAXWING_ELECTRON ?? '';
export const isPackaged = isPackagedApp(binary);

export const NO_INSPECTOR = 'A fuse of the packaged app has turned its inspector off.';

/** True if the desktop has a tray: without one, closing the window quits the app. */
export const hasTray = async () => process.platform !== 'linux' || hasStatusNotifier();

export class RunningApp implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly page: Page;
  readonly #main: MainProcess | null;
  readonly #browser: Browser;

  constructor(child: ChildProcess, browser: Browser, page: Page, main: MainProcess | null) {
    this.process = child;
    this.page = page;
    this.#main = main;
    this.#browser = browser;
  }

  /** Path that runs Node in Electron. Not for the packaged app, where such a test is skipped. */
  get main(): MainProcess {
    if (!this.#main) throw new Error('the packaged app has no inspector');
    return this.#main;
  }

  /** Calls a procedure as the interface does, and unwraps its answer. */
  async call<P extends ProcedureName>(name: P, input: Input<P>): Promise<Output<P>> {
    const answer = (await this.page.evaluate(
      ([called, given]) =>
        (
          globalThis as unknown as { waxwing: { calls: Record<string, (input: unknown) => unknown> } }
        ).waxwing.calls[called]?.(given),
      [name, input] as const,
    )) as Answer<Output<P>>;
    if (!answer.ok) throw new Error(answer.failure.code);
    return answer.value;
  }

  /** The window is closed by the person. */
  async closeWindow(): Promise<void> {
    // The page may be closed before it can answer.
    await this.page.evaluate(() => window.close()).catch(() => undefined);
  }

  /** Resolves with the exit code after the app has quit. A process under inspection waits for its inspector. */
  ended(): Promise<number | null> {
    this.#main?.close();
    return exitOf(this.process);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isRunning = this.process.exitCode === null && this.process.signalCode === null;
    // The hosted machines have no screen.
    const shot = isRunning ? await this.page.screenshot({ timeout: 5_000 }).catch(() => null) : null;
    if (shot) await test.info().attach('the window at the end', { body: shot, contentType: 'image/png' });
    this.#main?.close();
    if (isRunning) this.process.kill();
    try {
      await exitOf(this.process);
    } finally {
      this.process.kill('SIGKILL');
      await this.#browser.close();
    }
  }
}

/**
 * Exit code of a process that is about to end; null after a signal.
 * @throws Error if it still runs at the limit of the suite
 */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  await expect
    .poll(() => child.exitCode ?? child.signalCode, { message: 'the process of the app has not ended' })
    .not.toBeNull();
  return child.exitCode;
}

/** By its name, as Electron itself decides. */
function isPackagedApp(program: string): boolean {
  return !/^electron(?:\.exe)?$/i.test(basename(program));
}

/** A data folder that the command line names, or a folder in which the app finds its usual one. */
export type Place = string | { home: string };

/** The app finds its usual folder by the environment. On macOS the keychain would move too, so this does not work there. */
const environmentOf = (home: string) => ({ ...process.env, XDG_DATA_HOME: home, APPDATA: home });

/** Starts a process of the app, as from a terminal. */
export function startProcess(place: Place, args: string[] = [], program = binary): ChildProcess {
  const folder = typeof place === 'string' ? ['--data', place] : [];
  const given = [...folder, '--remote-debugging-port=0', ...args];
  return spawn(program, isPackagedApp(program) ? given : ['--inspect=0', root, ...given], {
    env: typeof place === 'string' ? process.env : environmentOf(place.home),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
}

/** Starts the app and waits for its window. */
export async function startApp(place: Place, args: string[] = [], program = binary): Promise<RunningApp> {
  const child = startProcess(place, args, program);
  const { devTools, inspector } = await addresses(child, isPackagedApp(program));
  await windowShown(devTools);
  // Playwright's defaults pretend focus, and then a hidden page counts as visible.
  const browser = watched(await chromium.connectOverCDP(devTools, { noDefaults: true, timeout: WAIT_LIMIT }));
  const main = inspector === null ? null : await MainProcess.connect(inspector);
  return new RunningApp(child, browser, await firstPage(browser), main);
}

/** Waits until the window has its page. A connection that begins while the page is replaced can wait for ever. */
async function windowShown(devTools: string): Promise<void> {
  const list = new URL('/json/list', devTools.replace(/^ws/, 'http'));
  await expect
    .poll(async () => {
      const targets = (await (await fetch(list)).json()) as { type: string; url: string }[];
      return targets.some(({ type, url }) => type === 'page' && url !== '' && url !== 'about:blank');
    })
    .toBe(true);
}

/** Debugging addresses of the page, and of the main process unless the app is packaged. */
async function addresses(
  child: ChildProcess,
  isAlone: boolean,
): Promise<{ devTools: string; inspector: string | null }> {
  if (!child.stderr) throw new Error('the app has no standard error');
  let devTools: string | null = null;
  let inspector: string | null = null;
  for await (const line of createInterface({ input: child.stderr })) {
    const [, of, address = ''] = /^(DevTools|Debugger) listening on (ws:\/\/.+)$/.exec(line) ?? [];
    if (of === 'DevTools') devTools = address;
    if (of === 'Debugger') inspector = address;
    if (devTools !== null && (isAlone || inspector !== null)) {
      // An unread full pipe would block the app.
      child.stderr.resume();
      return { devTools, inspector };
    }
  }
  throw new Error('the app ended before its window was there');
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('the app has no session');
  return context.pages()[0] ?? (await context.waitForEvent('page'));
}
