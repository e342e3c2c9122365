import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { article, composer, LAST, writing } from './message-actions.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
});

test('an edit changes the message, and its versions can be read', async ({ page }) => {
  await article(page, LAST).focus();
  await page.keyboard.press('e');
  await expect(composer(page)).toBeFocused();
  await composer(page).fill('It leaves at one.');
  await page.keyboard.press('Enter');
  const edited = article(page, 'It leaves at one.');
  await expect(edited).toHaveAccessibleName(/edited/);
  // Its strip disappears, and the messages move down.
  await expect(writing(page).getByText('Edit message')).toHaveCount(0);
  await edited.getByRole('button', { name: 'Edited. Show earlier versions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Earlier versions' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    /Now.*It leaves at one\./,
    /Original.*it leaves at two\./,
  ]);
  await expectWhole(page);
});

test('a message is forwarded to chats found by name', async ({ page }) => {
  const message = article(page, 'The bus leaves at three.');
  await message.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Forward' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await dialog.getByRole('textbox', { name: 'Search chats' }).fill('okafor');
  await dialog.getByRole('checkbox').check();
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Forward to 1 chat' }).click();
  await expect(dialog).toHaveCount(0);
  await page.locator('[data-row]').filter({ hasText: 'Ben Okafor' }).click();
  await expect(page.locator('article').last()).toHaveAccessibleName(/The bus leaves at three\., forwarded/);
});

test('the menu opens the reactions, and the confirmation for deleting', async ({ page }) => {
  const message = article(page, LAST);
  await message.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'React' }).click();
  await page.getByRole('button', { name: 'React with 👍' }).click();
  await expect(message).toHaveAccessibleName(/1 reaction: 👍/);
  await expect(message).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this message?' });
  await expect(dialog).toHaveAccessibleDescription(/removes it from this computer only/);
});

test('pins are listed and removed', async ({ page }) => {
  await page.getByRole('button', { name: 'All pinned messages' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pinned messages' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Unpin' }).first().click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Pinned message' })).toBeVisible();
});

test('several messages are selected by keyboard, and Escape ends the selection', async ({ page }) => {
  await article(page, LAST).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowUp');
  const bar = page.getByRole('region', { name: '2 messages selected' });
  await expect(bar).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select message' }).last()).toBeChecked();
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeVisible();
  await expect(page.locator('article:focus')).toContainText('The bus leaves at three.');
  await page.keyboard.press('Space');
  await article(page, 'The bus leaves at three.').getByRole('checkbox', { name: 'Select message' }).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('checkbox', { name: 'Select message' })).toHaveCount(0);
  await expect(page.locator('article:focus')).toContainText('The bus leaves at three.');
});

test('Message info explains how the message arrived, and returns the focus', async ({ page }) => {
  const message = article(page, 'The bus leaves at three.');
  await message.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Message info' }).click();
  const info = page.getByRole('dialog', { name: 'Message info' });
  await expect(info).toContainText('Signed by');
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await expect(info).toHaveCount(0);
  await expect(message).toBeFocused();
});

test('the bar is beside its message and covers no text, also in a narrow chat', async ({
  page,
  openScene,
}) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await openScene('actions');
    await expect(article(page, LAST)).toBeInViewport();
    for (const text of [LAST, 'Yes, see you']) {
      const message = article(page, text);
      await message.focus();
      const more = await message.getByRole('button', { name: 'More' }).boundingBox();
      const first = await message
        .locator(
          '[data-bubble] button:visible[aria-haspopup=menu], [data-bubble] button[aria-label=React]:visible',
        )
        .first()
        .boundingBox();
      if (!more || !first) throw new Error('the bar of a message with the focus has buttons');
      const [left, right] = [Math.min(first.x, more.x), Math.max(more.x, first.x) + more.width];
      expect([left >= 0, right <= width]).toEqual([true, true]);
      const covered = await page.locator('[data-words]').evaluateAll(
        (all, bar) =>
          all
            .map((words) => ({ text: words.textContent, box: words.getBoundingClientRect() }))
            .filter(
              ({ box }) =>
                box.left < bar.right && box.right > bar.left && box.top < bar.bottom && box.bottom > bar.top,
            )
            .map((words) => words.text),
        { left, right, top: more.y, bottom: more.y + more.height },
      );
      expect(covered).toEqual([]);
    }
  }
});

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
  await expect(message).toBeFocused();
  // An action that moved the focus does not decide on the focus after the next menu.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await message.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(message).toBeFocused();
  await message.getByText('The bus leaves at three.').click({ button: 'right' });
  await expect(menu.getByRole('menuitem')).toHaveText(offered);
});

test('a reply shows its original and links to it', async ({ page }) => {
  await article(page, 'Can you bring the book').focus();
  await page.keyboard.press('r');
  await expect(composer(page)).toBeFocused();
  await expect(writing(page).getByText('Replying to Ann Archer')).toBeVisible();
  await page.keyboard.type('I can');
  await page.keyboard.press('Enter');
  const sent = page.locator('article').last();
  await expect(sent).toHaveAccessibleName(/^Your message, I can, reply to Ann Archer, .+, sent$/);
  await expect(writing(page).getByText('Replying to Ann Archer')).toHaveCount(0);
  await sent.getByRole('button', { name: /^Reply to Ann Archer/ }).click();
  await expect(article(page, 'Can you bring the book, ')).toBeVisible();
  await expect(page.locator('article:focus')).toContainText('Can you bring the book');
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
  // The text that the dialog announced.
  await expect(page.locator('article').last()).toContainText('Message deleted');
  await article(page, 'The bus leaves at three.').focus();
  await page.keyboard.press('Delete');
  await expect(dialog.getByRole('button', { name: 'Delete for everyone' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Delete for me' }).click();
  await expect(page.locator('article').filter({ hasText: 'The bus leaves at three.' })).toHaveCount(0);
  await expect(page.locator('article').last()).toBeFocused();
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
  await page.getByText('Ctrl+Enter', { exact: true }).click();
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

test('Escape cancels a reply or an edit', async ({ page }) => {
  await article(page, LAST).focus();
  await page.keyboard.press('r');
  await expect(composer(page)).toBeFocused();
  await expect(writing(page).getByText('Replying to')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(writing(page).getByText('Replying to')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(writing(page).getByText('Edit message')).toBeVisible();
  await expect(composer(page)).toHaveValue(LAST);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('');
});
