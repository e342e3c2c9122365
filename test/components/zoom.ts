/**
 * Parts of the pages for tests in zoom.spec.ts and zoom.slow.spec.ts.
 */
import type { Locator, Page } from '@playwright/test';
import { expect } from './support.ts';

export const WIDTH = 320;

/** Scrolls to an element, and checks that it is completely visible. */
export async function expectReached(what: Locator): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  await expect(what).toBeInViewport({ ratio: 0.99 });
}

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / });
export const newest = (page: Page) => page.getByRole('article').last();

export async function expectNewest(page: Page, text: string): Promise<void> {
  await expect(newest(page)).toContainText(text);
  await expectReached(newest(page).getByText(text).last());
}

export async function expectSends(page: Page, text: string): Promise<void> {
  await composer(page).click();
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expectNewest(page, text);
}
