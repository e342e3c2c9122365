import { article, LAST } from './message-actions.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
});

test('a reply to a message far above shows its original', async ({ page }) => {
  await page.getByRole('button', { name: /^Show pinned message: Can we/ }).click();
  await expect(page.locator('article:focus')).toContainText('Can we meet at four');
  await expect(page.getByRole('button', { name: /^Show pinned message: The bus/ })).toBeVisible();
});

test('a mention shows the local name, and mentions of the person are highlighted', async ({ page }) => {
  const message = article(page, 'Can you bring the book');
  await expect(message.locator('mark')).toHaveText('@Robin Reed');
  await message.getByRole('button', { name: '@Ben Okafor' }).click();
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
});

test('the keys of a message work on its buttons, which Shift+Tab from the message field reaches first', async ({
  page,
}) => {
  const message = article(page, LAST);
  await page.getByRole('textbox', { name: /^Message to/ }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(message.getByRole('button', { name: 'More' })).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByText('Replying to Robin Reed', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await message.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('article:focus')).toContainText('The bus leaves at three.');
  await message.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Message info' })).toBeVisible();
});
