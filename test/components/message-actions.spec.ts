import { article, composer, LAST } from './message-actions.ts';
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

test('a mention shows the local name, and mentions of the person are highlighted', async ({ page }) => {
  const message = article(page, 'Can you bring the book');
  await expect(message.locator('mark')).toHaveText('@Robin Reed');
  await message.getByRole('button', { name: '@Ben Okafor' }).click();
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
});
