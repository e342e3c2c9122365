/**
 * Emoji are found and chosen, by pointer and by keys.
 */
import { expect, test } from './support.ts';

test('an emoji is found by name and inserted at the caret', async ({ page, openScene }) => {
  await openScene('conversation', { open: '1' });
  const field = page.locator('form textarea');
  await field.fill('ab');
  await field.press('ArrowLeft');
  await page.getByRole('button', { name: 'Insert emoji' }).click();
  const search = page.getByRole('searchbox', { name: 'Search emoji' });
  await search.fill(':tada');
  const found = page.getByRole('grid', { name: 'Results' });
  await expect(found.getByRole('button')).toHaveCount(1);
  await expect(found.getByRole('button', { name: 'party popper' })).toBeVisible();
  await search.press('Enter');
  await expect(field).toHaveValue('a🎉b');
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(field).toHaveValue('ab');
});

test('the categories of emoji are one Tab stop, with arrow keys between them', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '1' });
  await page.getByRole('button', { name: 'Insert emoji' }).click();
  const toolbar = page.getByRole('toolbar', { name: 'Categories' });
  const category = (name: string) => toolbar.getByRole('button', { name });
  await page.getByRole('combobox', { name: 'Skin tone' }).focus();
  await page.keyboard.press('Tab');
  await expect(category('Smileys')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(category('People')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect(category('Flags')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(category('Flags')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('grid').getByRole('button').first()).toBeFocused();
});
