/** Shared by the quick and the slow tests of fast-typing. */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const echo = (page: Page) => page.getByRole('heading', { name: /Echo/ });

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

/** Opens the palette as soon as the window listens for the shortcut. */
export async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await page.keyboard.press('Control+k');
}

/** Keys typed into the palette, with Enter at the end. */
export async function enterInPalette(page: Page, text: string): Promise<void> {
  await openPalette(page);
  await palette(page).getByRole('combobox').fill(text);
  await page.keyboard.press('Enter');
}
