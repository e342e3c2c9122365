/**
 * Keyboard shortcuts: their list and their effects.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('? outside fields, and Ctrl+/ anywhere, list the keys; Settings list the same', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const search = page.getByRole('searchbox', { name: 'Search chats' });
  await search.focus();
  await page.keyboard.press('Shift+?');
  await expect(search).toHaveValue('?');
  await expect(list).toHaveCount(0);
  await page.keyboard.press('Control+/');
  await expect(list).toBeVisible();
  await expectWhole(page);
  const lines = await list.getByRole('definition').allInnerTexts();
  expect(lines.length).toBeGreaterThan(5);
  const onMessage = list.getByRole('heading', { name: /^On a message/ }).locator('..');
  expect(await onMessage.getByRole('term').allInnerTexts()).toContain('Reply');
  expect(await onMessage.getByRole('definition').allInnerTexts()).toContain('Space');
  await page.keyboard.press('Escape');
  await expect(search).toBeFocused();
  await page.getByRole('button', { name: 'Settings' }).focus();
  await page.keyboard.press('Shift+?');
  await expect(list).toBeVisible();
  // It receives keys once it has the focus.
  await expect.poll(() => list.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  const settings = await openSettings(page, 'Shortcuts');
  expect(await settings.getByRole('definition').allInnerTexts()).toEqual(lines);
});

test('keys switch chats, mute the open chat, and move between parts of the window', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  const title = page.locator('main section header h2');
  await expect(title).toHaveText('Ann Archer');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(title).toHaveText('Ann Archer');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect(title).toHaveText('Ben Okafor');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(title).toHaveText('Ann Archer');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(title).toHaveText('Ben Okafor');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect(title).toHaveText('Bird watchers');
  const row = page.getByRole('navigation').getByRole('option', { name: /Bird watchers/ });
  await expect(row.getByRole('img', { name: 'Muted' })).toHaveCount(0);
  await page.keyboard.press('Control+Shift+M');
  await expect(row.getByRole('img', { name: 'Muted' })).toHaveCount(1);

  const inList = page.locator('main nav :focus');
  const inChat = page.locator('main section :focus');
  await page.getByRole('textbox', { name: /^Message to/ }).focus();
  await page.keyboard.press('F6');
  await expect(inList).toHaveCount(1);
  await page.keyboard.press('F6');
  await expect(inChat).toHaveCount(1);
  await page.keyboard.press('Control+.');
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('button', { name: 'Close details' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(inList).toHaveCount(1);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await expect(details.getByRole('button', { name: 'Close details' })).toBeFocused();
  await page.keyboard.press('Enter');

  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Escape');
  await expect(title).toHaveText('Bird watchers');
});

test('the command palette opens the form for a new group with the name focused', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('new gr');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New group' });
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Back' }).click();
  const groups = page.getByRole('dialog', { name: 'Groups' });
  await expect(groups.getByText('No groups on this server yet')).toBeVisible();
  await expect(groups.getByRole('list')).toHaveCount(0);
});

test('a page in a browser omits keys reserved by the browser', async ({ page, openScene }) => {
  for (const [scene, count] of [
    ['one', 0],
    ['desktop', 1],
  ] as const) {
    await openScene(scene);
    await expect(page.locator('[data-row]')).not.toHaveCount(0);
    await page.keyboard.press('Control+/');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list.getByText('Find anything')).toBeVisible();
    await expect(list.getByText('New chat')).toHaveCount(count);
  }
});
