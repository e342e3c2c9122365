/**
 * The account in Settings and its end, and the invitation code of first run.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('deleting an account at once requires the recovery phrase; then it can be reopened, or this computer erased', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Delete account on relay.example' }).click();
  await settings.getByText('Now, with your recovery phrase').click();
  const remove = settings.getByRole('button', { name: 'Delete account', exact: true });
  await expect(remove).toBeDisabled();
  const phrase = settings.getByRole('textbox', { name: 'Recovery phrase or private key' });
  await phrase.fill('the wrong words');
  await remove.click();
  await expect(settings.getByRole('alert')).toHaveText(
    'This belongs to another account. Nothing was deleted.',
  );
  await expectWhole(page);
  await phrase.fill('the right words');
  await remove.click();
  const gone = settings.getByText('Your account on relay.example was deleted.');
  await expect(gone).toBeVisible();
  await expectWhole(page);
  await settings.getByRole('button', { name: 'Delete all data' }).click();
  await expect(settings.getByRole('checkbox', { name: /I saved my recovery phrase/ })).toBeFocused();
  await openSettings(page, 'Account');
  await settings.getByRole('button', { name: 'Open account again' }).click();
  await expect(gone).toBeHidden();
});

test('first run asks for an invitation code if the server requires one, and shows why it was refused', async ({
  page,
  openScene,
}) => {
  await openScene('first-run');
  await page.getByRole('radio', { name: /Server address/ }).check();
  await page.getByRole('textbox', { name: 'Server address' }).fill('https://invite.example');
  const code = page.getByRole('textbox', { name: 'Invitation code' });
  await expect(code).toBeVisible();
  await expectWhole(page);
  await code.fill('inv_short');
  await expect(page.getByText('A code starts with inv_ and has 47 characters.')).toBeVisible();
  const next = page.getByRole('button', { name: 'Continue' });
  await expect(next).toBeDisabled();
  await expectWhole(page);
  await code.fill(`inv_${'A'.repeat(43)}`);
  await expect(next).toBeEnabled();
  await page.getByRole('textbox', { name: 'Server address' }).fill('https://list.example');
  await expect(page.getByText('administrator has to add your address')).toBeVisible();
  await expect(code).toBeHidden();
});

test('a deleted account is reported once, with the next steps', async ({ page, openScene }) => {
  await openScene('deleted');
  const notice = page.getByText(/account on (this server|relay\.example) was deleted/);
  await expect(notice).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Offline' })).toHaveCount(0);
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByRole('button', { name: 'Open account again' })).toBeVisible();
  const sections = settings.getByRole('navigation').getByRole('button');
  await expect(sections.filter({ hasText: 'Storage' })).toHaveCount(1);
  await expect(sections.filter({ hasText: /^(?:Devices|API Settings)$/ })).toHaveCount(0);
});

test('deleting an account lists the person’s groups that have other members', async ({ page, openScene }) => {
  await openScene('owns-groups');
  await openSettings(page, 'Account');
  await page.getByRole('button', { name: 'Delete account on relay.example' }).click();
  await page.getByRole('button', { name: 'Delete account', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Bird watchers, The Tuesday quiz');
});
