/** The direction of typed texts: Hebrew and Arabic are written from right to left. */
import type { Locator } from '@playwright/test';
import { expect, test } from './support.ts';

const HEBREW = 'שלום, Ann!';

async function expectOwnDirection(field: Locator): Promise<void> {
  await field.fill('');
  await expect(field).toHaveCSS('direction', 'ltr');
  await field.fill(HEBREW);
  await expect(field).toHaveCSS('direction', 'rtl');
}

test('a Hebrew text is written from right to left in fields for searches and names', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await expectOwnDirection(page.getByRole('textbox', { name: /^Message to/ }));
  await expectOwnDirection(page.getByRole('searchbox', { name: 'Search chats and messages' }));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+f');
  await expectOwnDirection(page.getByRole('searchbox', { name: 'Search in this chat' }));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Account', exact: true }).click();
  await expectOwnDirection(settings.getByRole('textbox', { name: 'Name', exact: true }));
  await expectOwnDirection(settings.getByRole('searchbox'));
});

test('in an interface from right to left, an English text is written from left to right', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { lang: 'en-XB' });
  const field = page.getByRole('searchbox').first();
  await expect(field).toHaveCSS('direction', 'rtl');
  await field.fill('Hello, Ann!');
  await expect(field).toHaveCSS('direction', 'ltr');
});
