/**
 * A window of 1,280 by 1,024 pixels at 400 % zoom, which leaves 320 by 256 (WCAG 1.4.10): each screen scrolls in one
 * direction only, and its main function can be reached and used. A press scrolls to its target, and fails if that is covered
 * or cut off.
 */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { settled } from '../e2e/support/accessible.ts';
import { lockScreen, unlock } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';
import { composer, expectNewest, expectReached, expectSends, WIDTH } from './zoom.ts';

test.use({ viewport: { width: WIDTH, height: 256 } });

/** Checks that no part scrolls sideways and no control exceeds the window's width. */
async function expectOneWay(page: Page): Promise<void> {
  await settled(page);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTH);
  const sideways = await page.evaluate((width) => {
    const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    );
    const scrolls = shown.filter(
      (each) =>
        ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth,
    );
    const beyond = shown.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      // Elements only for screen readers have one pixel.
      const isSeen = right - left > 1;
      return isSeen && each.matches('button, input, textarea, a[href]') && (left < 0 || right > width);
    });
    return [...scrolls, ...beyond].map((each) => each.outerHTML.slice(0, 200));
  }, WIDTH);
  expect(sideways).toEqual([]);
}

for (const lang of [undefined, 'en-XB'] as const) {
  test(`every screen scrolls in one direction only${lang ? ', also from right to left' : ''}`, async ({
    page,
    openScene,
    openGallery,
  }) => {
    const options = lang ? { lang } : {};
    for (const scene of ['first-run', 'handle', 'empty', 'many', 'locked', 'choose-passphrase'] as const) {
      await openScene(scene, options);
      await expectOneWay(page);
    }
    for (const [scene, open] of [
      ['many', '1'],
      ['conversation', '1'],
      ['deleted', '1'],
      ['offline', '2'],
      ['request', '2'],
      ['fork', '3'],
    ] as const) {
      await openScene(scene, { ...options, open });
      await expect(page.locator('main > section header')).toBeVisible();
      await expectOneWay(page);
    }
    for (const name of [
      'confirmation',
      'new chat',
      'groups',
      'command palette',
      'settings on macOS',
      'first run: phrase',
    ] as const) {
      await openGallery(name, options);
      const shown = name.startsWith('first') ? 'form' : '[role=dialog], [role=alertdialog]';
      await expect(page.locator(shown)).toBeVisible();
      await expectOneWay(page);
    }
  });
}

test('a chat below a banner keeps its messages and its composer', async ({ page, openScene }) => {
  await openScene('deleted');
  await expectReached(page.getByRole('option', { name: /Echo/ }).first());
  for (const [scene, open, text] of [
    ['deleted', '1', 'Is anybody there?'],
    ['offline', '2', 'Or two'],
    ['fork', '2', 'Hello'],
  ] as const) {
    await openScene(scene, { open });
    await expectNewest(page, text);
    await composer(page).click();
    await expect(composer(page)).toBeFocused();
    await expectReached(composer(page));
  }
});

test('each menu item can be reached', async ({ page, openScene }) => {
  await openScene('many');
  const row = page.getByRole('option', { name: /Ann Archer/ });
  await row.press('Shift+F10');
  const items = page.getByRole('menuitem');
  await expect(items.first()).toBeVisible();
  for (const item of await items.all()) await expectReached(item);
  await items.last().click();
  const question = page.getByRole('alertdialog');
  await expectReached(question.getByRole('button', { name: 'Delete' }));
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
});

test('an emoji is found and inserted into the message', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'Insert emoji' }).click();
  const picker = page.getByRole('region', { name: 'Emoji' });
  await expect(picker.getByRole('searchbox')).toBeFocused();
  await expectReached(picker.getByRole('searchbox'));
  await picker.getByRole('button', { name: 'grinning face', exact: true }).click();
  await expect(composer(page)).toHaveValue('😀');
});

test('the details are opened, scrolled to their end and closed', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expectReached(details.getByRole('button').last());
  await expectOneWay(page);
  await details.getByRole('button', { name: 'Close details' }).click();
  await expect(composer(page)).toBeVisible();
});

test('a setting is found and changed in each section', async ({ page, openScene }) => {
  await openScene('desktop');
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const sections = settings.getByRole('navigation').getByRole('listitem').getByRole('button');
  await expect(sections.first()).toBeVisible();
  for (const name of await sections.allInnerTexts()) {
    await sections.filter({ hasText: name }).first().click();
    await expect(settings.getByRole('heading', { name, level: 3 })).toBeVisible();
    await expectOneWay(page);
    await settings.getByRole('button', { name: 'Back', exact: true }).click();
  }
  await sections.filter({ hasText: 'Appearance' }).click();
  await settings.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a message request is read and accepted', async ({ page, openScene }) => {
  await openScene('request', { open: '2' });
  await expectNewest(page, 'Sent with an API key.');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expectSends(page, 'Hello to you');
});

test('first run continues, and a locked app opens', async ({ page, openScene }) => {
  await openScene('first-run');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Create an account' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('checkbox', { name: 'I wrote them down' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: /^Word/ })).toHaveCount(3);
  await expectReached(page.getByRole('button', { name: 'Confirm phrase' }));
  await openScene('locked');
  await expectReached(lockScreen(page));
  await unlock(page, PASSPHRASE);
  await expect(
    composer(page)
      .or(page.getByRole('button', { name: 'New chat' }))
      .first(),
  ).toBeVisible();
});
