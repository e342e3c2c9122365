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
