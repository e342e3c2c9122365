/**
 * Parts of the pages for tests in formatting.spec.ts and formatting.slow.spec.ts.
 */
import type { Page } from '@playwright/test';
import { expect } from './support.ts';

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

export const bar = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' });

export const button = (page: Page, name: string) => bar(page).getByRole('button', { name });

export async function write(page: Page, text: string): Promise<void> {
  await expect(composer(page)).toBeFocused();
  await page.keyboard.insertText(text);
  await expect(composer(page)).toHaveValue(text);
}

/** Selects words of the field. */
export async function select(page: Page, words: string): Promise<void> {
  await composer(page).evaluate((field: HTMLTextAreaElement, part) => {
    const from = field.value.indexOf(part);
    field.setSelectionRange(from, from + part.length);
  }, words);
}

export const sent = (page: Page) => page.locator('article').last();

export const selected = (page: Page) =>
  composer(page).evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );
