/**
 * Keyboard shortcuts: their list and their effects.
 */
import { expect, test } from './support.ts';

test('one key opens the details from the composer, another is for italics', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  const field = page.getByRole('textbox', { name: /^Message to/ });
  const details = page.getByRole('region', { name: 'Details' });
  await field.fill('word');
  await field.selectText();
  await page.keyboard.press('Control+i');
  await expect(field).toHaveValue('_word_');
  await expect(details).toHaveCount(0);
  await page.keyboard.press('Control+.');
  await expect(details).toBeVisible();
  await page.keyboard.press('Control+i');
  await expect(details).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(details).toHaveCount(0);
});

test('the keys of a shortcut stay on one line of a sentence', async ({ page, openScene }) => {
  await openScene('one', { open: '' });
  const sentence = page.getByText('to find anything');
  await expect(sentence).toBeVisible();
  expect(await sentence.textContent()).toContain('press Ctrl\u00a0K to find');
});
