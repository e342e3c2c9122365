/** Shared by the quick and the slow tests of backup. */
import type { Page } from '@playwright/test';

export const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

export async function openStorage(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('button', { name: 'Storage' }).click();
}
