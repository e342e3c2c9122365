/** Search in messages: in all chats from the list, and in one chat. */
import type { Locator } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { article, composer, LAST } from './message-actions.ts';
import { answerDelayed, delay, expect, test } from './support.ts';

test('a search without results is reported for chats and for messages', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('qqq');
  await expect(page.getByText('No messages with “qqq”')).toBeVisible();
  await expect(page.getByText('No chats with “qqq”')).toBeVisible();
  await expectWhole(page);
});

test('Ctrl+F searches in the chat: Enter goes to older results, and Escape returns', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  const field = bar.getByRole('searchbox');
  await expect(field).toBeFocused();
  await page.keyboard.type('bus');
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+\b/);
  await expectWhole(page);
  await page.keyboard.press('Shift+Enter');
  await expect(bar.getByRole('status')).toHaveText(/^(\d+) of \1\b/);
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+\b/);
  await field.fill('meet at four');
  await expect(article(page, 'Can we meet at four')).toBeInViewport();
  await expect(field).toBeFocused();
  await expect
    .poll(() =>
      page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map((range) => range.toString())),
    )
    .toEqual(expect.arrayContaining(['meet', 'at', 'four']));
  await field.fill('qqq');
  await expect(bar.getByRole('status')).toHaveText('No results');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  await expect.poll(() => page.evaluate(() => CSS.highlights.has('found-words'))).toBe(false);
});

test('the search in a chat is one line in the narrowest window', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openScene('many', { open: '1' });
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  await bar.getByRole('searchbox').fill('line');
  await expect(bar.getByText('1 of 400', { exact: true })).toBeVisible();
  const [field, close] = [bar.getByRole('searchbox'), bar.getByRole('button', { name: 'Close search' })];
  const middleOf = async (part: Locator) => {
    const { y, height } = (await part.boundingBox()) ?? { y: 0, height: 0 };
    return Math.round(y + height / 2);
  };
  expect(await middleOf(close)).toBe(await middleOf(field));
});

test('a deleted message leaves the results', async ({ page, openScene }) => {
  await openScene('actions');
  await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('leaves at two');
  const results = page.getByRole('list', { name: 'Messages with “leaves at two”' });
  const result = results.getByRole('button').first();
  const id = await result.getAttribute('data-hit');
  await page.evaluate(
    (message) => window.waxwing.calls['messages.delete']({ ids: [message ?? ''], forEveryone: false }),
    id,
  );
  await expect(page.locator(`[data-hit="${id}"]`)).toHaveCount(0);
});

test('typing keeps the place in the chat until the answer', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  await expect(bar.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('t');
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+\b/);
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('status')).toHaveText(/^2 of \d+\b/);
  await delay(page, 'search.inConversation');
  await page.keyboard.type('w');
  await expect(bar.getByRole('searchbox')).toHaveValue('tw');
  await expect(bar.getByRole('status')).toHaveText(/^2 of \d+\b/);
  await answerDelayed(page);
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+\b/);
});

test('Enter in the field opens the newest message if no chat matches', async ({ page, openScene }) => {
  await openScene('actions', { open: '', delay: 'search.messages' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill('meet at four');
  // Pressed before the results arrive.
  await field.press('Enter');
  await answerDelayed(page);
  await expect(article(page, 'Can we meet at four').first()).toBeInViewport();
  await expect(page.getByRole('list', { name: 'Messages with “meet at four”' })).toBeVisible();
});

test('Enter in the field opens the found message also if it is the last one of its chat', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill(LAST);
  await expect(
    page
      .getByRole('list', { name: /^Messages with/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible();
  await field.press('Enter');
  await expect(article(page, LAST).last()).toBeInViewport();
  // The results stay, as they do not if a chat was chosen.
  await expect(field).toHaveValue(LAST);
});

test('a new message becomes a result of the open search, and the chosen result stays', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  await bar.getByRole('searchbox').fill('number 79');
  await expect(bar.getByRole('status')).toHaveText(/^1 of 1\b/);
  const chosen = article(page, 'What was said before, number 79');
  await expect(chosen).toBeInViewport();
  await page.evaluate(() =>
    window.waxwing.calls['messages.send']({ conversationId: '1', text: 'Not number 79' }),
  );
  await expect(bar.getByRole('status')).toHaveText(/^2 of 2\b/);
  await expect(chosen).toBeInViewport();
});

test('the keys of the search in a chat lead back to its field', async ({ page, openScene }) => {
  await openScene('actions');
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Search in this chat' });
  await expect(field).toBeFocused();
  await field.fill('number');
  await page.getByRole('textbox', { name: /^Message to/ }).focus();
  await page.keyboard.press('Control+f');
  await expect(field).toBeFocused();
  await page.keyboard.type('meet');
  await expect(field).toHaveValue('meet');
});

test('the calendar goes to the first message of a day', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  await page.keyboard.press('Control+f');
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = function () {
      this.dataset.opened = '';
    };
  });
  await page.getByRole('button', { name: 'Go to date' }).click();
  const date = page.locator('input[type=date]');
  const first = page.getByRole('article', { name: /, What was said before, number 1,/ });
  await expect(date).toHaveAttribute('data-opened');
  await expect(date).toHaveAttribute('max', '2026-03-04');
  await date.fill('2026-01-01');
  await expect(first).toBeInViewport();
  await expectWhole(page);
  await page.getByRole('button', { name: /^Jump to latest/ }).click();
  await expect(article(page, LAST)).toBeInViewport();
  await page.getByRole('button', { name: 'Go to date' }).click();
  await date.fill('2026-01-01');
  await expect(first).toBeInViewport();
});

for (const day of ['1969-12-31', '0001-01-01'])
  test(`the calendar goes to the first message for ${day}`, async ({ page, openScene }) => {
    await openScene('actions');
    await expect(article(page, LAST)).toBeInViewport();
    await page.keyboard.press('Control+f');
    await page.locator('input[type=date]').fill(day);
    const first = page.getByRole('article', { name: /, What was said before, number 1,/ });
    await expect(first).toBeInViewport();
  });

test('the calendar goes to the last message for a day later than any time', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  await page.keyboard.press('Control+f');
  const date = page.locator('input[type=date]');
  await date.fill('2026-01-01');
  await expect(article(page, LAST)).not.toBeInViewport();
  await date.fill('275760-09-13');
  await expect(article(page, LAST)).toBeInViewport();
});

test('arrow down in the field moves to the messages if there are no chats', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill('meet at four');
  const results = page.getByRole('list', { name: 'Messages with “meet at four”' }).getByRole('button');
  await expect(results.first()).toBeVisible();
  await field.press('ArrowDown');
  await expect(results.first()).toBeFocused();
});
