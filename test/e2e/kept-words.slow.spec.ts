import type { Page } from '@playwright/test';
import { App, OwnRelay } from './support/app.ts';
import { firstRun } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE } from './support/waxwing.ts';

async function newGroup(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

test('a draft survives locking and reloading; handles become lower case; a member who left is informed', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  const context = await browser.newContext({ locale: 'en-US' });
  await using ann = new App(await context.newPage(), await relay.url());
  const { page } = ann;
  await ann.start();

  await test.step('capitals in a handle become lower case', async () => {
    await firstRun(page, 'Ann');
    await expect(page.getByText('@ann', { exact: true })).toBeVisible();
    await expect(page.getByText('to find people, groups and settings')).toBeVisible();
  });

  const name = 'Bird watchers';
  await newGroup(page, name);

  await test.step('the chat and recent typing are there after locking and after a reload', async () => {
    const composer = page.getByRole('textbox', { name: /^Message to/ });
    await composer.fill('Written just before the lock');
    await page.keyboard.press('Control+l');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await expect(composer).toHaveValue('Written just before the lock');
    await composer.fill('Written just before the end by @');
    await expect(
      page.getByRole('listbox', { name: 'People to mention' }).getByRole('option', { name: /@ann/ }),
    ).toHaveAttribute('aria-selected', 'true');
    await composer.press('Tab');
    await expect(composer).toHaveValue('Written just before the end by @ann ');
    await page.reload();
    await expect(composer).toHaveValue('Written just before the end by @ann ');
    await expect(page.getByRole('form').locator('mark')).toHaveText('@ann');
    await composer.fill('');
  });

  await test.step('the line about leaving addresses the person who left', async () => {
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Leave group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    await expect(page.getByText('You left the group')).toBeVisible();
  });
});
