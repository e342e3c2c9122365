/** Steps that the quick and the slow tests of this name share. */
import type { Page } from '@playwright/test';

export const article = (page: Page, text: string) => page.locator('article').filter({ hasText: text }).last();
