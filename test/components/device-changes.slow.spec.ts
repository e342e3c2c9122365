/**
 * Marks of another own computer: named where they are shown, and kept or undone after its removal.
 */
import type { Locator, Page } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { announcements } from './announcer.ts';
import { expect, test } from './support.ts';

/** Removes the other computer, and returns the list of what it did. */
async function removeOtherComputer(page: Page): Promise<Locator> {
  const settings = await openSettings(page, 'Devices');
  const changes = settings.getByRole('region', { name: 'From a device you removed' });
  await expect(settings.getByRole('list', { name: 'Your devices' })).toBeVisible();
  await expect(changes).toHaveCount(0);
  await settings
    .getByRole('listitem')
    .filter({ hasText: 'Living room' })
    .getByRole('button', { name: 'Remove Living room' })
    .click();
  await page.getByRole('button', { name: 'Remove device' }).click();
  await expect(changes).toBeVisible();
  return changes;
}

for (const width of [360, 1280]) {
  test(`at ${width} px removing a device lists what it did, and each is kept or undone`, async ({
    page,
    openScene,
  }) => {
    await openScene('desktop');
    await page.setViewportSize({ width, height: 720 });
    const changes = await removeOtherComputer(page);
    await expect(announcements(page)).toContainText('Living room removed');
    await expect(changes.getByRole('listitem')).toHaveText([
      /Verified: Sam Porter/,
      /Nickname of Sam Porter: “Mum”.*Before: “Sammy”/,
      /Blocked: Dana Reyes/,
      /Disappearing messages with Sam Porter: 1 hour.*Before: Off/,
      /Disappearing messages in Birds: 1 hour.*Before: 1 day/,
      /Made Dana Reyes an admin of Birds/,
      /Removed Sam Porter from Birds/,
      /Group name: “Birds”.*Before: “Bird watchers”/,
      /New picture of Owls/,
      /New password for Birds.*Choose a new password/,
      /Anyone on this server can join Walks.*Before: only invited people.*you aren’t in the group/,
      /12 messages to Echo/,
    ]);
    await expectWhole(page);
    const item = (text: string) => changes.getByRole('listitem').filter({ hasText: text });
    // A screen reader lists buttons without the lines that they stand in.
    for (const name of ['Keep: Verified: Sam Porter', 'Undo: Verified: Sam Porter'])
      await expect(item('Verified').getByRole('button', { name, exact: true })).toBeVisible();
    await item('Verified').getByRole('button', { name: 'Undo' }).click();
    await item('Nickname').getByRole('button', { name: 'Keep' }).click();
    await item('with Sam Porter').getByRole('button', { name: 'Undo' }).click();
    await item('messages in Birds').getByRole('button', { name: 'Keep' }).click();
    await item('Blocked').getByRole('button', { name: 'Undo' }).click();
    // A removed member has to be invited, and some changes can only be kept.
    await expect(item('Removed Sam').getByRole('button', { name: /^Invite again/ })).toBeVisible();
    await item('Picture')
      .getByRole('button', { name: /^Remove picture/ })
      .click();
    for (const text of ['New password', 'Walks']) {
      await expect(item(text).getByRole('button', { name: /^Undo/ })).toHaveCount(0);
      await item(text).getByRole('button', { name: /^Keep/ }).click();
    }
    await expect(changes.getByRole('listitem')).toHaveCount(4);
  });
}

test('a failed answer is visible in a window that is lower than the list', async ({ page, openScene }) => {
  await openScene('desktop');
  await page.setViewportSize({ width: 360, height: 500 });
  const changes = await removeOtherComputer(page);
  await changes.getByRole('button', { name: 'Undo: Group name: “Birds”' }).click();
  await expect(changes.getByText(/^Birds: Only the group’s owner/)).toBeInViewport({ ratio: 1 });
  await changes.getByRole('button', { name: /^Delete for everyone/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(changes.getByText('2 messages couldn’t be deleted for everyone')).toBeInViewport({ ratio: 1 });
  await expectWhole(page);
});

test('messages of a removed device are shown in their chat, and deleted for everyone after a question', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  const changes = await removeOtherComputer(page);
  const item = changes.getByRole('listitem').filter({ hasText: '12 messages' });
  await item.getByRole('button', { name: /^Delete for everyone/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete for everyone?' });
  await expect(question).toContainText('12 messages to Echo.');
  await expectWhole(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(item).toBeVisible();
  await item.getByRole('button', { name: /^Delete for everyone/ }).click();
  await question.getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(item).toHaveCount(0);
  await expect(changes.getByRole('alert')).toContainText('2 messages couldn’t be deleted for everyone');
});

test('Show opens the chat at the first message of the removed device', async ({ page, openScene }) => {
  await openScene('desktop');
  const changes = await removeOtherComputer(page);
  await changes.getByRole('button', { name: /^Show/ }).click();
  await expect(changes).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Echo' })).toBeVisible();
});

test('undoing all deletes no messages, and names the group where it failed', async ({ page, openScene }) => {
  await openScene('desktop');
  const changes = await removeOtherComputer(page);
  await changes.getByRole('button', { name: 'Undo all' }).click();
  await expect(changes.getByRole('alert')).toContainText(/^Birds: /);
  await expect(changes.getByRole('listitem')).toHaveText([
    /Disappearing messages in Birds/,
    /Made Dana Reyes an admin/,
    /Removed Sam Porter/,
    /Group name/,
    /New password/,
    /Walks/,
    /12 messages/,
  ]);
  await changes.getByRole('button', { name: 'Keep all' }).click();
  await expect(changes).toHaveCount(0);
});

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
