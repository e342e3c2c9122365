/** Settings › Storage: the space of messages and files, by chat, and the removal of files. */
import type { Page } from '@playwright/test';
import { chats, openStorage, settings } from './storage.ts';
import { expect, test } from './support.ts';

const question = (page: Page, name: RegExp | string) => page.getByRole('alertdialog', { name });

test('clearing a chat asks first, keeps the messages, and offers its files for download', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  await expect(page.getByRole('img', { name: /Lindau/ })).toBeVisible();
  await openStorage(page);
  const button = settings(page).getByRole('button', { name: 'Clear files of Pictures only' });
  await button.click();
  const dialog = question(page, /^Clear files of Pictures only, [\d.]+ MB\?$/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(button).toBeFocused();
  await button.click();
  await dialog.getByRole('button', { name: 'Clear files' }).click();
  await expect(button).toHaveCount(0);
  await expect(chats(page).getByRole('listitem')).toHaveCount(2);
  await expect(settings(page).getByRole('heading', { name: 'Space on this computer' })).toBeFocused();
  await settings(page).getByRole('button', { name: 'Close settings' }).click();
  await expect(page.getByRole('button', { name: 'Download harbor.png' })).toBeVisible();
  await expect(page.getByRole('img', { name: /Lindau/ })).toHaveCount(0);
});

test('clearing all files leaves no chat in the list', async ({ page, openScene }) => {
  await openScene('files');
  await openStorage(page);
  await settings(page).getByRole('button', { name: 'Clear all files' }).click();
  await question(page, /^Clear all files/)
    .getByRole('button', { name: 'Clear all files' })
    .click();
  await expect(settings(page).getByText('No chat has files on this computer.')).toBeVisible();
  await expect(settings(page).getByRole('button', { name: 'Clear all files' })).toHaveCount(0);
});

test('a shorter time for files is confirmed first, a longer one applies at once', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await openStorage(page);
  const choice = (name: string) => settings(page).getByRole('radio', { name, exact: true });
  await expect(settings(page).getByRole('group', { name: 'Keep files', exact: true })).toBeVisible();
  await choice('90 days').click({ force: true });
  const dialog = question(page, 'Remove files after 90 days?');
  await expect(dialog).toContainText('the files of pinned messages');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(choice('Always')).toBeChecked();
  await choice('90 days').click({ force: true });
  await dialog.getByRole('button', { name: 'Remove files' }).click();
  await expect(choice('90 days')).toBeChecked();
  await choice('1 year').click({ force: true });
  await expect(choice('1 year')).toBeChecked();
  await expect(dialog).toHaveCount(0);
});
