import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('a member without the right to set the timer of a group can read it', async ({ page, openScene }) => {
  await openScene('disappearing', { open: '2' });
  await expect(page.getByText('Ann Archer set messages to disappear after 90 minutes')).toBeVisible();
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Only the owner and admins can change this.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Disappearing messages/ })).toHaveCount(0);
  await expectWhole(page);
});

test('the default timer for new chats is in Settings, and the search finds it', async ({
  page,
  openScene,
}) => {
  await openScene('disappearing');
  await openSettings(page, 'Chats');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('expire');
  await page.keyboard.press('Enter');
  const choices = page.getByRole('group', { name: 'Disappearing messages' });
  await expect(choices.getByRole('radio', { name: '1 week' })).toBeChecked();
  await choices.getByText('8 hours').click();
  await expect(choices.getByRole('radio', { name: '8 hours' })).toBeChecked();
  await expectWhole(page);
});
