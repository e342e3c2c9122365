/**
 * Parts of the pages for tests in message-actions.spec.ts and message-actions.slow.spec.ts.
 */
import type { Page } from '@playwright/test';

export const article = (page: Page, text: string) => page.locator('article').filter({ hasText: text }).last();
/** The form of a message. Screen readers hear some of its texts from a status elsewhere. */
export const writing = (page: Page) => page.getByRole('form', { name: 'Write a message' });
export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
export const LAST = 'I looked it up: it leaves at two.';
