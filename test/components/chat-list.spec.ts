/**
 * The list of chats: its order, its filters, the archive, the contents of a row, and its menu.
 */
import type { Page } from '@playwright/test';
import { NOW } from '../../dev/fake/people.ts';
import type { Bridge } from '../../src/bridge/contract.ts';
import { item, nav, row, rows } from './chat-list.ts';
import { expect, test } from './support.ts';

const conversations = (page: Page) =>
  page.evaluate(async () => {
    const calls = (window as unknown as { waxwing: Bridge }).waxwing.calls;
    const answer = await calls['conversations.list']({});
    return answer.ok ? answer.value : [];
  });

test('a draft that can no longer be sent is not shown in the list', async ({ page, openScene }) => {
  await openScene('many');
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('Left behind');
  const row = page.getByRole('option', { name: /Left behind/ });
  await expect(row).toBeVisible();
  await expect(row).not.toContainText('Draft');
});

test('pinned chats are on top, archived chats in their own list', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await expect(rows(page)).toHaveCount(8);
  await expect(rows(page).nth(0)).toContainText('Bird watchers');
  await expect(rows(page).nth(1)).toContainText('The Tuesday quiz');
  await expect(rows(page).nth(2)).toContainText('Ann Archer');
  await nav(page).getByRole('button', { name: 'Archived (2)' }).click();
  await expect(nav(page).getByRole('heading', { name: 'Archived' })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  for (const name of [/Olive Oldham/, /Last summer/]) {
    await row(page, name).click({ button: 'right' });
    await item(page, 'Unarchive').click();
    await expect(
      nav(page).getByRole('listbox', { name: 'Archived' }).getByRole('option', { name }),
    ).toHaveCount(0);
  }
  // The last one that leaves the archive closes it.
  await expect(rows(page)).toHaveCount(10);
});

test('a chat is muted for a while and unmuted from its row, by keyboard only', async ({
  page,
  openScene,
}) => {
  await openScene('lists', { open: '' });
  const until = async () => {
    const chat = (await conversations(page)).find((each) => each.id === '1');
    return chat?.mutedUntil;
  };
  await row(page, /Ann Archer/).focus();
  await page.keyboard.press('Shift+F10');
  await item(page, 'Mute').press('ArrowRight');
  await item(page, 'For 8 hours').press('Enter');
  await expect.poll(until).toBe(NOW + 8 * 3_600_000);
  await expect(row(page, /Ann Archer.*Muted/)).toBeVisible();
  await row(page, /Ann Archer/).click({ button: 'right' });
  await item(page, 'Unmute').click();
  await expect.poll(until).toBe(null);
});

test('Ctrl and a digit open the pinned chats', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  const title = page.locator('main section header h2');
  await expect(rows(page)).not.toHaveCount(0);
  await page.keyboard.press('Control+Digit2');
  await expect(title).toHaveText('The Tuesday quiz');
  await page.keyboard.press('Control+Digit1');
  await expect(title).toHaveText('Bird watchers');
  await page.keyboard.press('Control+Digit3');
  await expect(title).toHaveText('Bird watchers');
});

test('the search finds the notes to oneself, even while there are none', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  const search = page.getByRole('searchbox', { name: 'Search chats' });
  await search.fill('note to');
  await expect(nav(page).getByRole('button', { name: /Note to self/ })).toHaveCount(1);
  await search.press('Enter');
  await expect(page.getByRole('heading', { name: 'Note to self' })).toBeVisible();
  await expect(page.getByText('Only your own devices can read this.')).toBeVisible();
  await search.fill('Note TO');
  await expect(row(page, /Note to self/)).toHaveCount(1);
  await expect(nav(page).getByRole('button', { name: /Note to self/ })).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
});
