/** Shared by the quick and the slow tests of showing-files. */
import type { Locator, Page } from '@playwright/test';

export const article = (page: Page, of: string) => page.getByRole('article').filter({ hasText: of });

export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true });
