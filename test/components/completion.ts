/**
 * Parts of the pages for tests in completion.spec.ts and completion.slow.spec.ts.
 */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
export const people = (page: Page) => page.getByRole('listbox', { name: 'People to mention' });
export const emoji = (page: Page) => page.getByRole('listbox', { name: 'Emoji' });
export const option = (page: Page, name: RegExp) =>
  people(page).or(emoji(page)).getByRole('option', { name });
/** The mentions that the field shows. */
export const marks = (page: Page) => page.getByRole('form').locator('mark');
export const sent = (page: Page) => page.locator('article').last();

/** Types into the field of a chat; in the scene are two groups, and Ben. */
export async function type(page: Page, text: string): Promise<void> {
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type(text);
}
