/**
 * A window of 1,280 by 1,024 pixels at 400 % zoom, which leaves 320 by 256 (WCAG 1.4.10): every screen scrolls one way
 * only, and its purpose can be reached and used. A press here scrolls to its target, and fails where that is covered
 * or cut off.
 */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { lockScreen, unlock } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';
import { composer, expectNewest, expectReached, newest, WIDTH } from './zoom.ts';

test.use({ viewport: { width: WIDTH, height: 256 } });

async function expectSends(page: Page, text: string): Promise<void> {
  await composer(page).click();
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expectNewest(page, text);
}

test('a chat opens from the list, shows its newest message, and sends one', async ({ page, openScene }) => {
  await openScene('many');
  await page.getByRole('option', { name: /Ann Archer/ }).click();
  await expectNewest(page, 'Line 400');
  await newest(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: /^Jump to/ }).click();
  await expectNewest(page, 'Line 400');
  await expectSends(page, 'From a small window');
});

test('a message request is read and accepted', async ({ page, openScene }) => {
  await openScene('request', { open: '2' });
  await expectNewest(page, 'Sent with an API key.');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expectSends(page, 'Hello to you');
});

test('first run continues, and a locked app opens', async ({ page, openScene }) => {
  await openScene('first-run');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Create an account' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('checkbox', { name: 'I wrote them down' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: /^Word/ })).toHaveCount(3);
  await expectReached(page.getByRole('button', { name: 'Confirm phrase' }));
  await openScene('locked');
  await expectReached(lockScreen(page));
  await unlock(page, PASSPHRASE);
  await expect(
    composer(page)
      .or(page.getByRole('button', { name: 'New chat' }))
      .first(),
  ).toBeVisible();
});
