/**
 * Parts of the pages for tests in message-actions.spec.ts and message-actions.slow.spec.ts.
 */
import type { Page } from '@playwright/test';

export const article = (page: Page, text: string) => page.locator('article').filter({ hasText: text }).last();
export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
export const LAST = 'I looked it up: it leaves at two.';
