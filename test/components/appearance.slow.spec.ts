/**
 * Text size and density: chosen in Settings, and their effects on the window.
 */
import { settled } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

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
