/** Shared by the quick and the slow tests of late-answers. */
import type { Page } from '@playwright/test';

export const row = (page: Page, name: RegExp) => page.getByRole('option', { name });
