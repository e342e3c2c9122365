/** Shared by the quick and the slow tests of pasting. */
import type { Page } from '@playwright/test';
import { copy } from '../e2e/support/clipboard.ts';
import { expect } from './support.ts';

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

export async function pasted(page: Page, html: string, plain: string, keys = 'Control+v'): Promise<string> {
  await copy(page, html, plain);
  await composer(page).fill('');
  await page.keyboard.press(keys);
  await expect(composer(page)).not.toHaveValue('');
  return composer(page).inputValue();
}

export const IN_MARKS = `**What to bring**

A **warm** coat, _not ~~two~~_, and the \`key\`.
See you at the harbor (https://harbor.example/map).

- bread
- water
  3. still
  4. sparkling

> No hurry.
>
> Really.

\`\`\`js
let a = 1;
  a += 1;
\`\`\``;
