/**
 * Layout of a conversation: long names, code, other scripts, long messages, a window that grows.
 */
import type { Locator, Page } from '@playwright/test';
import { expectWhole, settled } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

const composer = (page: Page) => page.locator('form textarea');

test('a text that is too long shows a notice, and is sent in parts on request', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const field = composer(page);
  const paragraph = `Paragraph. ${'word '.repeat(1990)}`.trim();
  await field.fill(`${paragraph}\n\n${paragraph}`);
  await expect(page.getByText(/^[\d,]+ characters over the limit\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await field.press('Enter');
  await expect(field).not.toHaveValue('');
  await expectWhole(page);
  await page.getByRole('button', { name: 'Send in 2 parts' }).click();
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  // Two were there before.
  await expect(page.getByRole('article').last()).toHaveAttribute('aria-setsize', '4');
  await field.fill('x'.repeat(70_000));
  await expect(page.getByText('The end of longer text is left out.')).toBeVisible();
});

test('the newest message stays visible while the window is resized', async ({ page, openScene }) => {
  // An open conversation with something unread begins there: this one has been read.
  await openScene('many', { open: '10' });
  for (let line = 1; line <= 20; line++) {
    await composer(page).fill(`Line ${line} of many`);
    await page.keyboard.press('Enter');
  }
  const last = page.getByRole('article').filter({ hasText: 'Line 20 of many' });
  await expect(last).toBeVisible();
  for (const height of [700, 1000, 600, 900]) {
    await page.setViewportSize({ width: 1280, height });
    await expect(last).toBeInViewport({ ratio: 1 });
  }
});

test('the newest message is the Tab stop after the person has answered unread ones', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '' });
  await page.getByRole('option', { name: /^Night shift/ }).click();
  const stop = page.locator('article[tabindex="0"]');
  await expect(stop.getByRole('heading', { name: 'New messages' })).toBeAttached();
  await composer(page).fill('An answer');
  await composer(page).press('Enter');
  await expect(page.getByRole('article').last()).toContainText('An answer');
  await expect(stop).toContainText('An answer');
});

test('a possibly missing message is reported in a line without an author', async ({ page, openScene }) => {
  await openScene('states');
  const messages = page.getByRole('region', { name: 'Messages' });
  const line = messages.getByText('sent may be missing here');
  // Only rows near the window are in the page.
  await messages.hover();
  await expect
    .poll(async () => {
      if ((await line.count()) === 0) await page.mouse.wheel(0, -200);
      return line.count();
    })
    .toBe(1);
  await expect(messages.getByRole('article').filter({ has: line })).toHaveCount(0);
  await expectWhole(page);
});

const topOf = (part: Locator) => part.evaluate((element) => Math.round(element.getBoundingClientRect().top));

test('a long message shows its beginning, and all of it on request, without moving the scroll position', async ({
  page,
  openScene,
}) => {
  await openScene('conversation');
  const bubble = page.getByRole('article').last();
  const more = bubble.locator('button[aria-expanded]');
  await expect(more).toBeInViewport();
  await expect(bubble).toContainText('Sentence 40 of many.');
  await expect(bubble).not.toContainText('Sentence 42 of many.');
  await more.scrollIntoViewIfNeeded();
  await more.focus();
  await settled(page);
  const before = await topOf(bubble);
  await page.keyboard.press('Enter');
  await expect(bubble).toContainText('Sentence 120 of many.');
  await expect(more).toBeFocused();
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await settled(page);
  expect(Math.abs((await topOf(bubble)) - before), 'what was read did not move').toBeLessThan(40);
  await page.keyboard.press('Enter');
  await expect(more).toBeFocused();
  await expect(more).toBeInViewport();
  await expect(bubble).not.toContainText('Sentence 42 of many.');
});

test('the jump button leads to the first new mention, then to the newest message', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await page.getByRole('option', { name: /Night shift/ }).click();
  await expect(page.getByText('New messages')).toBeInViewport();
  const jump = page.getByRole('button', { name: /^Jump to/ });
  await expect(jump).toHaveAccessibleName('Jump to the first mention of you, 1 new mention');
  await expect(jump).toHaveText('@ 1');
  await jump.click();
  await expect(page.getByRole('article', { name: /@robin/ })).toBeInViewport();
  await expect(jump).toHaveAccessibleName(/^Jump to latest/);
  await jump.click();
  await expect(page.getByRole('article', { name: /Note 60/ })).toBeInViewport();
});

test('a quick turn of the wheel moves the messages by its distance', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  const feed = page.getByRole('feed');
  await expect(feed.getByRole('article').last()).toBeVisible();
  await feed.hover();
  const tops = () =>
    feed.evaluate((element) => {
      const rows = [...element.querySelectorAll<HTMLElement>('[data-message]')];
      return rows.map((row) => [row.dataset.message, row.getBoundingClientRect().top] as const);
    });
  const framesDrawn = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    });
  /** Waits until rows are mounted and measured above the window for more than one turn: a busy computer needs more frames. */
  const rowsMounted = async () => {
    await expect.poll(async () => (await tops())[0]?.[1]).toBeLessThan(-400);
    await framesDrawn();
  };
  const moved: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    await rowsMounted();
    const before = new Map(await tops());
    await page.mouse.wheel(0, -350);
    await framesDrawn();
    for (const [id, top] of await tops()) moved.push(Math.round(top - (before.get(id) ?? top - 350)));
  }
  expect([...new Set(moved)]).toEqual([350]);
});
