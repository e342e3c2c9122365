/**
 * The built pages of dev/, opened without a server: the browser's requests are answered from the folder. No relay, no
 * engine, no clock of this machine.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import type { Tell } from '../../dev/fake/bridge.ts';
import type { HeldAnswers } from '../../dev/fake/held-answers.ts';
import { NOW } from '../../dev/fake/people.ts';
import type { SceneName } from '../../dev/scenes/index.ts';
import type { ProcedureName } from '../../src/bridge/contract.ts';

const PAGES = fileURLToPath(new URL('../../.cache/dev-pages', import.meta.url));
const ORIGIN = 'https://waxwing.test';

interface SceneOptions {
  /** The conversation that is open; empty for none. */
  open?: string;
  /** The pseudo-locale is longer, accented, and laid out from right to left. */
  lang?: 'en-XB';
  /** The text size, in percent. */
  text?: '80' | '200';
  density?: 'compact';
  /** Procedures whose answers are kept back, with commas between them. */
  hold?: string;
}

declare global {
  interface Window {
    held: HeldAnswers;
    tell: Tell;
  }
}

interface Pages {
  /** Opens the interface in a scene. */
  openScene: (scene: SceneName, options?: SceneOptions) => Promise<void>;
  /** Opens the gallery, or what it shows alone under a name. */
  openGallery: (show?: string, options?: SceneOptions) => Promise<void>;
}

export const test = base.extend<Pages & { opened: Page; complaints: string[] }>({
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    const onError = ({ message }: Error) => void complaints.push(message);
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === 'error') complaints.push(message.text());
    };
    page.on('pageerror', onError).on('console', onConsole);
    await use(complaints);
    page.off('pageerror', onError).off('console', onConsole);
    expect(complaints, 'what the page complained of').toEqual([]);
  },
  opened: async ({ page, complaints: _ }, use) => {
    await page.clock.setFixedTime(NOW);
    await page.route(`${ORIGIN}/**`, (route) =>
      route.fulfill({ path: join(PAGES, new URL(route.request().url()).pathname) }),
    );
    await use(page);
    // A font may still be on its way, also when a test has all that it waits for.
    const arrived = page.evaluate(() => document.fonts.ready.then(() => undefined)).catch(() => undefined);
    // One that never comes is no reason to wait for ever.
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 5_000))]);
    await page.unrouteAll({ behavior: 'wait' });
  },
  openScene: async ({ opened }, use) => {
    await use((scene, options = {}) => open(opened, 'scene', { scene, ...options }));
  },
  openGallery: async ({ opened }, use) => {
    await use((show, options = {}) =>
      open(opened, 'gallery', { ...(show !== undefined && { show }), ...options }),
    );
  },
});

/**
 * For tests that only look: they open what they look at in one page, which costs less than a new one for each. After a
 * test that fails there is a new page.
 */
export const lookingTest = test.extend<{ page: Page }, { sharedPage: Page }>({
  sharedPage: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedPage, viewport }, use) => {
    await sharedPage.emulateMedia({ colorScheme: null });
    if (viewport) await sharedPage.setViewportSize(viewport);
    await use(sharedPage);
  },
});

async function open(page: Page, name: string, parameters: Record<string, string>): Promise<void> {
  // Each scene begins as it is written, whatever was open in this window before.
  if (page.url().startsWith(ORIGIN)) await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${ORIGIN}/${name}.html?${new URLSearchParams(parameters)}`);
  await expect(page.locator('#root > *').first()).toBeVisible();
}

/** From now on answers of this procedure are kept back. */
export const hold = (page: Page, name: ProcedureName) =>
  page.evaluate((each) => window.held.hold(each), name);
/** Answers that were kept back arrive. */
export const release = (page: Page) => page.evaluate(() => window.held.release());

export { expect };
