import type { Page } from '@playwright/test';
import { App, OwnRelay } from './support/app.ts';
import { joinGroup, makeGroup } from './support/groups.ts';
import { send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const members = (page: Page) =>
  details(page).getByRole('list').filter({ hasText: '@ben' }).getByRole('listitem');

test('an owner appoints an admin and the next owner, and leaves; lists, lines and focus follow on both sides', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  const url = await relay.url();
  await using ann = await App.newcomer(browser, url, 'ann');
  await using ben = await App.newcomer(browser, url, 'ben');
  const close = ann.page.getByRole('button', { name: 'Close details' });

  await test.step('Ann makes a group, and Ben joins it', async () => {
    await makeGroup(ann.page, 'Pond', 'duck');
    await joinGroup(ben.page, 'Pond', 'duck');
    await send(ben.page, 'Here I am');
    await expect(ann.page.getByRole('article').getByText('Here I am')).toBeVisible();
  });

  await test.step('the owner is first, and the focus stays in the pane when its element disappears', async () => {
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await expect(members(ann.page)).toHaveText([/@ann.*Owner/, /@ben/]);
    await ann.page.getByRole('button', { name: 'Options for @ben' }).click();
    await ann.page.getByRole('menuitem', { name: 'Make admin' }).click();
    await expect(members(ann.page)).toHaveText([/@ann.*Owner/, /@ben.*Admin/]);
    await ann.page.getByRole('button', { name: 'Options for @ben' }).click();
    await ann.page.getByRole('menuitem', { name: 'Make owner' }).click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Make owner' }).click();
    await expect(members(ann.page)).toHaveText([/@ben.*Owner/, /@ann.*Admin/]);
    // No row has a menu for an admin: the focus is on the row whose menu disappeared.
    await expect(members(ann.page).getByRole('button', { name: /^@ben/ })).toBeFocused();
  });

  await test.step('Ann leaves, and Ben sees her acts in order', async () => {
    await details(ann.page).getByRole('button', { name: 'Leave group' }).click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    await expect(ann.page.getByRole('article', { name: 'You left the group' })).toBeVisible();
    await expect(close).toBeFocused();
    await expect(ann.page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0);
    await expect(ben.page.getByRole('article', { name: '@ann left the group' })).toBeVisible();
    await expect(ben.page.getByRole('article').last()).toHaveAccessibleName('@ann left the group');
    await expect(ben.page.getByRole('article', { name: '@ann made you the owner' })).toBeVisible();
  });

  await test.step('Ben is alone, and reads the effect of leaving on the group', async () => {
    await ben.page.getByRole('button', { name: 'Details' }).click();
    await expect(members(ben.page)).toHaveText([/@ben.*Owner/]);
    await details(ben.page).getByRole('button', { name: 'Leave group' }).click();
    await expect(ben.page.getByRole('alertdialog')).toContainText(
      'You’re the last member, so the group ends.',
    );
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(details(ben.page).getByRole('button', { name: 'Leave group' })).toBeFocused();
  });
});
