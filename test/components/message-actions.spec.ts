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

test('Shift+Tab from the message field reaches the buttons of the last message during a scroll', async ({
  page,
  openScene,
}) => {
  await page.addInitScript(() => {
    let step = -2;
    const scroll = () => {
      document.querySelector('section[aria-label="Messages"]')?.scrollBy(0, step);
      step = -step;
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
  });
  await openScene('actions');
  await page.getByRole('textbox', { name: /^Message to/ }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(article(page, LAST).getByRole('button', { name: 'More' })).toBeFocused();
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
