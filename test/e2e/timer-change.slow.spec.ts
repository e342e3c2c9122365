/** A timer of disappearing messages that the peer changes while its dialog is open. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { acceptRequest, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('a timer changed by the other side is shown in the open chat and its details', async ({ browser }) => {
  test.slow();
  await using relay = new OwnRelay();
  await using ann = await App.newcomer(browser, await relay.url(), 'ann');
  await using ben = await App.newcomer(browser, await relay.url(), 'ben');
  await startChat(ann.page, '@ben');
  await send(ann.page, 'Hello');
  await acceptRequest(ben.page, /ann/);
  await send(ben.page, 'Hello you');
  for (const { page } of [ann, ben]) await page.getByRole('button', { name: 'Details' }).click();
  const timer = (page: Page) => page.getByRole('button', { name: /^Disappearing messages: / });
  const choose = async (page: Page, time: string) => {
    await timer(page).click();
    await page.getByRole('menuitemradio', { name: time }).click();
  };
  await expect(ann.page.getByRole('article').getByText('Hello you')).toBeVisible();

  await test.step('Ben sets it while Ann has a draft and the details open', async () => {
    const field = ann.page.getByRole('textbox', { name: /^Message to/ });
    await field.fill('half a sentence');
    await choose(ben.page, '8 hours');
    await expect(timer(ann.page)).toHaveText('8 hours');
    await expect(ann.page.getByRole('img', { name: /^Messages disappear after 8 hours/ })).toBeVisible();
    await expect(ann.page.getByText('@ben set messages to disappear after 8 hours')).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('half a sentence');
    await expectAccessible(ann.page);
  });

  await test.step('it changes while Ann has the list of times open, which shows the new one', async () => {
    await timer(ann.page).click();
    await expect(ann.page.getByRole('menuitemradio', { name: '8 hours' })).toBeChecked();
    await choose(ben.page, '1 day');
    await expect(ann.page.getByRole('menuitemradio', { name: '1 day' })).toBeChecked();
    await ann.page.keyboard.press('Escape');
    await expect(timer(ann.page)).toBeFocused();
    await send(ann.page, 'said under the new time');
    const own = ann.page.getByRole('article').filter({ hasText: 'said under the new time' });
    await expect(own.getByRole('img', { name: /^Disappears after/ })).toBeVisible();
  });

  await test.step('Ben turns it off', async () => {
    await choose(ben.page, 'Off');
    await expect(timer(ann.page)).toHaveText('Off');
    await expect(ann.page.getByText('@ben turned disappearing messages off')).toBeVisible();
  });
});
