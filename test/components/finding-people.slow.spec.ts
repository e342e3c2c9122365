/**
 * Finding people and chats: with the server and without, by handle and by name.
 */

import { expectWhole } from '../e2e/support/accessible.ts';
import { dialog, openNewChat, rows, title } from './finding-people.ts';
import { answerDelayed, expect, test } from './support.ts';

test('New chat finds people on the server by display name, and shows their handles', async ({
  page,
  openScene,
}) => {
  await openScene('empty');
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('Okáfor');
  const found = dialog(page).getByRole('list', { name: 'People on this server' }).getByRole('listitem');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText('@ben');
  await expectWhole(page);
  await found.getByRole('button').first().click();
  await expect(title(page)).toContainText('Ben');
});

test('the search of the list finds message requests, and marks them', async ({ page, openScene }) => {
  await openScene('many', { open: '' });
  await page.getByLabel('Search chats').fill('we met yesterday');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Message request');
  await expectWhole(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
});

test('Enter in the search on the open chat ends the search and focuses the composer', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  const name = await rows(page).first().locator('bdi').first().innerText();
  await rows(page).first().click();
  await page.getByLabel('Search chats').fill(name);
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Search chats')).toHaveValue('');
  await expect(rows(page).nth(1)).toBeVisible();
  await expect(
    page
      .getByRole('button', { name: 'Unread', exact: true })
      .or(page.getByRole('radio', { name: 'Unread' }))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Message / })).toBeFocused();
});

test('Enter in New chat waits for the list of chats', async ({ page, openScene }) => {
  await openScene('offline', { open: '', delay: 'conversations.list' });
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('Ann ar');
  await page.keyboard.press('Enter');
  await answerDelayed(page);
  await expect(title(page)).toContainText('Ann');
});

test('a new group is at the top of the list at once', async ({ page, openScene }) => {
  await openScene('many', { open: '' });
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Newest of all');
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(rows(page).first()).toContainText('Newest of all');
});
