/**
 * Messages that arrive unread: hundreds while the app is locked in a chat, and some behind another window.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Identity } from '../../src/client/identity/identity.ts';
import { RelayClient } from '../../src/client/relay-client.ts';
import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { acceptRequest, lockScreen, send, unlock } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE } from './support/waxwing.ts';

/** More than the interface fetches at once. */
const BACKLOG = 300;
/** Pixels of one turn of the wheel: less than half of the window, so that two views overlap. */
const SCROLL = 240;

/** The texts of the messages in the window, from top to bottom. */
function textsOnScreen(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'Messages' }).evaluate((region) => {
    const { top, bottom } = region.getBoundingClientRect();
    return Array.from(region.querySelectorAll('article'))
      .filter((article) => {
        const box = article.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      })
      .map((article) => {
        const words = article.querySelector('[data-words]')?.cloneNode(true) as Element | undefined;
        // Time and state are in the same box, behind the text.
        words?.querySelector('[data-meta]')?.remove();
        return words?.textContent?.trim() ?? '';
      });
  });
}

/** Waits until messages fill the window: after scrolling, rows are drawn in a later frame. */
function untilFilled(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'Messages' }).evaluate(async (region) => {
    // Between messages of two minutes, and below the last one.
    const space = 40;
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isFilled = () => {
      const { top, bottom } = region.getBoundingClientRect();
      const boxes = Array.from(region.querySelectorAll('article'), (each) => each.getBoundingClientRect());
      const first = Math.min(...boxes.map((box) => box.top));
      const last = Math.max(...boxes.map((box) => box.bottom));
      return (region.scrollTop === 0 || first < top + space) && last > bottom - space;
    };
    do await nextFrame();
    while (!isFilled());
  });
}

/** Scrolls until the message is on the screen. @returns each sequence of texts on the way */
async function scrollTo(page: Page, text: string, pixels: number): Promise<string[][]> {
  const ways: string[][] = [];
  await page.getByRole('region', { name: 'Messages' }).hover();
  await expect
    .poll(
      async () => {
        await untilFilled(page);
        const texts = await textsOnScreen(page);
        ways.push(texts);
        if (!texts.includes(text)) await page.mouse.wheel(0, pixels);
        return texts;
      },
      { intervals: [50] },
    )
    .toContain(text);
  return ways;
}

const lineOf = (text: string) => Number(/^Line (\d+)$/.exec(text)?.[1] ?? 0);

/** The number of the first line in each view, without repetitions. */
const firstLines = (ways: string[][]) =>
  ways.map(([text = '']) => lineOf(text)).filter((line, index, all) => line !== all[index - 1]);

/** Focuses or blurs the window of the page. */
function setFocus(page: Page, hasFocus: boolean): Promise<void> {
  return page.evaluate((focused) => {
    document.hasFocus = () => focused;
    window.dispatchEvent(new Event(focused ? 'focus' : 'blur'));
  }, hasFocus);
}

test('a backlog of hundreds that waited while locked is all there, below the divider, and scrolls without a jump', async ({
  browser,
}) => {
  test.slow();
  await using relay = new OwnRelay();
  await using ann = await App.newcomer(browser, await relay.url(), 'ann');
  const { page } = ann;
  using folder = temporaryFolder();
  const identity = Identity.create({ file: join(folder.path, 'bot.json') });
  await identity.register(await relay.url(), { handle: 'robin' });
  const robin = new RelayClient({ identity });
  const article = (text: string) => page.getByRole('article', { name: `, ${text}, ` });
  const jump = page.getByRole('button', { name: /^Jump to/ });
  const divider = page.getByRole('heading', { name: 'New messages' });
  const underDivider = page.getByRole('article').filter({ has: divider });

  await test.step('Ann answers, and locks the app in the chat', async () => {
    await robin.send('@ann', 'Hello', { asRequest: true });
    await acceptRequest(page, /robin/);
    await send(page, 'Hello you');
    await expect(
      page.getByRole('article', { name: /^Your message, .*, (sent|delivered|read)/ }),
    ).toBeVisible();
    await page.keyboard.press('Control+l');
    await expect(lockScreen(page)).toBeVisible();
  });

  await test.step('the lock screen announces them, and after unlocking the chat ends with the newest', async () => {
    for (let line = 1; line <= BACKLOG; line++) await robin.send('@ann', `Line ${line}`);
    await expect(page.getByRole('status').filter({ hasText: 'You have new messages' })).toBeVisible();
    await unlock(page, PASSPHRASE);
    await expect(article(`Line ${BACKLOG}`)).toBeInViewport();
    await expect(jump).toHaveCount(0);
  });

  await test.step('scrolling up shows each of them, in order, and the divider above the first', async () => {
    const ways = await scrollTo(page, 'Hello you', -SCROLL);
    const firsts = firstLines(ways);
    expect(firsts).toEqual(firsts.toSorted((a, b) => b - a));
    const lines = new Set(ways.flat().map(lineOf));
    expect(Array.from({ length: BACKLOG }, (_, n) => n + 1).filter((line) => !lines.has(line))).toEqual([]);
    const top = ways.at(-1) ?? [];
    expect(top.slice(top.indexOf('Hello you'), top.indexOf('Line 3'))).toEqual([
      'Hello you',
      'Line 1',
      'Line 2',
    ]);
    await expect(underDivider).toHaveAccessibleName(/, Line 1,/);
    await expectAccessible(page);
  });

  await test.step('scrolling down passes them in order, too', async () => {
    const firsts = firstLines(await scrollTo(page, 'Line 150', SCROLL));
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  });

  await test.step('the button leads to the newest, and the next one is shown as it arrives', async () => {
    await jump.click();
    await expect(article(`Line ${BACKLOG}`)).toBeInViewport();
    await expect(jump).toHaveCount(0);
    await robin.send('@ann', 'One more');
    await expect(article('One more')).toBeInViewport();
  });

  await test.step('the divider is above the first message that arrived behind another window', async () => {
    const row = page.getByRole('option', { name: /robin/ });
    await expect(row).not.toHaveAccessibleName(/unread/);
    await setFocus(page, false);
    await robin.send('@ann', 'Are you away?');
    await robin.send('@ann', 'Never mind');
    await expect(row).toHaveAccessibleName(/2 unread/);
    await expect(underDivider).toHaveAccessibleName(/Are you away\?/);
    await setFocus(page, true);
    await expect(row).not.toHaveAccessibleName(/unread/);
    await robin.send('@ann', 'Welcome back');
    await expect(article('Welcome back')).toBeInViewport();
    await expect(underDivider).toHaveAccessibleName(/Are you away\?/);
  });
});
