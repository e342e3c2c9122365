/** Shared by the quick and the slow tests of links. */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const ADDRESS = 'https://example.org/a/path?with=questions';

export const link = (page: Page) => page.getByRole('article').getByRole('link', { name: ADDRESS });

export const question = (page: Page) => page.getByRole('alertdialog');

/** Writes a message with the link, which is the last one then. */
export async function sendLink(page: Page): Promise<void> {
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeFocused();
  // While it opens, the first unread message is in view.
  await expect(page.getByRole('article').last()).toBeInViewport();
  await page.keyboard.insertText(`Look at ${ADDRESS} now`);
  await page.keyboard.press('Enter');
  await expect(link(page)).toBeVisible();
}
