/**
 * After a lock and a reload the window shows the same place as before.
 */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { lockScreen, unlock } from '../e2e/support/pages.ts';
import { chat, kept, rows } from './remembered-place.ts';
import { expect, test } from './support.ts';

const title = (page: Page) => chat(page).locator('header h2');

test('the open chat is open again after unlocking and after a reload', async ({ page, openScene }) => {
  await openScene('many', { open: '' });
  await rows(page).nth(2).click();
  await expect(title(page)).toBeVisible();
  const name = await title(page).innerText();
  await page.keyboard.press('Control+l');
  await expect(lockScreen(page)).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), 'nothing names it').not.toContain(
    name,
  );
  await unlock(page, PASSPHRASE);
  await expect(title(page)).toHaveText(name);
  await page.reload();
  await expect(title(page)).toHaveText(name);
  await expect(rows(page).nth(2)).toHaveAttribute('aria-selected', 'true');
});

test('a closed chat stays closed after a reload', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 500, height: 800 });
  await openScene('many', { open: '' });
  await rows(page).nth(1).click();
  await expect(title(page)).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).first().click();
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => kept(page)).toBeNull();
});
