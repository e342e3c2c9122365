/** Settings › Storage: backups of the history, and their restore; and the step after the recovery of an account. */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openStorage, settings } from './backup.ts';
import { expect, test } from './support.ts';

test('a backup is made under the recovery phrase or a passphrase, and its time is shown', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await openStorage(page);
  await expect(settings(page)).toContainText('Last backupNone from this computer yet');
  await settings(page).getByRole('button', { name: 'Back up now…' }).click();
  await expectWhole(page);
  await settings(page).getByText('A passphrase', { exact: true }).click();
  await settings(page).getByLabel('Passphrase of the backup').fill('a passphrase for a test');
  const make = settings(page).getByRole('button', { name: 'Back up', exact: true });
  await expect(make).toBeDisabled();
  await settings(page).getByLabel('Repeat passphrase').fill('a passphrase for a test');
  const download = page.waitForEvent('download');
  await make.click();
  await download;
  await expect(settings(page)).toContainText('12.5 MB');
  await expect(settings(page).getByRole('button', { name: 'Back up now…' })).toBeFocused();
});

test('the form of a backup has the focus after its button', async ({ page, openScene }) => {
  await openScene('files');
  await openStorage(page);
  await settings(page).getByRole('button', { name: 'Back up now…' }).click();
  await expect(settings(page).getByRole('radio', { name: 'Recovery phrase' })).toBeFocused();
});

test('a restore that continued after a new start states the entries that were left out', async ({
  page,
  openScene,
}) => {
  await openScene('resumed-restore');
  await openStorage(page);
  await expect(settings(page).getByRole('status').filter({ hasText: 'restored in part' })).toContainText(
    '2 entries were left out',
  );
});
