/**
 * Text size and density: chosen in Settings, and their effects on the window.
 */
import { settled } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { answerDelayed, delay, expect, refuse, test } from './support.ts';

for (const width of [360, 800, 1440, 2560]) {
  test(`with doubled text size nothing is cut off at ${width} pixels`, async ({ page, openScene }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const options of [{ text: '200' }, { text: '200', lang: 'en-XB' }] as const) {
      for (const open of ['', '1']) {
        await openScene('many', { ...options, open });
        await expect(page.locator('html')).toHaveAttribute('data-text-size', '200');
        await settled(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        const cut = await page.evaluate(() => {
          const end = document.documentElement.clientWidth;
          return [...document.querySelectorAll('button, h2, textarea, input')]
            .filter((each) => each.checkVisibility())
            .filter((each) => {
              const { left, right } = each.getBoundingClientRect();
              return left < -1 || right > end + 1;
            })
            .map(({ outerHTML }) => outerHTML.slice(0, 120));
        });
        expect(cut).toEqual([]);
      }
    }
  });
}

test('a second key press on a setting counts from the first, unsaved one', async ({ page, openScene }) => {
  await openScene('many');
  const settings = await openSettings(page, 'Appearance');
  const slider = settings.getByRole('slider', { name: 'Text size' });
  await delay(page, 'settings.set');
  for (const text of ['110%', '120%']) {
    await slider.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', text);
  }
  const compact = settings.getByRole('radio', { name: 'Compact' });
  await compact.press('Space');
  await expect(compact).toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-text-size', '100');
  await answerDelayed(page);
  await expect(page.locator('html')).toHaveAttribute('data-text-size', '120');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await expect(slider).toHaveAttribute('aria-valuetext', '120%');
});

test('settings that cannot be saved return to their old values', async ({ page, openScene }) => {
  await openScene('many');
  const settings = await openSettings(page, 'Appearance');
  const slider = settings.getByRole('slider', { name: 'Text size' });
  await delay(page, 'settings.set');
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', '200%');
  await refuse(page);
  // The notice disappears by itself.
  await expect(page.getByText('Couldn’t save the settings')).toBeVisible();
  await expect(slider).toHaveAttribute('aria-valuetext', '100%');
});
