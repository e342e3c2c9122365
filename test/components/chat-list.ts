/**
 * Parts of the pages for tests in chat-list.spec.ts and chat-list.slow.spec.ts.
 */
import type { Page } from '@playwright/test';

export const nav = (page: Page) => page.getByRole('navigation', { name: 'Chats' });
export const rows = (page: Page) => nav(page).locator('[data-row]');
export const row = (page: Page, name: RegExp) => nav(page).getByRole('option', { name });
export const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
