/** Shared by the quick and the slow tests of fast-typing. */
import type { Page } from '@playwright/test';

export const echo = (page: Page) => page.getByRole('heading', { name: /Echo/ });
