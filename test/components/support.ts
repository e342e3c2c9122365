/**
 * The built pages of dev/, served on the loopback address with the headers of the app. No relay, no engine, no clock of this
 * machine.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Emit } from '../../dev/fake/contract.ts';
import type { DelayedAnswers } from '../../dev/fake/delayed-answers.ts';
import { NOW } from '../../dev/fake/people.ts';
import type { SceneName } from '../../dev/scenes/index.ts';
import { FileAnswers } from '../../dev/server/files.ts';
import type { ProcedureName } from '../../src/bridge/contract.ts';
import { readInterfaceFiles } from '../../src/host/interface-files.ts';
import { answerHeaders } from '../../src/host/security-headers.ts';
import { expect, keepOpen, test as watched } from '../e2e/support/watched.ts';

const PAGES = readInterfaceFiles(fileURLToPath(new URL('../../.cache/dev-pages', import.meta.url)), 'en');

/** Seed of a run in which the bridge of each scene is slow (dev/fake/slow-bridge.ts). */
const SLOW_SEED = process.env.WAXWING_SLOW_BRIDGE;

interface SceneOptions {
  /** The conversation that is open; empty for none. */
  open?: string;
  /** The pseudo-locale is longer, accented, and laid out from right to left. */
  lang?: 'en-XB';
  /** The text size, in percent. */
  text?: '80' | '200';
  density?: 'compact';
  /** Delayed procedures, separated by commas. */
  delay?: string;
}

declare global {
  interface Window {
    delayed: DelayedAnswers;
    emit: Emit;
  }
}

export interface Pages {
  /** Opens the interface in a scene. */
  openScene: (scene: SceneName, options?: SceneOptions) => Promise<void>;
  /** Opens the gallery, or one part of it alone, by name. */
  openGallery: (show?: string, options?: SceneOptions) => Promise<void>;
}

const ignore = () => undefined;

export const test = watched.extend<Pages & { opened: Page }, { origin: string }>({
  /**
   * A server for each worker. If the debugger answered the requests, each page would cost half as much again.
   */
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a function takes.
    async ({}, use) => {
      const files = new FileAnswers();
      const server = createServer((request, response) => {
        if (files.answer(request, response)) return;
        const file = PAGES.get(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
        // Like a host of the app that answers for a file of the interface.
        if (file) response.writeHead(200, answerHeaders(file.type)).end(file.body);
        else response.writeHead(404).end();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  opened: async ({ page }, use) => {
    await page.clock.setFixedTime(NOW);
    // From now on: the browser reports file dialogs some time after the first listener, and a key of a test would be earlier.
    page.on('filechooser', ignore);
    await use(page);
    page.off('filechooser', ignore);
  },
  openScene: async ({ opened, origin }, use) => {
    await use((scene, options = {}) => open(opened, `${origin}/scene.html`, { scene, ...options }));
  },
  openGallery: async ({ opened, origin }, use) => {
    await use((show, options = {}) =>
      open(opened, `${origin}/gallery.html`, { ...(show !== undefined && { show }), ...options }),
    );
  },
});

/**
 * For tests that only look: they share one page, which costs less than a new one for each. After a failed
 * test there is a new page.
 */
export const lookingTest = test.extend<{ page: Page }, { sharedPage: Page }>({
  sharedPage: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      keepOpen(context);
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedPage, viewport }, use) => {
    await sharedPage.emulateMedia({ colorScheme: null });
    if (viewport) await sharedPage.setViewportSize(viewport);
    await use(sharedPage);
    // An open page would continue, and its errors would appear in the next test.
    if (!sharedPage.url().startsWith('http')) return;
    await sharedPage.evaluate(() => sessionStorage.clear());
    await sharedPage.goto('about:blank');
  },
});

async function open(page: Page, address: string, parameters: Record<string, string>): Promise<void> {
  // Each scene starts in its initial state, also in a window that was used before.
  if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.clear());
  const slow = SLOW_SEED === undefined ? {} : { slow: SLOW_SEED };
  await page.goto(`${address}?${new URLSearchParams({ ...parameters, ...slow })}`);
  // Before, keys and events of a test have no listener.
  const content = parameters.show === 'opening' ? '#root > *' : '#root > :not([aria-busy="true"])';
  await expect(page.locator(content).first()).toBeVisible();
  // Sizes are measured when the settings are applied.
  if (parameters.text !== undefined)
    await expect(page.locator('html')).toHaveAttribute('data-text-size', parameters.text);
  // A font that loads later moves the text, and a click misses its target.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Delays the calls of this procedure from now on. */
export const delay = (page: Page, name: ProcedureName) =>
  page.evaluate((each) => window.delayed.delay(each), name);
/** Delays no more calls of this procedure. Those that are delayed still wait. */
export const runAtOnce = (page: Page, name: ProcedureName) =>
  page.evaluate((each) => window.delayed.runAtOnce(each), name);
/** Delays the answers of this procedure from now on; its calls run at once. */
export const delayAnswer = (page: Page, name: ProcedureName) =>
  page.evaluate((each) => window.delayed.delayAnswer(each), name);
/** Waits until a call is delayed. A screen can show that work began before it makes its call. */
export const untilDelayed = (page: Page) => page.waitForFunction(() => window.delayed.waiting > 0);
/** Answers the delayed calls. */
export async function answerDelayed(page: Page): Promise<void> {
  await untilDelayed(page);
  await page.evaluate(() => window.delayed.answer());
}
/** Fails the delayed calls. */
export async function refuse(page: Page): Promise<void> {
  await untilDelayed(page);
  await page.evaluate(() => window.delayed.refuse());
}

/** Reports a state of the connection to the page. */
export const setConnection = (page: Page, state: 'online' | 'offline') =>
  page.evaluate(
    (each) =>
      window.emit('connection.changed', {
        ...{ state: each, problem: null, isKeyOverdue: false, nextRetryAt: null, queued: 0 },
      }),
    state,
  );

/**
 * Watches for a text or a name from now on. A notice that disappears by itself may be removed before a busy machine looks for it.
 * @returns the function that waits until it was shown
 */
export async function watchFor(page: Page, words: string): Promise<() => Promise<void>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found = { isShown: false };
    const textsOf = ({ type, target, addedNodes }: MutationRecord) => {
      if (type === 'attributes') return [(target as Element).getAttribute('aria-label')];
      return type === 'characterData'
        ? [target.textContent]
        : [...addedNodes].map(({ textContent }) => textContent);
    };
    new MutationObserver((changes) => {
      found.isShown ||= changes.flatMap(textsOf).some((text) => text?.includes(wanted));
    }).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['aria-label'],
    });
    return found;
  }, words);
  return () => expect.poll(() => seen.evaluate(({ isShown }) => isShown), words).toBe(true);
}

export { expect };
