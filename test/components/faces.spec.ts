import { openSettings } from '../e2e/support/pages.ts';
import { faces } from './faces.ts';
import { expect, test } from './support.ts';

test('C11: pictures are shown in list, header, messages and details; one that cannot be shown leaves the initials', async ({
  page,
  openScene,
}) => {
  await openScene('faces', { open: '1' });
  await expect(page.locator('header').locator(faces).first()).toBeVisible();
  await expect(page.getByText('Ann Archer changed their picture')).toBeVisible();
  await expect(page.getByText('Ann Archer changed their name. Before: Annie')).toBeVisible();
  const row = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) });
  await expect(row('Ann Archer').locator(faces)).toBeVisible();
  await expect(row('Bird watchers').locator(faces)).toBeVisible();
  await expect(row('Wide Picture').locator(faces)).toBeVisible();
  await expect(row('Huge Picture').locator('img')).toHaveCount(0);
  await expect(row('Huge Picture')).toContainText('HP');
  await expect(row('Broken Picture').locator('img')).toHaveCount(0);
});

test('the text about oneself is saved, and the details of a contact show theirs', async ({
  page,
  openScene,
}) => {
  await openScene('faces', { open: '1' });
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const field = settings.getByLabel('About you');
  await expect(field).toHaveValue('Counts birds on Sundays.');
  await field.fill('Sings');
  await settings.getByRole('button', { name: 'Save text' }).click();
  await expect(settings).toContainText('Saved');
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await page.keyboard.press('Control+.');
  await expect(page.getByText('Photographs waxwings')).toBeVisible();
});
