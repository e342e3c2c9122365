/**
 * The real app as a process, and its page over Chromium's remote debugging. Playwright's own launcher of Electron asks
 * Node's inspector, which a fuse has turned off in the packaged app; this way both are tested alike.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Electron itself, or the packaged app; named by scripts/test.mjs, where it can run. */
export const binary = process.env.WAXWING_ELECTRON ?? '';
export const isPackaged = !/^electron(?:\.exe)?$/i.test(basename(binary));

export interface RunningApp {
  process: ChildProcess;
  page: Page;
  stop: () => Promise<void>;
}

/** Starts a process of the app, as it is started from a terminal. */
export function startProcess(folder: string): ChildProcess {
  const args = ['--data', folder, '--remote-debugging-port=0'];
  return spawn(binary, isPackaged ? args : [root, ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
}

/** Starts the app and waits for its window. */
export async function startApp(folder: string): Promise<RunningApp> {
  const child = startProcess(folder);
  const browser = await chromium.connectOverCDP(await debuggingAddress(child));
  const page = await firstPage(browser);
  return {
    process: child,
    page,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await browser.close();
    },
  };
}

async function debuggingAddress(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('the app has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /^DevTools listening on (ws:\/\/.+)$/.exec(line) ?? [];
    if (address !== undefined) {
      // Unread, a full pipe would stop the app.
      child.stderr.resume();
      return address;
    }
  }
  throw new Error('the app ended before its window was there');
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('the app has no session');
  return context.pages()[0] ?? (await context.waitForEvent('page'));
}
