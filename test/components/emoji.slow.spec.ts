/**
 * Emoji are found and chosen, by pointer and by keys.
 */
import { expect, test } from './support.ts';

test('arrows move among emoji and back to the search; the skin tone stays chosen', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '1' });
  const open = page.getByRole('button', { name: 'Insert emoji' });
  await open.click();
  const picker = page.getByRole('region', { name: 'Emoji' });
  await picker.getByRole('combobox', { name: 'Skin tone' }).selectOption({ label: '✋🏾' });
  await picker.getByRole('button', { name: 'People and body' }).click();
  const grid = picker.getByRole('grid', { name: 'People and body' });
  await expect(grid.getByRole('button', { name: 'waving hand' })).toHaveText('👋🏾');
  await picker.getByRole('searchbox').press('ArrowDown');
  await expect(grid.getByRole('button').nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(grid.getByRole('button').nth(9)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(picker.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
  await open.click();
  await expect(picker.getByRole('combobox', { name: 'Skin tone' })).toHaveValue('4');
});
