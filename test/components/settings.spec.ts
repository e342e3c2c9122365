/**
 * What Settings lead to: a new API key with its secret, a code for another computer.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('a new API key: the form and the window that shows its secret once', async ({ page, openScene }) => {
  await openScene('desktop');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('nightly build');
  await page.getByRole('checkbox', { name: /Post in your groups/ }).uncheck();
  await page.getByText('30 days', { exact: true }).click();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = page.getByRole('alertdialog', { name: 'New API key: nightly build' });
  await expect(secret).toContainText('WAXWING_API_KEY');
  await expectWhole(page);
  await secret.getByRole('checkbox').check();
  await secret.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'API keys' }).getByRole('listitem')).toHaveCount(3);
});

test('a code for another computer: what it means, and the code', async ({ page, openScene }) => {
  await openScene('one');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Link a computer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link a computer' });
  await expect(dialog).toContainText('Anyone who has the code within ten minutes can use your account.');
  await expectWhole(page);
  await page.getByLabel('Your passphrase').fill('any of the scene');
  await page.getByRole('button', { name: 'Show code' }).click();
  await expect(dialog.getByRole('timer')).toBeVisible();
  await expectWhole(page);
});
