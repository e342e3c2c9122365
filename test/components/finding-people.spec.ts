/**
 * Finding people and chats: with the server and without, by handle and by name.
 */
import type { Page } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { dialog, openNewChat, title } from './finding-people.ts';
import { answerDelayed, delay, expect, refuse, test } from './support.ts';

const contacts = (page: Page) => dialog(page).getByRole('list', { name: 'Contacts' });

test('New chat finds known chats by name while the server is silent, and Enter opens the first', async ({
  page,
  openScene,
}) => {
  await openScene('offline', { open: '' });
  for (const name of ['people.search', 'people.resolve'] as const) await delay(page, name);
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('Ann ar');
  await expect(contacts(page).getByRole('listitem')).toHaveCount(1);
  await expectWhole(page);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(title(page)).toContainText('Ann');
});

test('the whole handle of a contact opens their chat without asking the server', async ({
  page,
  openScene,
}) => {
  await openScene('offline', { open: '' });
  await delay(page, 'people.resolve');
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('@ann');
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Ann');
});

test('New chat offers to repeat a search that the server did not answer', async ({ page, openScene }) => {
  await openScene('empty');
  await delay(page, 'people.search');
  await openNewChat(page);
  await refuse(page);
  const retry = dialog(page).getByRole('button', { name: 'Try again' });
  await delay(page, 'people.search');
  await retry.click();
  await expect(retry).toHaveCount(0);
  await expect(dialog(page).getByRole('textbox', { name: 'To' })).toBeFocused();
  await answerDelayed(page);
  const found = dialog(page).getByRole('list', { name: 'People on this server' });
  await expect(found.getByRole('listitem')).not.toHaveCount(0);
});
