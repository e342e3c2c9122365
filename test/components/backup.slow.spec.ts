/** Settings › Storage: backups of the history, and their restore; and the step after the recovery of an account. */
import type { Page } from '@playwright/test';
import {
  BACKUP_PASSPHRASE,
  FAILING_PASSPHRASES,
  MAKE_WORK,
  PARTLY_PASSPHRASE,
  RESTORE_WORK,
} from '../../dev/fake/answers/backup.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openStorage, settings } from './backup.ts';
import { chooseChanged } from './files.ts';
import { answerDelayed, expect, test, untilDelayed } from './support.ts';

/** Recovers an account, up to the restore of its messages. */
async function recover(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Recover my account' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Recovery phrase or private key').fill('word '.repeat(12));
  await page.getByRole('button', { name: 'Recover account' }).click();
  await expect(page.getByRole('heading', { name: 'Your other devices' })).toBeVisible();
  await page.getByRole('button', { name: 'Recover account' }).click();
  // The page moves the focus to its heading after it is shown.
  await expect(page.getByRole('heading', { name: 'Restore your messages' })).toBeFocused();
}

const FILE = {
  name: 'Waxwing.waxwing-backup',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from('backup'),
};

test('a restore asks for the passphrase if the phrase of this computer does not open it', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await openStorage(page);
  await settings(page).getByLabel('Backup to restore').setInputFiles(FILE);
  const field = settings(page).getByLabel('Passphrase or recovery phrase of the backup');
  await expect(field).toBeFocused();
  await field.fill('another one');
  await page.keyboard.press('Enter');
  await expect(settings(page).getByText('This doesn’t open the backup.')).toBeVisible();
  await expectWhole(page);
  await field.fill(BACKUP_PASSPHRASE);
  await page.keyboard.press('Enter');
  await expect(settings(page).getByText(/^Your backup of .*2026.* is restored\.$/)).toBeVisible();
});

for (const [name, secret, sentence] of [
  ['a damaged backup', FAILING_PASSPHRASES.damaged, 'This backup is damaged, and nothing in it was used.'],
  ['a backup of another account', FAILING_PASSPHRASES.other, 'This backup belongs to another account.'],
  ['a backup whose disk is away', FAILING_PASSPHRASES.away, 'The backup can’t be read.'],
] as const)
  test(`after ${name} another one can be chosen`, async ({ page, openScene }) => {
    await openScene('files');
    await openStorage(page);
    const file = settings(page).getByLabel('Backup to restore');
    const field = settings(page).getByLabel('Passphrase or recovery phrase of the backup');
    await file.setInputFiles(FILE);
    await field.fill(secret);
    await page.keyboard.press('Enter');
    await expect(settings(page).getByRole('alert')).toContainText(sentence);
    await expect(field).toHaveCount(0);
    await expect(settings(page).getByRole('button', { name: 'Restore a backup…' })).toBeFocused();
    await file.setInputFiles(FILE);
    await field.fill(BACKUP_PASSPHRASE);
    await page.keyboard.press('Enter');
    await expect(settings(page).getByText(/^Your backup of .* is restored\.$/)).toBeVisible();
  });

test('after a failure of this computer the passphrase can be used again', async ({ page, openScene }) => {
  await openScene('files');
  await openStorage(page);
  await settings(page).getByLabel('Backup to restore').setInputFiles(FILE);
  const field = settings(page).getByLabel('Passphrase or recovery phrase of the backup');
  await field.fill(FAILING_PASSPHRASES.full);
  await page.keyboard.press('Enter');
  await expect(settings(page).getByText('There isn’t enough room on this computer.')).toBeVisible();
  await expect(field).toHaveValue(FAILING_PASSPHRASES.full);
});

test('the failure of a new backup is shown once', async ({ page, openScene }) => {
  await openScene('files');
  await openStorage(page);
  await settings(page).getByRole('button', { name: 'Back up now…' }).click();
  await settings(page).getByText('A passphrase', { exact: true }).click();
  await settings(page).getByLabel('Passphrase of the backup').fill(FAILING_PASSPHRASES.full);
  await settings(page).getByLabel('Repeat passphrase').fill(FAILING_PASSPHRASES.full);
  await page.keyboard.press('Enter');
  await expect(settings(page).getByRole('alert')).toContainText('There isn’t enough room for the backup');
  const form = settings(page).locator('form');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(settings(page).getByRole('alert')).toHaveCount(1);
  await settings(page).getByRole('button', { name: 'Back up now…' }).click();
  await expect(form).toBeVisible();
  await expect(form.getByRole('alert')).toHaveCount(0);
});

test('a button that restores a backup shows its work, and keeps the focus', async ({ page, openScene }) => {
  await openScene('desktop', { delay: RESTORE_WORK });
  await openStorage(page);
  const button = settings(page).getByRole('button', { name: 'Restore from a folder…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(settings(page).getByRole('progressbar')).toBeVisible();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button).toBeFocused();
  await page.evaluate(() => window.delayed.refuse());
  await expect(settings(page).getByRole('alert')).toBeVisible();
  await expect(button).toBeFocused();
});

test('a backup that the page cannot read is reported, and so is a lost connection', async ({
  page,
  openScene,
  mayComplain,
}) => {
  mayComplain(/ERR_FAILED/);
  await openScene('files');
  await openStorage(page);
  const picker = settings(page).getByLabel('Backup to restore');
  await chooseChanged(picker, test.info().outputPath('changed.waxwing-backup'));
  await expect(settings(page).getByRole('alert')).toContainText('The backup can’t be read.');
  await page.route('**/files/*?offset=*', (route) => route.abort());
  await picker.setInputFiles(FILE);
  await expect(settings(page).getByRole('alert')).toContainText('The connection');
});

test('progress is shown with a button that stops it', async ({ page, openScene }) => {
  await openScene('restoring');
  await openStorage(page);
  await expect(
    settings(page).getByRole('progressbar', { name: 'Restoring messages and files, newest first…' }),
  ).toHaveAttribute('value', '30');
  await expect(settings(page).getByRole('button', { name: 'Back up now…' })).toBeDisabled();
  await expectWhole(page);
  await settings(page).getByRole('button', { name: 'Stop' }).click();
  await expect(settings(page).getByRole('progressbar')).toHaveCount(0);
});

test('a recovered account is offered the restore of a backup before the chats open', async ({
  page,
  openScene,
}) => {
  await openScene('first-run');
  await recover(page);
  await expectWhole(page);
  await page.getByLabel('Backup to restore').setInputFiles(FILE);
  await page.getByLabel('Passphrase or recovery phrase of the backup').fill(BACKUP_PASSPHRASE);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText(/^Your backup of .* is restored\.$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your messages are restored' })).toBeVisible();
  await expect(
    page.getByText('The messages and files of your backup are on this computer now.'),
  ).toBeVisible();
  await expect(page.getByText('If you have a backup, choose it now.')).toHaveCount(0);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('a restore that left records out is not shown as complete', async ({ page, openScene }) => {
  await openScene('first-run');
  await recover(page);
  await page.getByLabel('Backup to restore').setInputFiles(FILE);
  await page.getByLabel('Passphrase or recovery phrase of the backup').fill(PARTLY_PASSPHRASE);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your messages are restored in part' })).toBeVisible();
  await expect(page.getByText(/^Your backup of .* is restored in part\.$/)).toBeVisible();
  await expect(page.getByText(/^3 entries were left out: /)).toBeVisible();
  await expect(page.getByText('The messages and files of your backup are on this computer now.')).toHaveCount(
    0,
  );
  await expectWhole(page);
});

test('during a restore the first run does not ask for a backup', async ({ page, openScene }) => {
  await openScene('first-run', { delay: RESTORE_WORK });
  await recover(page);
  await page.getByLabel('Backup to restore').setInputFiles(FILE);
  await untilDelayed(page);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByText('If you have a backup, choose it now.')).toHaveCount(0);
  await expect(page.getByText('You can continue meanwhile.')).toBeVisible();
});

test('a backup is chosen in the page only after the kind of the host is known', async ({
  page,
  openScene,
}) => {
  await openScene('first-run', { delay: 'host.info' });
  await recover(page);
  await untilDelayed(page);
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
  await answerDelayed(page);
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveText('Restore a backup…');
});

test('the step after a recovery keeps the focus at a failure, and a wrong passphrase in its field', async ({
  page,
  openScene,
}) => {
  await openScene('first-run', { delay: RESTORE_WORK });
  await recover(page);
  const button = page.getByRole('button', { name: 'Restore a backup…' });
  await button.focus();
  const asked = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await asked).setFiles(FILE);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expectWhole(page);
  await page.evaluate(() => window.delayed.refuse());
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(button).toBeFocused();

  await page.getByLabel('Backup to restore').setInputFiles(FILE);
  const field = page.getByLabel('Passphrase or recovery phrase of the backup');
  await field.fill('another one');
  await page.evaluate((work) => window.delayed.delay(work), RESTORE_WORK);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.evaluate(() => window.delayed.answer());
  await expect(page.getByText('This doesn’t open the backup.')).toBeVisible();
  await expect(field).toHaveValue('another one');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByLabel('Backup to restore').setInputFiles(FILE);
  await expect(field).toHaveValue('');
});

test('a reminder of a missing backup leads to its setting, and can be postponed', async ({
  page,
  openScene,
}) => {
  await openScene('backupDue');
  const reminder = page.getByRole('complementary', { name: 'Backup' });
  await expect(reminder).toBeVisible();
  await expectWhole(page);
  await reminder.getByRole('button', { name: 'Back up…' }).click();
  await expect(settings(page).getByRole('heading', { name: 'Backup', exact: true })).toBeInViewport();
  await page.keyboard.press('Escape');
  await reminder.getByRole('button', { name: 'Not now' }).click();
  await expect(reminder).toBeHidden();
});

test('automatic backups are set up in a folder, and turned off', async ({ page, openScene }) => {
  await openScene('desktop');
  await openStorage(page);
  const automatic = settings(page).getByRole('region', { name: 'Automatic backups' });
  await automatic.getByRole('button', { name: 'Set up automatic backups…' }).click();
  await expectWhole(page);
  await automatic.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(automatic).toContainText('Waxwing backup 3f9a2c41');
  await expect(automatic).toContainText('Last automatic backupWednesday, March 4, 2026');
  await automatic.getByRole('button', { name: 'Turn off' }).click();
  await expect(automatic.getByRole('button', { name: 'Set up automatic backups…' })).toBeVisible();
  await expect(settings(page)).toContainText('12.5 MB');
});

test('a folder that is not connected is reported, and can be tried again', async ({ page, openScene }) => {
  await openScene('backup-folder');
  await openStorage(page);
  await expect(settings(page)).toContainText(
    '2 files couldn’t be read on this computer and aren’t in the backup.',
  );
  const automatic = settings(page).getByRole('region', { name: 'Automatic backups' });
  await expect(automatic.getByRole('status')).toHaveText(
    'The backup folder isn’t connected. Waxwing tries again every hour.',
  );
  await expectWhole(page);
  await automatic.getByRole('button', { name: 'Back up to the folder' }).click();
  await expect(automatic.getByRole('status')).toHaveCount(0);
});

test('the button of a backup has the focus after it, also while its end is not known', async ({
  page,
  openScene,
}) => {
  await openScene('files', { delay: MAKE_WORK });
  await openStorage(page);
  const open = settings(page).getByRole('button', { name: 'Back up now…' });
  await open.click();
  await settings(page).getByRole('button', { name: 'Back up', exact: true }).click();
  await expect(settings(page).getByRole('progressbar')).toBeVisible();
  await page.evaluate(() => {
    window.delayed.answer();
    window.delayed.delay('backup.get');
  });
  await expect(open).toBeFocused();
  await expect(open).toBeDisabled();
  await page.keyboard.press('Enter');
  await page.evaluate(() => window.delayed.answer());
  await expect(open).toBeEnabled();
  await expect(open).toBeFocused();
});

test('the buttons of automatic backups keep the focus while one is made', async ({ page, openScene }) => {
  await openScene('desktop', { delay: MAKE_WORK });
  await openStorage(page);
  const automatic = settings(page).getByRole('region', { name: 'Automatic backups' });
  const [setUp, now, other] = [
    automatic.getByRole('button', { name: 'Set up automatic backups…' }),
    automatic.getByRole('button', { name: 'Back up to the folder' }),
    automatic.getByRole('button', { name: 'Choose another folder…' }),
  ];
  await setUp.click();
  await automatic.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(other).toBeDisabled();
  await expect(other).toBeFocused();
  await expectWhole(page);
  await page.evaluate((work) => {
    window.delayed.answer();
    window.delayed.delay(work);
  }, MAKE_WORK);
  await expect(other).toBeEnabled();
  await expect(other).toBeFocused();
  await now.focus();
  await page.keyboard.press('Enter');
  await expect(now).toBeDisabled();
  await expect(now).toBeFocused();
  await page.evaluate(() => window.delayed.answer());
  await expect(now).toBeEnabled();
  await expect(now).toBeFocused();
  await automatic.getByRole('button', { name: 'Turn off' }).click();
  await expect(setUp).toBeFocused();
});

test('another folder can be chosen while the disk of the chosen one is full', async ({ page, openScene }) => {
  await openScene('backup-folder-full');
  await openStorage(page);
  const automatic = settings(page).getByRole('region', { name: 'Automatic backups' });
  await expect(automatic.getByRole('status')).toContainText('Make room there, or choose another place.');
  // In the colour of the other failures of a backup.
  const missing = settings(page).getByText('2 files couldn’t be read on this computer');
  const colour = await missing.evaluate((element) => getComputedStyle(element).color);
  await expect(automatic.getByRole('status')).toHaveCSS('color', colour);
  await expectWhole(page);
  await automatic.getByRole('button', { name: 'Choose another folder…' }).click();
  await expect(automatic.getByRole('radio', { name: 'Recovery phrase' })).toBeFocused();
  await automatic.getByRole('button', { name: 'Cancel' }).click();
  await expect(automatic).toContainText('Backup disk of the family');
  const other = automatic.getByRole('button', { name: 'Choose another folder…' });
  await expect(other).toBeFocused();
  await other.click();
  await automatic.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(automatic).toContainText('/media/ann/disk/Waxwing backup 3f9a2c41');
  await expect(automatic.getByRole('status')).toHaveCount(0);
  await expect(other).toBeFocused();
});

test('a backup is restored from a folder on a desktop', async ({ page, openScene }) => {
  await openScene('desktop');
  await openStorage(page);
  await settings(page).getByRole('button', { name: 'Restore from a folder…' }).click();
  await settings(page).getByLabel('Passphrase or recovery phrase of the backup').fill(BACKUP_PASSPHRASE);
  await page.keyboard.press('Enter');
  await expect(settings(page).getByText(/^Your backup of .* is restored\.$/)).toBeVisible();
});
