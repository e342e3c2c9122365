/**
 * Marks of another own computer: named where they are shown, and kept or undone after its removal.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { announcements } from './announcer.ts';
import { expect, test } from './support.ts';

for (const width of [360, 1280]) {
  test(`at ${width} px removing a device lists its settings, and each is kept or undone`, async ({
    page,
    openScene,
  }) => {
    await openScene('desktop');
    const settings = await openSettings(page, 'Devices');
    await page.setViewportSize({ width, height: 720 });
    const changes = settings.getByRole('region', { name: 'Set by a device you removed' });
    await expect(settings.getByRole('list', { name: 'Your devices' })).toBeVisible();
    await expect(changes).toHaveCount(0);
    await settings
      .getByRole('listitem')
      .filter({ hasText: 'Living room' })
      .getByRole('button', { name: 'Remove Living room' })
      .click();
    await page.getByRole('button', { name: 'Remove device' }).click();
    await expect(changes).toBeVisible();
    await expect(announcements(page)).toContainText('Living room removed');
    await expect(changes.getByRole('listitem')).toHaveText([
      /Verified: Sam Porter/,
      /Nickname of Sam Porter: “Mum”.*Before: “Sammy”/,
      /Blocked: Dana Reyes/,
      /Disappearing messages with Sam Porter: 1 hour.*Before: Off/,
      /Disappearing messages in Birds: 1 hour.*Before: 1 day/,
    ]);
    await expectWhole(page);
    const item = (text: string) => changes.getByRole('listitem').filter({ hasText: text });
    // A screen reader lists buttons without the lines that they stand in.
    for (const name of ['Keep: Verified: Sam Porter', 'Undo: Verified: Sam Porter'])
      await expect(item('Verified').getByRole('button', { name, exact: true })).toBeVisible();
    await item('Verified').getByRole('button', { name: 'Undo' }).click();
    await item('Nickname').getByRole('button', { name: 'Keep' }).click();
    await item('with Sam Porter').getByRole('button', { name: 'Undo' }).click();
    await expect(changes.getByRole('listitem')).toHaveText([/Blocked: Dana Reyes/, /Birds/]);
    await item('in Birds').getByRole('button', { name: 'Keep' }).click();
    await item('Blocked').getByRole('button', { name: 'Undo' }).click();
    await expect(changes).toHaveCount(0);
  });
}

test('the details of a contact name the other computer that verified them', async ({ page, openScene }) => {
  await openScene('many', { open: '4' });
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Verified on Living room (device-t) on')).toBeVisible();
  await expectWhole(page);
});

test('a device gets a name, an empty name removes it, and Escape changes nothing', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  const settings = await openSettings(page, 'Devices');
  await settings.getByRole('button', { name: 'Rename This computer' }).click();
  const name = settings.getByLabel('Device name');
  await expect(name).toBeFocused();
  await name.fill('Küche 🐦');
  await page.keyboard.press('Enter');
  const own = settings.getByRole('listitem').filter({ hasText: 'Küche 🐦' });
  await expect(own).toContainText('This computer');
  await own.getByRole('button', { name: 'Rename Küche 🐦' }).click();
  await name.fill('x'.repeat(81));
  await expect(settings.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(settings).toBeVisible();
  await expect(own.getByRole('button', { name: 'Rename Küche 🐦' })).toBeFocused();
  await own.getByRole('button', { name: 'Rename Küche 🐦' }).click();
  await name.fill('');
  await page.keyboard.press('Enter');
  await expect(settings.getByRole('button', { name: 'Rename This computer' })).toBeVisible();
  await expectWhole(page);
});
