/**
 * Marks around typed text: by the bar and by keys, with Undo, and with mentioned people.
 */
import { bar, button, composer, select, selected, sent, write } from './formatting.ts';
import { expect, test } from './support.ts';

test('the bar adds and removes marks, shows active ones, and stays open or closed', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await write(page, 'the long way');
  await expect(bar(page)).toHaveCount(0);
  await select(page, 'long');
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await expect(bar(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(button(page, 'Bold')).toHaveAttribute('aria-pressed', 'false');
  await button(page, 'Bold').click();
  await expect(composer(page)).toHaveValue('the **long** way');
  await expect(composer(page)).toBeFocused();
  await expect.poll(() => selected(page)).toBe('long');
  await expect(button(page, 'Bold')).toHaveAttribute('aria-pressed', 'true');
  await button(page, 'Italic').click();
  await expect(composer(page)).toHaveValue('the **_long_** way');
  await button(page, 'Bold').click();
  await expect(composer(page)).toHaveValue('the _long_ way');
  await button(page, 'Quote').click();
  await expect(composer(page)).toHaveValue('> the _long_ way');
  await page.keyboard.press('Enter');
  await expect(sent(page).locator('blockquote em')).toHaveText('long');
  await openScene('actions');
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Hide formatting' }).click();
  await expect(bar(page)).toHaveCount(0);
});
