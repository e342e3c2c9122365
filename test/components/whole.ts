/**
 * Tests that everything in scenes and gallery is whole and accessible: in light and dark, at 360, 800 and 1440 pixels, from
 * left to right and from right to left. In the first set whole.spec.ts checks one case of each kind; whole.slow.spec.ts has
 * all others.
 */
import type { Page } from '@playwright/test';
import type { AloneName } from '../../dev/gallery/alone.ts';
import type { SceneName } from '../../dev/scenes/index.ts';
import { expectWhole, settled } from '../e2e/support/accessible.ts';
import { WAIT_LIMIT } from '../support/limits.ts';
import { expect, lookingTest as test } from './support.ts';

/** Checks that no text is cut off at the side. */
async function expectFits(page: Page): Promise<void> {
  for (const width of [360, 800, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

/** Parts that open after the page has loaded. */
async function expectShown(page: Page, name: AloneName): Promise<void> {
  if (/^(?:settings|new chat|groups|command palette|dialog|confirmation|secret)/.test(name)) {
    await expect(page.locator('[role=dialog], [role=alertdialog]')).toBeVisible();
  }
  if (name.startsWith('details')) await expect(page.locator('main > section')).toHaveCount(2);
}

export function testScene(scene: SceneName): void {
  test(`scene ${scene} is complete and accessible`, async ({ page, openScene }) => {
    await openScene(scene);
    await expectWhole(page);
  });
}

export function testMirroredScene(scene: SceneName): void {
  test(`scene ${scene} fits in the pseudo-locale, from right to left`, async ({ page, openScene }) => {
    await openScene(scene, { lang: 'en-XB' });
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expectFits(page);
  });
}

export function testConversation(scene: SceneName, open: string): void {
  test(`conversation ${open} of scene ${scene} is complete and accessible`, async ({ page, openScene }) => {
    await openScene(scene, { open });
    await expect(page.locator('main > section header')).toBeVisible();
    await expectWhole(page);
  });
}

export function testAlone(name: AloneName): void {
  test(`${name} is complete and accessible`, async ({ page, openGallery }) => {
    await openGallery(name);
    await expectShown(page, name);
    // The focused element can show its tooltip, outside of all landmarks. An opening part takes the focus a moment later.
    await expect(async () => {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await expect(page.locator('[data-base-ui-portal] [data-side]')).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: WAIT_LIMIT });
    await expectWhole(page);
  });
}

export function testMirroredAlone(name: AloneName): void {
  test(`${name} fits in the pseudo-locale, from right to left`, async ({ page, openGallery }) => {
    await openGallery(name, { lang: 'en-XB' });
    await expectShown(page, name);
    await expectFits(page);
  });
}

export function testMirroredGallery(): void {
  test('every part in the gallery fits in the pseudo-locale, from right to left', async ({
    page,
    openGallery,
  }) => {
    await openGallery(undefined, { lang: 'en-XB' });
    await expect(page.locator('[data-specimen]').first()).toBeVisible();
    await expectFits(page);
  });
}

/** In the first set: the screens that people use most. */
export const first = {
  scenes: ['first-run', 'many', 'locked'],
  mirroredScenes: ['many'],
  conversations: [['fork', '3']],
  alone: ['confirmation', 'settings on macOS', 'details of a group'],
  mirroredAlone: ['new chat'],
} as const satisfies Record<string, readonly (SceneName | AloneName | readonly [SceneName, string])[]>;
