/**
 * The app without a pointer: each focused element is visible, and each dialog and menu returns the focus.
 */
import type { Locator, Page } from '@playwright/test';
import { waxwing } from '../support/waxwing-command.ts';
import { App, OwnRelay } from './support/app.ts';
import { expect, test } from './support/watched.ts';

/** Fails unless the focus visibly changes the page. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const focused = await page.evaluateHandle(() => document.activeElement as HTMLElement);
  if (await focused.evaluate((element) => element === document.body)) return;
  const shown = await page.screenshot();
  await focused.evaluate((element) => element.blur());
  const without = await page.screenshot();
  await focused.evaluate((element) => element.focus({ preventScroll: true }));
  const name = await focused.evaluate((element) => element.outerHTML.slice(0, 200));
  expect(shown.equals(without), `no focus shows on ${name}`).toBe(false);
}

/** Presses Tab until a control has the focus, and checks the focus at each stop. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    await expectVisibleFocus(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('the Tab key does not lead to it');
}

test('everything from first run to a group with a bot works by keyboard only', async ({ browser }) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  const context = await browser.newContext();
  await using ann = new App(await context.newPage(), url);
  await ann.start();
  const { page } = ann;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const press = async (control: Locator, key = 'Enter') => {
    await tabTo(page, control);
    await page.keyboard.press(key);
  };

  await test.step('first run', async () => {
    await expect(page.getByText(/^Found /)).toBeVisible();
    await press(button('Continue'));
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeFocused();
    await tabTo(page, page.getByRole('radio', { name: 'Create an account' }));
    await press(button('Continue'));
    const words = page.getByRole('list', { name: 'Recovery phrase' }).getByRole('listitem');
    await expect(words.filter({ hasText: /[a-z]/ })).toHaveCount(12);
    const phrase = (await words.allInnerTexts()).map((text) => text.replace(/[^a-z]/g, ''));
    await press(page.getByRole('checkbox', { name: 'I wrote them down' }), 'Space');
    await press(button('Continue'));
    await expect(page.getByRole('textbox', { name: /^Word/ })).toHaveCount(3);
    for (const [index, word] of phrase.entries()) {
      if ((await field(`Word ${index + 1}`).count()) === 0) continue;
      await tabTo(page, field(`Word ${index + 1}`));
      await page.keyboard.type(word);
    }
    await press(button('Confirm phrase'));
    await expect(page.getByRole('heading', { name: 'Create your profile' })).toBeFocused();
    await tabTo(page, field('Handle'));
    await page.keyboard.type('ann');
    await expect(page.getByText('@ann is available.')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Waxwing', level: 1 })).toBeFocused();
  });

  await test.step('a group', async () => {
    await press(button('Groups'));
    await expect(field('Find a group')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button('Groups')).toBeFocused();
    await page.keyboard.press('Enter');
    await press(button('New group'));
    await expect(field('Name')).toBeFocused();
    await page.keyboard.type('Pond');
    await press(button('Create group'));
    await expect(field('Message to Pond')).toBeFocused();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article', { name: /^Your message, Hello/ })).toBeVisible();
  });

  const secrets = page.getByRole('alertdialog');
  let bot: Record<string, string> = {};
  await test.step('a bot token', async () => {
    await press(button('Details'));
    await expect(button('Close details')).toBeFocused();
    await tabTo(page, field('Bot name'));
    await page.keyboard.type('build bot');
    await press(button('Create token'));
    const token = await secrets.getByText(/^gtk_live_/).innerText();
    const key = await secrets.getByText(/^wxb_/).innerText();
    bot = { WAXWING_RELAY: url, WAXWING_GROUP_TOKEN: token.trim(), WAXWING_BOT_KEY: key.trim() };
    await press(secrets.getByRole('checkbox'), 'Space');
    await press(secrets.getByRole('button', { name: 'Done' }));
    await expect(field('Bot name')).toBeFocused();
  });

  await test.step('the bot posts, and gets a reply', async () => {
    expect((await waxwing(['send', 'The build is green.'], { env: bot })).stderr).toBe('');
    const post = page.getByRole('article', { name: /^Message from build bot \(bot\), The build is green/ });
    await expect(post).toBeVisible();
    await tabTo(page, page.locator('article[tabindex="0"]'));
    await page.keyboard.press('End');
    await expect(post).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'React' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field('Message to Pond')).toBeFocused();
    await page.keyboard.type('Good');
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('article', { name: /^Your message, Good, reply to build bot/ }),
    ).toBeVisible();
  });
});
