/**
 * Keyboard shortcuts: their list and their effects.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('the command palette opens the form for a new group with the name focused', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('new gr');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New group' });
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Back' }).click();
  const groups = page.getByRole('dialog', { name: 'Groups' });
  await expect(groups.getByText('No groups on this server yet')).toBeVisible();
  await expect(groups.getByRole('list')).toHaveCount(0);
});

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

test('a page in a browser omits keys reserved by the browser', async ({ page, openScene }) => {
  for (const [scene, count] of [
    ['one', 0],
    ['desktop', 1],
  ] as const) {
    await openScene(scene);
    await expect(page.locator('[data-row]')).not.toHaveCount(0);
    await page.keyboard.press('Control+/');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list.getByText('Find anything')).toBeVisible();
    await expect(list.getByText('New chat')).toHaveCount(count);
  }
});
