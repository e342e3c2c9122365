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

test('a draft outlives the lock and the page; capitals in a handle become small; who left is told so', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  const context = await browser.newContext({ locale: 'en-US' });
  await using ann = new App(await context.newPage(), await relay.url());
  const { page } = ann;
  await ann.start();

  await test.step('capitals in a handle become small letters', async () => {
    await firstRun(page, 'Ann');
    await expect(page.getByText('@ann', { exact: true })).toBeVisible();
    await expect(page.getByText('to find people, groups and settings')).toBeVisible();
  });

  const name = 'Bird watchers';
  await newGroup(page, name);

  await test.step('the chat and what was typed a moment ago are there after locking, and after loading the page again', async () => {
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

  await test.step('who has left is told so as themselves', async () => {
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Leave group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    await expect(page.getByText('You left the group')).toBeVisible();
  });
});
