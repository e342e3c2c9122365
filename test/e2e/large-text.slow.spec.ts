/**
 * Text at 200 % in a window of 360 pixels: texts are whole, and fields keep room for typing.
 */
import type { Locator } from '@playwright/test';
import { expectWhole } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { openSettings, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const hidden = (field: Locator) => field.evaluate((element) => element.scrollHeight - element.clientHeight);

test('an open chat adapts to text size and window width', async ({ browser }) => {
  test.slow();
  await using relay = new OwnRelay();
  await using ann = await App.newcomer(browser, await relay.url(), 'ann');
  const { page } = ann;
  const field = page.getByRole('textbox', { name: 'Message to Weekend Hikers' });
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Weekend Hikers');
  await page.getByRole('button', { name: 'Create group' }).click();
  await send(page, 'The ridge, from the old mill');
  await field.fill('Bring water, a map and something warm to wear on the ridge');

  await test.step('a draft stays complete after enlarging the text', async () => {
    const settings = await openSettings(page, 'Appearance');
    await settings.getByRole('slider', { name: 'Text size' }).press('End');
    await expect(page.locator('html[data-text-size="200"]')).toBeAttached();
    // The window now has room for one pane: Escape leads to the list of sections, and a second one leaves it.
    await page.keyboard.press('Escape');
    await expect(settings.getByRole('heading', { name: 'Appearance' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    await expect.poll(() => hidden(field)).toBe(0);
    await page.setViewportSize({ width: 640, height: 900 });
    await expect.poll(() => hidden(field)).toBe(0);
  });

  await test.step('nothing is cut off, and the search for people has room for a name', async () => {
    await expectWhole(page);
    await page.setViewportSize({ width: 360, height: 900 });
    await page.getByRole('button', { name: 'Back to chats' }).click();
    await page.getByRole('button', { name: 'New chat' }).first().click();
    const to = page.getByRole('textbox', { name: 'To', exact: true });
    await expect(to).toBeFocused();
    const room = await to.evaluate((element) => element.clientWidth);
    expect(room).toBeGreaterThan(200);
    await expect(page.getByRole('button', { name: 'Start chat', exact: true })).toBeInViewport();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    const find = page.getByRole('textbox', { name: 'Find a group' });
    await expect(find).toBeFocused();
    expect(await find.evaluate((element) => element.clientWidth)).toBeGreaterThan(200);
  });
});
