/**
 * What opens in scenes is whole and accessible; scenes and what opens in them fit in the pseudo-locale, from right to left.
 */
import type { Page } from '@playwright/test';
import { type AloneName, alone } from '../../dev/gallery/alone.ts';
import { sceneNames } from '../../dev/scenes/index.ts';
import { expectFits, expectWhole } from '../e2e/support/accessible.ts';
import { expect, lookingTest as test } from './support.ts';

/** What opens a moment after the page is there. */
async function expectShown(page: Page, name: AloneName): Promise<void> {
  if (/^(?:settings|new chat|groups|command palette|dialog|confirmation|secret)/.test(name)) {
    await expect(page.locator('[role=dialog], [role=alertdialog]')).toBeVisible();
  }
  if (name.startsWith('details')) await expect(page.locator('main > section')).toHaveCount(2);
}

for (const scene of sceneNames) {
  test(`scene ${scene} fits in the pseudo-locale, from right to left`, async ({ page, openScene }) => {
    await openScene(scene, { lang: 'en-XB' });
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expectFits(page);
  });
}

/** Further conversations of scenes. */
const others = [
  ['request', '2'],
  ['group', '2'],
  ['group', '3'],
  ['fork', '2'],
  ['fork', '3'],
  ['fork', '4'],
] as const;

for (const [scene, open] of others) {
  test(`conversation ${open} of scene ${scene} is whole and accessible`, async ({ page, openScene }) => {
    await openScene(scene, { open });
    await expect(page.locator('main > section header')).toBeVisible();
    await expectWhole(page);
  });
}

for (const name of alone) {
  test(`${name} is whole and accessible`, async ({ page, openGallery }) => {
    await openGallery(name);
    await expectShown(page, name);
    // What has the focus may show its tooltip, which no landmark holds. What opens takes the focus a moment later.
    await expect(async () => {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await expect(page.locator('[data-base-ui-portal] [data-side]')).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await expectWhole(page);
  });

  test(`${name} fits in the pseudo-locale, from right to left`, async ({ page, openGallery }) => {
    await openGallery(name, { lang: 'en-XB' });
    await expectShown(page, name);
    await expectFits(page);
  });
}
