/** The app as a page in Chromium, with its host and engine in another process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from '@playwright/test';
import { WaxwingProcess } from '../../../test/e2e/support/waxwing.ts';
import { inChromium } from '../../../test/support/in-chromium.ts';
import { addMeter, type Shown } from './meter.ts';
import type { PreparedApp, StoredChat } from './prepared-app.ts';

/** Its threads run the build, as in the installed app. */
const BUILT_THREADS = ['--import', new URL('../../../test/support/built-threads.ts', import.meta.url).href];
const OPEN_CHAT = 'waxwing-open-chat';
const LIST: Shown = { selector: '[role=option]', text: '' };

/** A row of a message with this text. */
export const message = (text: string): Shown => ({ selector: 'article', text });

/** @returns the process, when it has printed its link, and the milliseconds until then */
export async function startApp({
  relayUrl,
  folder,
}: PreparedApp): Promise<{ app: WaxwingProcess; time: number }> {
  const begin = performance.now();
  const args = ['serve', '--relay', relayUrl, '--data', folder, '--unprotected-key'];
  const app = new WaxwingProcess(args, BUILT_THREADS, {});
  await app.url();
  return { app, time: performance.now() - begin };
}

/** A Node process that does nothing. */
export async function startNode(): Promise<{ child: ChildProcess; time: number }> {
  const begin = performance.now();
  const idle = 'console.log("started"); setInterval(() => undefined, 1e6)';
  const child = spawn(process.execPath, ['-e', idle], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output to read');
  await once(child.stdout, 'data');
  return { child, time: performance.now() - begin };
}

/**
 * Opens a page in a new context, with nothing cached.
 * @param storage a value that the tab remembers
 * @returns the page, and the milliseconds from its navigation until each expected element was drawn
 */
export async function openPage(
  browser: Browser,
  url: string,
  expected: readonly Shown[],
  storage: string | null = null,
): Promise<{ page: Page; times: number[] }> {
  const { viewport, contextOptions } = inChromium;
  const page = await (await browser.newContext({ viewport, ...contextOptions })).newPage();
  if (storage !== null)
    await page.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
      OPEN_CHAT,
      storage,
    ] as const);
  await page.addInitScript(addMeter, expected);
  await page.goto(url);
  const times = await page.evaluate(() => Promise.all(window.meter.started));
  return { page, times };
}

/** The app in a new tab, which opens the chat that it remembers. */
export async function openApp(
  browser: Browser,
  app: WaxwingProcess,
  chat: StoredChat | null,
  storage: string | null,
) {
  const expected = chat === null ? [LIST] : [LIST, message(chat.newest)];
  return openPage(browser, await app.newLink(), expected, storage);
}

export const rememberedChat = (page: Page) => page.evaluate((key) => sessionStorage.getItem(key), OPEN_CHAT);

/** Milliseconds from the press of a chat's row until its newest message is drawn. */
export async function timeToOpen(page: Page, { id, newest }: StoredChat): Promise<number> {
  return page.evaluate(
    async ({ id, shown }) => {
      const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`);
      if (!row) throw new Error('the chat has no row');
      const begin = performance.now();
      row.click();
      return (await window.meter.drawn(shown)) - begin;
    },
    { id, shown: message(newest) },
  );
}
