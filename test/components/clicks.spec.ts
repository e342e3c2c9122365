/** Clicks that must not be lost: while a chat opens, and right after a scroll. */
import type { Locator } from '@playwright/test';
import { article, LAST } from './message-actions.ts';
import { expect, test } from './support.ts';

declare global {
  interface Window {
    /** Ids of messages that left the document. */
    removed: string[];
  }
}

test('messages at the end stay in the document while their heights are measured', async ({
  page,
  openScene,
}) => {
  await page.addInitScript(() => {
    window.removed = [];
    const note = (changes: MutationRecord[]) => {
      for (const node of changes.flatMap((change) => [...change.removedNodes])) {
        if (!(node instanceof HTMLElement)) continue;
        for (const each of node.querySelectorAll('article')) window.removed.push(each.dataset.message ?? '');
      }
    };
    addEventListener('DOMContentLoaded', () =>
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true }),
    );
  });
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  // The second part of measuring: rows above the view.
  await expect.poll(() => page.locator('article').evaluateAll((all) => all.length)).toBeGreaterThan(8);
  const inView = await page
    .locator('article')
    .evaluateAll((all) =>
      all
        .filter((each) => each.getBoundingClientRect().bottom > 0)
        .map((each) => (each as HTMLElement).dataset.message),
    );
  const removed = await page.evaluate(() => window.removed);
  expect(removed.filter((id) => inView.includes(id))).toEqual([]);
});

test('a message accepts a click right after a scroll', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  const mention = article(page, 'Can you bring the book').getByRole('button', { name: '@Ben Okafor' });
  expect(await underPointerAfterScroll(mention, 'section')).toBe('the control');
});

test('a chat in the list accepts a click right after a scroll', async ({ page, openScene }) => {
  await openScene('many');
  const chat = page.getByRole('option').nth(6);
  await expect(chat).toBeVisible();
  expect(await underPointerAfterScroll(chat, '[role="listbox"]')).toBe('the control');
});

/** Scrolls by a few pixels; returns 'the control', or the HTML of the element that a click there would reach. */
const underPointerAfterScroll = (control: Locator, scroller: string) =>
  control.evaluate(async (element, selector) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    element.closest(selector)?.scrollBy({ top: -8 });
    element.closest(selector)?.scrollBy({ top: 4 });
    // The scroll event, then the commit after it.
    await frame();
    await frame();
    const { x, y, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(x + width / 2, y + height / 2);
    return element.contains(found) ? 'the control' : (found?.outerHTML.slice(0, 200) ?? 'nothing');
  }, scroller);
