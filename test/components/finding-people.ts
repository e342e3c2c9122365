/** Shared by the quick and the slow tests of finding-people. */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const dialog = (page: Page) => page.getByRole('dialog', { name: 'New chat' });

export const rows = (page: Page) => page.getByRole('listbox', { name: 'Chats' }).locator('[data-row]');

export const title = (page: Page) =>
  page.getByRole('region', { name: 'Chat', exact: true }).locator('header h2');

export async function openNewChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(dialog(page)).toBeVisible();
}
