/** Shared by the quick and the slow tests of storage. */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

export const chats = (page: Page) => settings(page).getByRole('list', { name: 'Files by chat' });

export async function openStorage(page: Page): Promise<void> {
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('button', { name: 'Storage' }).click();
}
