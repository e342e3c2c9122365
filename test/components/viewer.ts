/** Shared by the quick and the slow tests of viewer. */
import type { Page } from '@playwright/test';

export const viewer = (page: Page) => page.getByRole('dialog', { name: 'Pictures of this chat' });

export const scale = (page: Page) =>
  viewer(page)
    .locator('[data-scale]')
    .evaluate((stage) => Number(stage.getAttribute('data-scale')));

export const HARBOR = 'Two boats in the harbor of Lindau, in fog';
