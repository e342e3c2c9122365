/**
 * The built pages of dev/, opened without a server: the browser's requests are answered from the folder, with the headers
 * of the app. No relay, no engine, no clock of this machine.
 */
import { fileURLToPath } from 'node:url';
import type { Page, Route } from '@playwright/test';
import type { Tell } from '../../dev/fake/bridge.ts';
import type { HeldAnswers } from '../../dev/fake/held-answers.ts';
import { NOW } from '../../dev/fake/people.ts';
import type { SceneName } from '../../dev/scenes/index.ts';
import type { ProcedureName } from '../../src/bridge/contract.ts';
import { readInterfaceFiles } from '../../src/host/interface-files.ts';
import { answerHeaders } from '../../src/host/security-headers.ts';
import { expect, test as watched } from '../e2e/support/watched.ts';

const PAGES = readInterfaceFiles(fileURLToPath(new URL('../../.cache/dev-pages', import.meta.url)), 'en');
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

/** As a host of the app answers for a file of the interface. */
function answer(route: Route): Promise<void> {
  const file = PAGES.get(new URL(route.request().url()).pathname);
  if (!file) return route.fulfill({ status: 404 });
  return route.fulfill({ headers: answerHeaders(file.type), body: file.body });
}

export const test = watched.extend<Pages & { opened: Page }>({
  opened: async ({ page }, use) => {
    await page.clock.setFixedTime(NOW);
    await page.route(`${ORIGIN}/**`, answer);
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
