/**
 * Text size and density: chosen in Settings, and what they do to the window.
 */
import { settled } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('text size and density are chosen by keys, and hold at once', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  const row = page.locator('[data-row]').first();
  const sizeOf = (what: typeof row) => what.evaluate((each) => getComputedStyle(each).fontSize);
  const heightOf = (what: typeof row) => what.evaluate((each) => (each as HTMLElement).offsetHeight);
  expect(await heightOf(row)).toBe(64);
  expect(await heightOf(row.locator('> .inline-grid'))).toBe(44);
  const settings = await openSettings(page, 'Appearance');
  const slider = settings.getByRole('slider', { name: 'Text size' });
  await expect(slider).toHaveAttribute('aria-valuetext', '100%');
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', '200%');
  await expect(page.locator('html')).toHaveAttribute('data-text-size', '200');
  await expect.poll(() => sizeOf(row)).toBe('28px');
  await slider.press('Home');
  await expect.poll(() => sizeOf(row)).toBe('11.2px');
  for (let step = 0; step < 2; step++) await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '100%');
  const bubble = page.locator('article [dir=auto]').first();
  await expect.poll(() => sizeOf(bubble)).toBe('15px');
  await settings.getByText('Compact', { exact: true }).click();
  await expect.poll(() => sizeOf(bubble)).toBe('14px');
  expect(await heightOf(row)).toBe(48);
  expect(await heightOf(row.locator('> .inline-grid'))).toBe(32);
});

for (const width of [360, 800, 1440, 2560]) {
  test(`with text of twice its size nothing is cut at ${width} pixels`, async ({ page, openScene }) => {
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
