/**
 * The list of chats: its order, its filters, the archive, the contents of a row, and its menu.
 */
import { item, nav, row, rows } from './chat-list.ts';
import { answerDelayed, delay, expect, test } from './support.ts';

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
  // When its last chat is restored, the archive closes.
  await expect(rows(page)).toHaveCount(10);
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

test('the row of archived chats counts those with unread messages', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await expect(nav(page).getByRole('button', { name: 'Archived (2)', exact: true })).toBeVisible();
  await nav(page).getByRole('button', { name: 'Archived (2)' }).click();
  await nav(page)
    .getByRole('option', { name: /Olive Oldham/ })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Mark unread' }).click();
  await nav(page).getByRole('button', { name: 'Back to chats' }).click();
  const row = nav(page).getByRole('button', { name: 'Archived (2), 1 unread chat' });
  await expect(row).toContainText(/Olive Oldham.*1/);
});

test('a chat that is opened again asks for its person again', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  const person = row(page, /Quinn Quiet/);
  const opens = async () => {
    await delay(page, 'people.details');
    await person.click();
    await answerDelayed(page);
  };
  await opens();
  await row(page, /The Tuesday quiz/).click();
  // The answer about the person has arrived before that about the messages.
  await expect(page.getByRole('article').getByText('Who knows?')).toBeVisible();
  await opens();
  await expect(page.getByRole('heading', { name: 'Quinn Quiet' }).first()).toBeVisible();
});
