/**
 * Bots of a group, for its owner: created with a key or without, listed, revoked; and unsigned posts.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('a bot has a key unless its owner chooses a token only; each secret has its own copy button', async ({
  page,
  openScene,
}) => {
  await openScene('group');
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  const form = page.getByRole('textbox', { name: 'Bot name' });
  await expect(page.getByRole('radio', { name: 'Signed', exact: true })).toBeChecked();
  await form.fill('Weather "$(id)"');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText(/^gtk_live_/)).toBeVisible();
  await expect(dialog.getByText(/^wxb_/)).toBeVisible();
  for (const name of ['Copy: Token', 'Copy: Key'])
    await expect(dialog.getByRole('button', { name })).toBeVisible();
  await expect(dialog).toContainText('WAXWING_BOT_KEY');
  // A command to copy into a shell contains no typed text.
  await expect(dialog.getByText('waxwing send "Hello"')).toBeVisible();
  await expect(dialog.locator('pre').filter({ hasText: '$(id)' })).toHaveCount(0);
  await expectWhole(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await form.fill('Script');
  await page.getByText('Not signed', { exact: true }).click();
  await expect(page.getByText('The server could post in its place.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText(/^gtk_live_/)).toBeVisible();
  await expect(dialog.getByText(/^wxb_/)).toHaveCount(0);
});
test('closing or reloading a page with a secret asks first', async ({ page, openScene }) => {
  await openScene('group');
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await page.getByRole('textbox', { name: 'Bot name' }).fill('Weather');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('alertdialog').getByText(/^gtk_live_/)).toBeVisible();
  const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expect(page.getByRole('alertdialog').getByText(/^gtk_live_/)).toBeVisible();
});
