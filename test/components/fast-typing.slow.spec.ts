import type { Page } from '@playwright/test';
import { echo, enterInPalette, openPalette, palette } from './fast-typing.ts';
import { answerDelayed, delay, expect, test } from './support.ts';

test('Enter in the field for adding people waits for the search result', async ({ page, openScene }) => {
  await openScene('empty');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bird watchers');
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Add people' }).click();
  const field = page.getByRole('textbox', { name: 'Name, handle or address' });
  await field.fill('ech');
  await expect(page.getByRole('list', { name: 'People', exact: true })).toContainText('Echo');
  await field.fill('echidna');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No one found, or already invited')).toBeVisible();
  await delay(page, 'people.search');
  await field.fill('echo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No one found, or already invited')).toHaveCount(0);
  await answerDelayed(page);
  await expect(page.getByRole('list', { name: 'Selected people' }).getByRole('listitem')).toHaveCount(1);
});

/** Waits until a page has received and shown everything. */
const shown = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test('Enter is dropped by further typing or by leaving the search field', async ({ page, openScene }) => {
  const field = page.getByRole('searchbox', { name: 'Search chats' });
  for (const goOn of [() => field.fill('echo'), () => page.keyboard.press('Tab')]) {
    await openScene('one', { delay: 'conversations.list' });
    await field.fill('ech');
    await page.keyboard.press('Enter');
    await goOn();
    await answerDelayed(page);
    await expect(page.getByRole('navigation').getByRole('option', { name: /Echo/ })).toBeVisible();
    await shown(page);
    await expect(echo(page)).toHaveCount(0);
  }
});

test('the command palette ignores people found for the previous text', async ({ page, openScene }) => {
  await openScene('one');
  await openPalette(page);
  const field = palette(page).getByRole('combobox');
  await field.fill('ech');
  await expect(palette(page).getByRole('option', { name: /echo/ }).first()).toBeVisible();
  await field.fill('echidna');
  await page.keyboard.press('Enter');
  await expect(palette(page).getByText('No results. Try a handle or address.')).toBeVisible();
  await expect(echo(page)).toHaveCount(0);
});

test('the command palette previews a person found by display name before opening', async ({
  page,
  openScene,
}) => {
  await openScene('empty');
  await delay(page, 'people.search');
  await enterInPalette(page, 'okafor');
  await answerDelayed(page);
  const found = palette(page).getByRole('option', { name: /Ben Okafor/ });
  await expect(found).toContainText('@ben');
  await found.click();
  await expect(page.getByRole('region', { name: 'Chat', exact: true }).locator('header h2')).toContainText(
    'Ben',
  );
});

test('the command palette opens a conversation loaded a moment later', async ({ page, openScene }) => {
  await openScene('one', { delay: 'conversations.list' });
  await enterInPalette(page, '@echo');
  await answerDelayed(page);
  await expect(echo(page)).toBeVisible();
});
