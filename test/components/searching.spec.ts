/** Search in messages: in all chats from the list, and in one chat. */
import type { Locator, Page } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { title } from './finding-people.ts';
import { answerDelayed, delay, expect, refuse, test, untilDelayed } from './support.ts';

/** As during a backlog: messages change while each search runs. */
const changeDuringSearches = (page: Page) =>
  page.evaluate(() => {
    const { delayed, emit } = window;
    const pass = delayed.pass.bind(delayed);
    delayed.pass = async (name) => {
      await Promise.all([pass(name), new Promise((resolve) => setTimeout(resolve))]);
      if (name === 'search.messages') emit('messages.changed', { conversationId: '1' });
    };
    emit('messages.changed', { conversationId: '1' });
  });

/** Checks that the drawn text ends inside of an element at both sides. */
async function expectInside(text: Locator, of: Locator): Promise<void> {
  await expect(text).toBeVisible();
  const drawn = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });
  const box = await of.boundingBox();
  if (!box) throw new Error('the element is not shown');
  expect(drawn.left).toBeGreaterThanOrEqual(box.x);
  expect(drawn.right).toBeLessThanOrEqual(box.x + box.width);
}

test('a search shows chats and messages; a message opens in its place', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await expect(field).toBeFocused();
  await field.fill('meet at FOUR');
  const results = page.getByRole('list', { name: 'Messages with “meet at FOUR”' });
  const result = results.getByRole('button').first();
  await expect(result).toContainText('Can we meet at four');
  await expect(result.locator('mark').first()).toHaveText(/meet|at|four/);
  await expect(page.getByText(/^\d+ messages? found$/)).toBeAttached();
  await expectWhole(page);
  await result.click();
  await expect(
    page.locator('article:focus, article').filter({ hasText: 'Can we meet at four' }).first(),
  ).toBeInViewport();
  // The results stay, so the person can choose the next one.
  await expect(results).toBeVisible();
});

test('a long word without a result is shown whole, in each place with a search', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  const word = 'x'.repeat(200);
  const ofChats = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await ofChats.fill(word);
  const chats = page.getByRole('heading', { name: `No chats with “${word}”` });
  await expectInside(chats, page.getByRole('navigation', { name: 'Chats' }));
  await ofChats.fill('');

  await page.getByRole('button', { name: 'Groups', exact: true }).first().click();
  const groups = page.getByRole('dialog', { name: 'Groups' });
  await groups.getByRole('textbox', { name: 'Find a group' }).fill(word);
  await expectInside(groups.getByText(`No groups with “${word}”`), groups);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('searchbox').fill(word);
  await expectInside(settings.getByText(`No results for “${word}”`), settings.getByRole('navigation'));
});

test('a search with a filter looks for messages only', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  const list = page.getByRole('navigation', { name: 'Chats' });
  await field.fill('no chat has this name');
  await expect(list.getByRole('heading', { name: 'No chats with “no chat has this name”' })).toBeVisible();
  await field.fill('after:2020-01-31 meet');
  await expect(list.getByRole('heading')).toHaveText(['Messages']);
});

test('arrow keys move among results, and Enter opens one', async ({ page, openScene }) => {
  await openScene('actions', { open: '' });
  await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('the');
  const results = page.getByRole('list', { name: 'Messages with “the”' }).getByRole('button');
  await results.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(results.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(results.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('feed')).toBeVisible();
});

test('a word that ends outside of bold text is found, and marked in the results and in the chat', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('tea,');
  const results = page.getByRole('list', { name: 'Messages with “tea,”' });
  await expect(results.locator('mark').first()).toHaveText('tea,');
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  await bar.getByRole('searchbox').fill('tea,');
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+\b/);
  await expect
    .poll(() =>
      page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map((range) => range.toString())),
    )
    .toEqual(expect.arrayContaining(['tea', ',']));
});

test('a result in the chat is announced with its place, its sender and its beginning', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  await bar.getByRole('searchbox').fill('leaves at two');
  await expect(bar.getByRole('status')).toHaveText('1 of 1, Your message, I looked it up: it leaves at two.');
  await bar.getByRole('searchbox').fill('meet at four');
  await expect(bar.getByRole('status')).toHaveText(/^1 of 1, Message from .+, Can we meet at four/);
  // The number on the screen is not read a second time.
  await expect(bar.getByText('1 of 1', { exact: true })).toHaveAttribute('aria-hidden', 'true');
});

test('marks inside of a word, which are shown, do not stop its marking; those in code do', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '3' });
  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Search in this chat' });
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map((range) => range.toString()));
  await bar.getByRole('searchbox').fill('words');
  await expect(bar.getByRole('status')).toHaveText(/^1 of 1\b/);
  await expect.poll(marked).toEqual(['w', 'or', 'ds']);
  await bar.getByRole('searchbox').fill('code');
  await expect(bar.getByRole('status')).toHaveText(/^1 of 1\b/);
  await expect.poll(marked).toEqual(['code']);
});

test('of texts that are typed during a search only the newest is searched next', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  const results = (text: string) => page.getByRole('list', { name: `Messages with “${text}”` });
  await field.fill('the');
  await expect(results('the')).toBeVisible();
  await delay(page, 'search.messages');
  await field.fill('meet');
  await untilDelayed(page);
  await field.fill('meet at');
  await field.fill('meet at four');
  // The earlier results stay, with their own text.
  await expect(results('the')).toBeVisible();
  expect(await page.evaluate(() => window.delayed.waiting)).toBe(1);
  await answerDelayed(page);
  await expect(results('meet at four')).toBeVisible();
});

test('a text that is typed during a failing search is searched', async ({ page, openScene }) => {
  await openScene('actions', { open: '', delay: 'search.messages' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill('the');
  await untilDelayed(page);
  await field.fill('meet at four');
  await refuse(page);
  await expect(page.getByRole('list', { name: 'Messages with “meet at four”' })).toBeVisible();
});

test('a new text is searched although changes repeat the last search again and again', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill('the');
  await expect(page.getByRole('list', { name: 'Messages with “the”' })).toBeVisible();
  await changeDuringSearches(page);
  await field.fill('meet at four');
  await expect(page.getByRole('list', { name: 'Messages with “meet at four”' })).toBeVisible();
});

test('more results are shown although changes repeat the search again and again', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('number');
  const results = page.getByRole('list', { name: 'Messages with “number”' }).getByRole('button');
  await expect(results).toHaveCount(30);
  await changeDuringSearches(page);
  await page.getByRole('button', { name: 'Show more messages' }).click();
  await expect(results).toHaveCount(60);
});

test('a search shows members of groups without a chat, and Enter opens a chat with the first', async ({
  page,
  openScene,
}) => {
  await openScene('group', { open: '' });
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  const list = page.getByRole('navigation', { name: 'Chats' });
  const people = list.getByRole('list', { name: 'People' }).getByRole('button');
  await field.fill('okaf');
  await expect(people).toHaveText(/Ben Okafor/);
  await expect(list.getByRole('heading')).toHaveText(['People', 'Messages']);
  await expectWhole(page);
  await field.press('ArrowDown');
  await expect(people).toBeFocused();
  // Before the results are there.
  await field.fill('');
  await delay(page, 'people.known');
  await field.fill('okafor');
  await field.press('Enter');
  await untilDelayed(page);
  await answerDelayed(page);
  await expect(title(page)).toContainText('Ben');
  // The chat is found now.
  await field.fill('okafor');
  await expect(list.getByRole('heading')).toHaveText(['Chats', 'Messages']);
});

test('Escape in the empty search field returns to the message field', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  const composer = page.getByRole('textbox', { name: /^Message to/ });
  await expect(composer).toBeFocused();
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  await field.fill('nothing');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer).toBeFocused();
});
