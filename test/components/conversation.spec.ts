/**
 * Layout of a conversation: long names, code, other scripts, long messages, a window that grows.
 */
import type { Page } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test, untilDelayed, watchFor } from './support.ts';

const composer = (page: Page) => page.locator('form textarea');

test('a name without spaces is broken, not cut off, and does not enlarge the composer', async ({
  page,
  openScene,
}) => {
  const name = 'W'.repeat(80);
  await openScene('conversation', { open: '2' });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const shown = page.locator('main > section').getByText(name).last();
    await expect.poll(async () => (await shown.boundingBox())?.x ?? 0).toBeGreaterThan(0);
    const box = await shown.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await expect.poll(async () => (await composer(page).boundingBox())?.height).toBeLessThan(60);
  }
});

for (const browser of ['with field-sizing', 'without field-sizing'])
  test(`the message field is as high as its text, up to ten lines, in a browser ${browser}`, async ({
    page,
    openScene,
  }) => {
    if (browser === 'without field-sizing')
      await page.addInitScript(() => {
        CSS.supports = () => false;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('textarea { field-sizing: fixed !important }');
        document.adoptedStyleSheets = [sheet];
      });
    await openScene('conversation', { open: '2' });
    const field = composer(page);
    const height = async () => (await field.boundingBox())?.height ?? 0;
    const empty = await height();
    const lineHeight = await field.evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    await field.fill('One\nTwo\nThree');
    expect(await height()).toBeCloseTo(empty + 2 * lineHeight, 0);
    await field.fill('Line\n'.repeat(30));
    expect(await height()).toBeGreaterThan(9 * lineHeight);
    expect(await height()).toBeLessThanOrEqual(10 * lineHeight);
    expect(await field.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
    await field.fill('');
    expect(await height()).toBe(empty);
  });

test('the newest message stays visible while a long text is typed', async ({ page, openScene }) => {
  await openScene('conversation', { open: '3' });
  const field = composer(page);
  const below = () =>
    page.getByRole('feed').evaluate(({ parentElement: list }) => {
      return list ? list.scrollHeight - list.scrollTop - list.clientHeight : Number.NaN;
    });
  await field.focus();
  for (let line = 0; line < 14; line++) {
    await page.keyboard.type('ab');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(below, `after line ${line + 1}`).toBeLessThanOrEqual(1);
  }
  await expect.poll(() => field.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});

test('code on its own lines is a block; the time beside Hebrew text reads in order', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '3' });
  const code = page.getByRole('article').locator('code').filter({ hasText: 'let a = 1;' });
  expect(await code.evaluate((element) => getComputedStyle(element).display)).toBe('block');
  const time = page.getByRole('article').filter({ hasText: 'שלום' }).locator('time bdi');
  expect(await time.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
});

test('messages and the message field show "->" as it was written, not as an arrow', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '3' });
  const field = composer(page);
  await field.fill('1x1 -> 2x2');
  await field.press('Enter');
  const sent = page.getByRole('article').last().locator('[data-words]');
  await expect(sent).toContainText('1x1 -> 2x2');
  const widths = await sent.evaluate((element) => {
    const widthOf = (text: string) => {
      const drawn = document.createElement('span');
      drawn.textContent = text;
      element.append(drawn);
      const { width } = drawn.getBoundingClientRect();
      drawn.remove();
      return width;
    };
    return { together: widthOf('->'), apart: widthOf('-') + widthOf('>') };
  });
  expect(widths.together).toBeCloseTo(widths.apart, 1);
  await expect(field).toHaveCSS('font-variant-ligatures', 'no-contextual');
});

test('lists and quotes are formatted, and a code block has a copy button', async ({ page, openScene }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('conversation', { open: '3' });
  const message = page.getByRole('article').filter({ hasText: 'two bottles' });
  await expect(message.getByRole('blockquote').locator('s')).toHaveText('Monday');
  await expect(message.getByRole('listitem')).toHaveCount(4);
  await expect(message.locator('ul ul li')).toHaveText('two bottles');
  await expect(message.locator('ol li')).toHaveAttribute('value', '3');
  // By a key: just after opening, the list may move between the press and the release of a mouse button.
  const copied = await watchFor(page, 'Copied');
  await page.getByRole('button', { name: 'Copy code' }).press('Enter');
  await copied();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('let a = 1;');
});

test('the arrow keys move in a list of two hundred chats, and Enter opens', async ({ page, openScene }) => {
  await openScene('many');
  const rows = page.locator('[data-row]');
  await expect(rows.first()).toBeVisible();
  await rows.first().focus();
  await page.keyboard.press('End');
  const focused = page.locator('[data-row]:focus');
  await expect(focused).toContainText('Left behind');
  await page.keyboard.press('ArrowUp');
  await expect(focused).toContainText('person 190');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article')).toContainText('The last words of person 190');
});

test('a group of a backup reports that its members are loading, not that the person left', async ({
  page,
  openScene,
}) => {
  await openScene('restored');
  const place = page.getByRole('region', { name: 'Loading members' });
  await expect(place).toContainText('once the server has shown its members');
  await expect(page.getByText('no longer')).toHaveCount(0);
  await expectWhole(page);
});

test('the chat of a restored group asks the server about its members while it is open', async ({
  page,
  openScene,
}) => {
  await openScene('restored', { delay: 'groups.look' });
  await untilDelayed(page);
  expect(await page.evaluate(() => window.delayed.waiting)).toBe(1);
});

test('role changes in a group are lines of the timeline with their authors', async ({ page, openScene }) => {
  await openScene('group');
  for (const line of [
    'Ann Archer made you an admin',
    'Ann Archer made Ben Okafor an admin',
    'Ann Archer made you the owner',
    'Ann Archer is now an admin',
    /^You made .+ the owner$/,
    'Ben Okafor is no longer an admin',
  ]) {
    await expect(page.getByText(line)).toHaveCount(1);
  }
});
