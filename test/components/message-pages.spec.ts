/** Pages of messages that are loaded during a scroll: one at a time in each direction. */
import type { Page } from '@playwright/test';
import { delay, expect, runAtOnce, test, untilDelayed } from './support.ts';

const line = (page: Page, number: number) =>
  page.getByRole('article').filter({ hasText: `Line ${number} of` });

/** Scrolls to an end of the loaded messages, and counts the requests of pages that wait there for their answers. */
async function requestsAt(page: Page, end: 'start' | 'end') {
  await delay(page, 'messages.list');
  const feed = page.getByRole('feed');
  await feed.evaluate(
    ({ parentElement: list }, top) => list?.scrollTo({ top: top === 'start' ? 0 : list.scrollHeight }),
    end,
  );
  await untilDelayed(page);
  return feed.evaluate(async ({ parentElement: list }) => {
    let by = 1;
    const scroll = () => {
      by = -by;
      list?.scrollBy(0, 2 * by);
      list?.dispatchEvent(new Event('scroll'));
    };
    for (let event = 0; event < 10; event++) scroll();
    const before = window.delayed.waiting;
    window.delayed.answer();
    window.delayed.delay('messages.list');
    // The page arrives in one of these turns. It is rendered in a later task.
    for (let turn = 0; turn < 100; turn++) {
      await Promise.resolve();
      scroll();
    }
    const afterArrival = window.delayed.waiting;
    for (let frame = 0; frame < 10; frame++) {
      await new Promise(requestAnimationFrame);
      scroll();
    }
    return { before, afterArrival, afterRender: window.delayed.waiting };
  });
}

test('a quick scroll to older messages has one request at a time, also before the page is rendered', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  await expect(line(page, 400)).toBeInViewport();
  expect(await requestsAt(page, 'start')).toEqual({ before: 1, afterArrival: 0, afterRender: 0 });
});

test('a quick scroll to newer messages has one request at a time, also before the page is rendered', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  await expect(line(page, 400)).toBeInViewport();
  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('Line 150 of');
  await expect(line(page, 150)).toBeInViewport();
  expect(await requestsAt(page, 'end')).toEqual({ before: 1, afterArrival: 0, afterRender: 0 });
});

test('a page that arrives after a jump to another place is not added there', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  await expect(line(page, 400)).toBeInViewport();
  await delay(page, 'messages.list');
  const list = page.getByRole('feed').locator('..');
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await untilDelayed(page);
  await runAtOnce(page, 'messages.list');
  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('Line 150 of');
  await expect(line(page, 150)).toBeInViewport();
  const place = await line(page, 150).getAttribute('aria-posinset');
  await page.evaluate(async () => {
    window.delayed.answer();
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  });
  await expect(line(page, 150)).toHaveAttribute('aria-posinset', place ?? '');
});
