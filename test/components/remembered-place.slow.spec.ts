/**
 * After a lock and a reload the window shows the same place as before.
 */

import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { KEY, kept, rows, title } from './remembered-place.ts';
import { expect, test } from './support.ts';

for (const [what, value] of [
  ['a chat that is gone', 'device 98765'],
  ['a chat of an account that was deleted here', 'other1 3'],
] as const) {
  test(`${what} is not opened, without an error`, async ({ page, openScene }) => {
    await openScene('many', { open: '' });
    await page.evaluate(([key, text]) => sessionStorage.setItem(key, text), [KEY, value] as const);
    await page.reload();
    await expect(rows(page).first()).toBeVisible();
    await expect(page.getByText('No chat selected')).toBeVisible();
    await expect.poll(() => kept(page)).toBeNull();
  });
}

test('deleting everything also clears the remembered chat', async ({ page, openScene }) => {
  await openScene('many', { open: '' });
  await rows(page).nth(2).click();
  await expect.poll(() => kept(page)).not.toBeNull();
  await openSettings(page, 'Storage');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Delete all data' }).click();
  await settings.getByRole('checkbox', { name: /I saved my recovery phrase/ }).check();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill(PASSPHRASE);
  await settings.getByRole('button', { name: 'Delete all data' }).click();
  await expect(settings).toHaveCount(0);
  await expect.poll(() => kept(page)).toBeNull();
});

test('a closed chat stays closed after a reload', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 500, height: 800 });
  await openScene('many', { open: '' });
  await rows(page).nth(1).click();
  await expect(title(page)).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).first().click();
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => kept(page)).toBeNull();
});
