/** The join modes of a group: one choice of three, at its creation and later; and the note on one by invitation only. */
import { expectWhole, settled } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('the owner changes who can join in one dialog, and an existing password stays unless replaced', async ({
  page,
  openScene,
}) => {
  await openScene('group');
  await page.getByRole('button', { name: 'Details' }).click();
  const change = page.getByRole('button', { name: 'Change who can join' });
  await change.click();
  const dialog = page.getByRole('dialog', { name: 'Change who can join' });
  const save = dialog.getByRole('button', { name: 'Save changes' });
  await expect(dialog.getByRole('radio', { name: 'Anyone with the password' })).toBeChecked();
  await expect(save).toBeDisabled();
  await expectWhole(page);
  await dialog.getByRole('textbox', { name: 'New password' }).fill('sesame two');
  await expect(save).toBeEnabled();
  await dialog.getByRole('radio', { name: 'Anyone on this server' }).check();
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  await save.click();
  await expect(dialog).toBeHidden();
  await expect(change).toBeFocused();
  await expect(page.getByText('Anyone on this server', { exact: true })).toBeVisible();
});

test('a group by invitation only explains how to join, without a button that would fail', async ({
  page,
  openScene,
}) => {
  await openScene('many');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  await expect(row('Bakers')).toHaveAccessibleName(/Join$/);
  await row('Divers').click();
  const dialog = page.getByRole('dialog', { name: 'By invitation only' });
  await expect(dialog).toContainText('Ask Ann Archer, who owns this group, or an admin to invite you.');
  await expect(dialog.getByRole('button', { name: 'Join' })).toHaveCount(0);
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await row('Early birds').click();
  await expect(dialog).toContainText('This group has no owner. Ask an admin to invite you.');
  await expect(dialog.getByRole('button', { name: 'Message' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await row('Divers').click();
  await dialog.getByRole('button', { name: 'Message Ann Archer' }).click();
  await expect(page.getByRole('textbox', { name: 'Message to Ann Archer' })).toBeVisible();
});

test('a removed member sees the removal in the open chat, without further requests', async ({
  page,
  openScene,
}) => {
  await openScene('removed');
  const left = page.getByRole('region', { name: 'Left' });
  await expect(left).toContainText('You’re no longer in this group');
  await expectWhole(page);
});

test('removal while the details are open shows no error and no retry', async ({ page, openScene }) => {
  // The details notice it: their call fails, and the person is no longer a member.
  await openScene('removed-details');
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(page.getByRole('region', { name: 'Left' })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Delete chat' })).toBeVisible();
  await settled(page);
  await expect(details.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(details.getByText('You’re not a member of this group.')).toHaveCount(0);
});
