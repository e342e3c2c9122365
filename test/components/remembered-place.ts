/** Shared by the quick and the slow tests of remembered-place. */
import type { Page } from '@playwright/test';

export const rows = (page: Page) => page.getByRole('listbox', { name: 'Chats' }).locator('[data-row]');

export const chat = (page: Page) => page.getByRole('region', { name: 'Chat', exact: true });

export const KEY = 'waxwing-open-chat';

export const kept = (page: Page) => page.evaluate((key) => sessionStorage.getItem(key), KEY);

export const title = (page: Page) => chat(page).locator('header h2');
