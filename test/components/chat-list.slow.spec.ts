/**
 * The list of chats: its order, its filters, the archive, the contents of a row, and its menu.
 */
import type { Page } from '@playwright/test';
import { NOW } from '../../dev/fake/people.ts';
import type { Bridge } from '../../src/bridge/contract.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { item, nav, row, rows } from './chat-list.ts';
import { expect, test } from './support.ts';

test('filters show unread chats or groups', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await nav(page).getByRole('radio', { name: 'Unread' }).check();
  await expect(rows(page)).toHaveCount(5);
  await nav(page).getByRole('radio', { name: 'Groups' }).check();
  await expect(rows(page)).toHaveCount(2);
  await openScene('one', { open: '' });
  await nav(page).getByRole('radio', { name: 'Unread' }).check();
  await expect(nav(page)).toContainText('No unread chats');
  await nav(page).getByRole('button', { name: 'Show all chats' }).click();
  await expect(rows(page)).toHaveCount(1);
});

test('a row shows all its parts without overlapping marks', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await expect(
    row(page, /The Tuesday quiz.*Draft:.*Not sent.*mentioned.*120 unread messages.*Pinned.*Muted/),
  ).toBeVisible();
  await expect(row(page, /دانا.*Marked unread/)).toBeVisible();
  await expect(row(page, /Quinn Quiet.*Marked unread.*Muted/)).toBeVisible();
  for (const [width, lang] of [[360], [1440], [360, 'en-XB']] as const) {
    await page.setViewportSize({ width, height: 900 });
    await openScene('lists', { open: '', ...(lang && { lang }) });
    await expect(page.locator('main [data-row]').first()).toBeVisible();
    const overlaps = await page.locator('main nav [data-row]').evaluateAll((all) =>
      all.flatMap((each) => {
        const lines = [...each.querySelectorAll('[data-marks]')];
        return lines.flatMap((line) => {
          const boxes = [line.previousElementSibling, ...line.children]
            .filter((part) => part !== null && !part.classList.contains('sr-only'))
            .map((part) => (part as Element).getBoundingClientRect());
          return boxes.flatMap((box, index) =>
            boxes
              .slice(index + 1)
              .filter((other) => box.left < other.right - 0.5 && other.left < box.right - 0.5)
              .map(() => each.textContent),
          );
        });
      }),
    );
    expect(overlaps).toEqual([]);
    await expectWhole(page);
  }
});

test('a nickname is set and removed, and the panel mutes for a while', async ({ page, openScene }) => {
  await openScene('lists', { open: '1' });
  const header = page.locator('main section header h2');
  await expect(header).toHaveText('Ann Archer');
  await page.getByRole('button', { name: 'Details' }).click();
  const panel = page.getByRole('region', { name: 'Details' });
  const field = panel.getByRole('textbox', { name: 'Nickname' });
  await expect(field).toHaveAccessibleDescription('Only you see this.');
  await field.fill('Annie');
  await field.press('Enter');
  await expect(header.first()).toHaveText('Annie');
  await expect(row(page, /Annie/)).toBeVisible();
  await expectWhole(page);
  await field.fill('');
  await field.press('Enter');
  await expect(header.first()).toHaveText('Ann Archer');
  await panel.getByRole('button', { name: 'Mute' }).click();
  await item(page, 'For 1 hour').click();
  await expect(panel.getByRole('button', { name: 'Unmute' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(0);
});

test('Note to self opens from New chat and from the palette', async ({ page, openScene }) => {
  const title = page.locator('main section header h2');
  await openScene('lists', { open: '' });
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('textbox', { name: 'To' }).fill('note');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Note to self/ })
    .click();
  await expect(title).toHaveText('Note to self');
  await openScene('lists', { open: '' });
  await expect(rows(page)).not.toHaveCount(0);
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('note to');
  await page.getByRole('option', { name: /Note to self/ }).click();
  await expect(title).toHaveText('Note to self');
});

const menu = (page: Page) => page.getByRole('menu', { name: /^Actions for/ });

test('the menu of a row opens by pointer and by keyboard, and returns the focus to the row', async ({
  page,
  openScene,
}) => {
  await openScene('lists', { open: '' });
  await row(page, /Ann Archer/).focus();
  await page.keyboard.press('Shift+F10');
  await expect(menu(page)).toBeVisible();
  await expectWhole(page);
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Open',
    'Mark read',
    'Pin',
    'Mute',
    'Archive',
    'Delete chat',
  ]);
  await expect(item(page, 'Open')).toBeFocused();
  await expect(item(page, 'Open')).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(row(page, /Ann Archer/)).toBeFocused();
  await page.keyboard.press('ContextMenu');
  await item(page, 'Mark read').click();
  await expect(row(page, /Ann Archer.*unread/)).toHaveCount(0);
  await expect(row(page, /Ann Archer/)).toBeFocused();
  await row(page, /Ann Archer/).click({ button: 'right' });
  await expect(menu(page)).toBeFocused();
  await item(page, 'Mark unread').click();
  await expect(row(page, /Ann Archer.*unread/)).toBeVisible();
  await row(page, /Ann Archer/).click({ button: 'right' });
  await item(page, 'Pin').click();
  await expect(row(page, /Ann Archer.*Pinned/)).toBeVisible();
  await row(page, /Ann Archer/).click({ button: 'right' });
  await item(page, 'Open').click();
  await expect(page.locator('main section header h2')).toHaveText('Ann Archer');
});

test('deleting from the menu asks first, and focuses the next row', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await row(page, /Ann Archer/).click({ button: 'right' });
  await item(page, 'Delete chat').click();
  const question = page.getByRole('alertdialog', { name: 'Delete this chat?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, /Ann Archer/)).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await item(page, 'Delete chat').click();
  await question.getByRole('button', { name: 'Delete chat' }).click();
  await expect(row(page, /Ann Archer/)).toHaveCount(0);
  await expect(row(page, /^Ben Okafor/)).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await item(page, 'Archive').click();
  await expect(row(page, /^Ben Okafor/)).toHaveCount(0);
  await expect(row(page, /Not finished/)).toBeFocused();
});

test('the chat list is a listbox with one Tab stop, arrows, Home and End, and the open chat selected', async ({
  page,
  openScene,
}) => {
  await openScene('lists', { open: '' });
  const list = nav(page).getByRole('listbox', { name: 'Chats' });
  const options = list.getByRole('option');
  const focused = list.getByRole('option').and(page.locator(':focus'));
  await expect(options).toHaveCount(8);
  await expect(list.locator('[tabindex="0"]')).toHaveCount(1);
  await options.first().focus();
  await expect(focused).toHaveAttribute('aria-posinset', '1');
  await expect(focused).toHaveAttribute('aria-setsize', '8');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toHaveAttribute('aria-posinset', '2');
  await page.keyboard.press('End');
  await expect(focused).toHaveAttribute('aria-posinset', '8');
  await page.keyboard.press('Home');
  await expect(focused).toHaveAccessibleName(/^Bird watchers/);
  await expect(list.locator('[aria-current]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('main section header h2')).toHaveText('Bird watchers');
  await expect(list.locator('[aria-current]')).toHaveAccessibleName(/^Bird watchers.*Pinned/);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Archived (2)' }).press('Enter');
  await expect(nav(page).getByRole('listbox', { name: 'Archived' }).getByRole('option')).toHaveCount(2);
});

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

test('after the only chat is deleted by keys, the search has the focus', async ({ page, openScene }) => {
  await openScene('one', { open: '' });
  await rows(page).focus();
  await page.keyboard.press('Shift+F10');
  await item(page, 'Delete chat').press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chat' }).press('Enter');
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByRole('searchbox', { name: 'Search chats and messages' })).toBeFocused();
});
