/**
 * Each scene, and every part in the gallery, is whole and accessible. whole.slow.spec.ts has what opens in them, and all of it
 * in the pseudo-locale.
 */
import { type SceneName, sceneNames } from '../../dev/scenes/index.ts';
import { expectFits, expectWhole } from '../e2e/support/accessible.ts';
import { expect, lookingTest as test } from './support.ts';

/** As `one`, until something opens in them: they are looked at there. */
const likeOne: readonly SceneName[] = ['desktop', 'desktop-windows', 'desktop-limited'];

for (const scene of sceneNames.filter((name) => !likeOne.includes(name))) {
  test(`scene ${scene} is whole and accessible`, async ({ page, openScene }) => {
    await openScene(scene);
    await expectWhole(page);
  });
}

test('every part in the gallery is whole and accessible', async ({ page, openGallery }) => {
  await openGallery();
  await expect(page.locator('[data-specimen]').first()).toBeVisible();
  await expectWhole(page);
});

test('every part in the gallery fits in the pseudo-locale, from right to left', async ({
  page,
  openGallery,
}) => {
  await openGallery(undefined, { lang: 'en-XB' });
  await expect(page.locator('[data-specimen]').first()).toBeVisible();
  await expectFits(page);
});
