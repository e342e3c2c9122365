/**
 * Typing faster than answers arrive: Enter applies to the typed text, not to the shown results.
 */
import type { Page } from '@playwright/test';
import { echo } from './fast-typing.ts';
import { expect, hold, release, test } from './support.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

/** Opens the palette, once the window is there that hears the shortcut. */
async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await page.keyboard.press('Control+k');
}

/** Keys typed into the palette, with Enter at the end. */
async function askPalette(page: Page, text: string): Promise<void> {
  await openPalette(page);
  await palette(page).getByRole('combobox').fill(text);
  await page.keyboard.press('Enter');
}

/** Waits until a page has received and shown everything. */
const shown = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test('Enter in the search field opens the first conversation as soon as the list is there', async ({
  page,
  openScene,
}) => {
  await openScene('one', { hold: 'conversations.list' });
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('ech');
  await page.keyboard.press('Enter');
  await release(page);
  await expect(echo(page)).toBeVisible();
});

test('Enter is dropped by further typing or by leaving the search field', async ({ page, openScene }) => {
  const field = page.getByRole('searchbox', { name: 'Search chats' });
  for (const goOn of [() => field.fill('echo'), () => page.keyboard.press('Tab')]) {
    await openScene('one', { hold: 'conversations.list' });
    await field.fill('ech');
    await page.keyboard.press('Enter');
    await goOn();
    await release(page);
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

test('the command palette opens a person found a moment later', async ({ page, openScene }) => {
  await openScene('empty');
  await hold(page, 'people.search');
  await askPalette(page, 'echo');
  await expect(palette(page).getByText('No results. Try a handle or address.')).toHaveCount(0);
  await release(page);
  await expect(echo(page)).toBeVisible();
});

test('the command palette previews a person found by display name before opening', async ({
  page,
  openScene,
}) => {
  await openScene('empty');
  await hold(page, 'people.search');
  await askPalette(page, 'okafor');
  await release(page);
  const found = palette(page).getByRole('option', { name: /Ben Okafor/ });
  await expect(found).toContainText('@ben');
  await found.click();
  await expect(page.getByRole('region', { name: 'Chat', exact: true }).locator('header h2')).toContainText(
    'Ben',
  );
});

test('the command palette opens a conversation loaded a moment later', async ({ page, openScene }) => {
  await openScene('one', { hold: 'conversations.list' });
  await askPalette(page, '@echo');
  await release(page);
  await expect(echo(page)).toBeVisible();
});
