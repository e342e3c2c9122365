/**
 * The account in Settings and its end, and the invitation code of first run.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('deleting an account takes two steps that explain the effect, and can be cancelled in the window and in Settings', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Delete account on relay.example' }).click();
  await expect(settings).toContainText('Sent messages stay with others.');
  await expectWhole(page);
  await settings.getByRole('button', { name: 'Delete account', exact: true }).click();
  await expect(settings.getByRole('status').filter({ hasText: 'will be deleted on' })).toContainText('March');
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  const strip = page.getByRole('region', { name: 'Account deletion' });
  await expect(strip).toContainText('Your account on relay.example will be deleted on');
  await strip.getByRole('button', { name: 'Cancel deletion' }).click();
  await expect(strip).toBeHidden();
  await openSettings(page, 'Account');
  await expect(settings.getByRole('button', { name: 'Delete account on relay.example' })).toBeVisible();
});
