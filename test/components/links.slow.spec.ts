/**
 * Links of messages: each way to open one asks first, and the page has no address that the browser could open.
 */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { ADDRESS, link, question, sendLink } from './links.ts';
import { expect, test } from './support.ts';

const menu = (page: Page) => page.getByRole('menu', { name: 'Message actions' });

test('a link has the menu of its message, with opening and copying', async ({ page, context, openScene }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('actions');
  await sendLink(page);
  await expect(page.locator('article a[href]')).toHaveCount(0);
  await link(page).click({ button: 'right' });
  await expect(menu(page).getByRole('menuitem').first()).toHaveText('Open link');
  await expectAccessible(page);
  await menu(page).getByRole('menuitem', { name: 'Open link' }).click();
  await expect(question(page).getByRole('region', { name: 'Address' })).toHaveText(ADDRESS);
  await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await expect(page.locator('article:focus')).toContainText(ADDRESS);

  await link(page).click({ button: 'right' });
  await menu(page).getByRole('menuitem', { name: 'Copy link address' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(ADDRESS);
  // Outside of the link, the menu has the actions of the message only.
  await page.getByRole('article').last().locator('time').click({ button: 'right' });
  await expect(menu(page)).toBeVisible();
  await expect(menu(page).getByRole('menuitem', { name: 'Open link' })).toHaveCount(0);
});

test('Tab moves from a message to its link, also after another message had the focus', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await sendLink(page);
  const message = page.getByRole('article').filter({ hasText: ADDRESS });
  for (let round = 0; round < 2; round++) {
    await message.focus();
    await expect(link(page)).toHaveAttribute('tabindex', '0');
    await page.keyboard.press('Tab');
    await expect(link(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(link(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(message).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(link(page)).toHaveAttribute('tabindex', '-1');
  }
});
