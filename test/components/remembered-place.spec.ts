/**
 * After a lock and a reload the window shows the same place as before.
 */
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { lockScreen, unlock } from '../e2e/support/pages.ts';
import { rows, title } from './remembered-place.ts';
import { expect, test } from './support.ts';

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
  await expect(rows(page).nth(2)).toHaveAttribute('aria-current', 'true');
});
