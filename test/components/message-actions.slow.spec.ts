import { expectWhole } from '../e2e/support/accessible.ts';
import { article, composer, LAST } from './message-actions.ts';
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
  // Its strip goes, and the messages move down.
  await expect(page.getByText('Edit message')).toHaveCount(0);
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
  await expect(page.getByRole('dialog', { name: 'Delete this message?' })).toBeVisible();
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
