import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { article, composer, LAST } from './message-actions.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
});

test('the bar, the menu and the keys offer the same actions; the focus returns to the message', async ({
  page,
}) => {
  const message = article(page, 'The bus leaves at three.');
  await message.hover();
  await message.getByRole('button', { name: 'More' }).click();
  const menu = page.getByRole('menu');
  const offered = await menu.getByRole('menuitem').allTextContents();
  expect(offered).toEqual([
    'React',
    'Reply',
    'Copy text',
    'Forward',
    'Unpin',
    'Mark unread from here',
    'Message info',
    'Select',
    'Delete',
  ]);
  await page.keyboard.press('Escape');
  await expect(message).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('menuitem')).toHaveText(offered);
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await message.getByText('The bus leaves at three.').click({ button: 'right' });
  await expect(menu.getByRole('menuitem')).toHaveText(offered);
});

test('a reply shows its original and links to it', async ({ page }) => {
  await article(page, 'Can you bring the book').focus();
  await page.keyboard.press('r');
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText('Replying to Ann Archer')).toBeVisible();
  await page.keyboard.type('I can');
  await page.keyboard.press('Enter');
  const sent = page.locator('article').last();
  await expect(sent).toHaveAccessibleName(/^Your message, I can, reply to Ann Archer, .+, sent$/);
  await expect(page.getByText('Replying to Ann Archer')).toHaveCount(0);
  await sent.getByRole('button', { name: /^Reply to Ann Archer/ }).click();
  await expect(article(page, 'Can you bring the book, ')).toBeVisible();
  await expect(page.locator('article:focus')).toContainText('Can you bring the book');
});

test('a reply to a message far above shows its original', async ({ page }) => {
  await page.getByRole('button', { name: /^Show pinned message: Can we/ }).click();
  await expect(page.locator('article:focus')).toContainText('Can we meet at four');
  await expect(page.getByRole('button', { name: /^Show pinned message: The bus/ })).toBeVisible();
});

test('Escape cancels a reply or an edit', async ({ page }) => {
  await article(page, LAST).focus();
  await page.keyboard.press('r');
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText('Replying to')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Replying to')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Edit message')).toBeVisible();
  await expect(composer(page)).toHaveValue(LAST);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('');
});

test('a reaction is added by key, removed by a click, and lists its people', async ({ page }) => {
  const message = article(page, LAST);
  await message.focus();
  await page.keyboard.press('+');
  await page.getByRole('button', { name: 'React with 😂' }).click();
  const mine = message.getByRole('button', { name: '😂, 1 reaction: You' });
  await expect(mine).toHaveAttribute('aria-pressed', 'true');
  await expectWhole(page);
  await mine.click();
  await expect(mine).toHaveCount(0);
});

test('one message is deleted for everyone, another only locally', async ({ page }) => {
  await article(page, LAST).focus();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete this message?' });
  await expect(dialog).toContainText('leaves “Message deleted”. Others may have seen it.');
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(page.locator('article').last()).toHaveAccessibleName(/^Your message, Message deleted/);
  // The words that were promised are those that are shown.
  await expect(page.locator('article').last()).toContainText('Message deleted');
  await article(page, 'The bus leaves at three.').focus();
  await page.keyboard.press('Delete');
  await expect(dialog.getByRole('button', { name: 'Delete for everyone' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Delete for me' }).click();
  await expect(page.locator('article').filter({ hasText: 'The bus leaves at three.' })).toHaveCount(0);
  await expect(page.locator('article').last()).toBeFocused();
});

test('a mention shows the local name, and mentions of the person are highlighted', async ({ page }) => {
  const message = article(page, 'Can you bring the book');
  await expect(message.locator('mark')).toHaveText('@Robin Reed');
  await message.getByRole('button', { name: '@Ben Okafor' }).click();
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
});

test('messages are one Tab stop with arrow keys, and Escape leads to the composer', async ({ page }) => {
  const feed = page.getByRole('feed', { name: 'Messages' });
  await expect(feed.locator('article[tabindex="0"]')).toHaveCount(1);
  await article(page, LAST).focus();
  await expect(feed.locator('article[tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('article:focus')).toContainText('The bus leaves at three.');
  await page.keyboard.press('End');
  await expect(page.locator('article:focus')).toContainText(LAST);
  await page.keyboard.press('Home');
  await expect(page.locator('article:focus')).toContainText('What was said before');
  await page.mouse.wheel(0, 4000);
  await expect(page.locator('article:focus')).toHaveCount(1);
  await page.keyboard.press('End');
  await expect(page.locator('article:focus')).toContainText(LAST);
  await page.keyboard.press('Tab');
  await expect(page.locator('article').last().locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();
});

test('Enter sends, or starts a new line if another sending key is chosen', async ({ page }) => {
  await composer(page).fill('one');
  await composer(page).press('Enter');
  await expect(article(page, 'one')).toBeVisible();
  await openSettings(page, 'Chats');
  await page.getByText('Ctrl+Enter or ⌘Enter', { exact: true }).click();
  const saved = () => page.evaluate(() => window.waxwing.calls['settings.get']({}));
  await expect.poll(saved).toMatchObject({ value: { sendWith: 'mod-enter' } });
  await page.keyboard.press('Escape');
  await composer(page).fill('two');
  await composer(page).press('Enter');
  await composer(page).pressSequentially('lines');
  await expect(composer(page)).toHaveValue('two\nlines');
  await composer(page).press('Control+Enter');
  await expect(composer(page)).toHaveValue('');
  await expect(article(page, 'lines')).toBeVisible();
});
