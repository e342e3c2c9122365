import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('text size and density are chosen by keyboard and applied at once', async ({ page, openScene }) => {
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
