import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { button, composer, select, write } from './formatting.ts';
import { expect, test } from './support.ts';

test('the formatting bar is one Tab stop with arrow keys, in both writing directions', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await write(page, 'words');
  await select(page, 'words');
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await composer(page).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(button(page, 'Bold')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(button(page, 'Italic')).toBeFocused();
  await page.keyboard.press('End');
  await expect(button(page, 'List')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(button(page, 'Bold')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(button(page, 'List')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(composer(page)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('- words');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();

  await page.setViewportSize({ width: 360, height: 640 });
  await openScene('actions', { lang: 'en-XB' });
  const buttons = page.getByRole('toolbar').getByRole('button');
  await expect(buttons).toHaveCount(7);
  await buttons.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(buttons.nth(1)).toBeFocused();
  // A tooltip stands outside of all landmarks.
  await page.locator('form textarea').focus();
  await expect(page.getByText(/Ctrl I/)).toHaveCount(0);
  await expectWhole(page);
});
