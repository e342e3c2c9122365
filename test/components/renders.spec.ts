/** Work of the page for arriving messages: it is counted, not timed. */
import { ann } from '../../dev/fake/people.ts';
import { settled } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

declare global {
  interface Window {
    /** Number of full dates formatted so far: one for each rendered message that shows its time. */
    fullDates: number;
    /** Number of summaries read so far. */
    summaries: number;
    /** Times between refreshments of the open chat, in milliseconds. */
    pauses: number[];
  }
}

test('a new message does not render the others of the open chat again', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  const article = (text: string) => page.getByRole('article').filter({ hasText: text });
  const send = (text: string) =>
    page.evaluate((sent) => window.waxwing.calls['messages.send']({ conversationId: '1', text: sent }), text);
  await expect(article('Line 400 of')).toBeInViewport();
  // Opened with a short page: the first change also adds earlier messages, and all places change.
  await send('The first');
  await expect(article('The first')).toBeInViewport();
  // The rows around the window are mounted in later frames.
  await expect(async () => {
    const shown = await page.getByRole('article').locator('time').count();
    await settled(page);
    expect(await page.getByRole('article').locator('time').count()).toBe(shown);
  }).toPass();
  await page.evaluate(() => {
    window.fullDates = 0;
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get(this: Intl.DateTimeFormat) {
        if (this.resolvedOptions().dateStyle === 'full') window.fullDates++;
        return format?.get?.call(this);
      },
    });
  });
  await send('One more');
  await expect(article('One more')).toBeInViewport();
  await expect(article('One more').getByText('Sent', { exact: true })).toBeAttached();
  await settled(page);
  const rendered = await page.evaluate(() => window.fullDates);
  expect(rendered).toBeGreaterThan(0);
  // Itself, when it is queued and when it is sent, and the one before, which loses its time.
  expect(rendered).toBeLessThanOrEqual(3);
});

test('of many messages that arrive at once, only the few texts that may be read out are made', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  await page.evaluate((from) => {
    window.summaries = 0;
    for (let place = 0; place < 50; place++)
      window.emit('message.arrived', {
        ...{ conversationId: '1', messageId: `${1000 + place}`, from, bot: null, group: null },
        ...{ hasNamesake: false, request: false, mentionsMe: false, muted: false },
        get summary() {
          window.summaries++;
          return { kind: 'text', text: `Line ${place}`, fields: {} };
        },
      });
  }, ann);
  await expect(page.getByRole('log', { name: 'New messages' })).toHaveText('50 new messages');
  expect(await page.evaluate(() => window.summaries)).toBe(3);
});

test('while messages keep arriving, the open chat is refreshed less and less often', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  await expect(page.getByRole('article').filter({ hasText: 'Line 400 of' })).toBeInViewport();
  const pauses = await page.evaluate(async (count) => {
    const change = () => window.emit('messages.changed', { conversationId: '1' });
    const { setTimeout: real } = window;
    window.pauses = [];
    const ended = new Promise<void>((resolve) => {
      // A pause of one of these lengths ends at once, after one more message. The first one is not counted: a list may have it, too.
      window.setTimeout = new Proxy(real, {
        apply(later, self, [work, ms, ...values]) {
          if (![100, 200, 400, 800].includes(ms)) return Reflect.apply(later, self, [work, ms, ...values]);
          if (ms > 100) window.pauses.push(ms);
          if (window.pauses.length < count) change();
          else resolve();
          return Reflect.apply(later, self, [work]);
        },
      });
    });
    change();
    await ended;
    window.setTimeout = real;
    return window.pauses;
  }, 4);
  expect(pauses).toEqual([200, 400, 400, 400]);
});

test('the open chat scrolls as a layer, so that a scroll does not draw its texts again', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  await expect(page.getByRole('article').filter({ hasText: 'Line 400 of' })).toBeInViewport();
  const session = await page.context().newCDPSession(page);
  const heights = new Map<number, number>();
  session.on('LayerTree.layerTreeDidChange', ({ layers = [] }) => {
    heights.clear();
    for (const { backendNodeId = 0, height } of layers)
      heights.set(backendNodeId, Math.max(height, heights.get(backendNodeId) ?? 0));
  });
  await session.send('DOM.enable');
  await session.send('LayerTree.enable');
  const expression = 'document.querySelector("[role=feed]").parentElement';
  const { result } = await session.send('Runtime.evaluate', { expression });
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  const shown = await page.getByRole('feed').locator('..').boundingBox();
  // Otherwise it is part of the layer of the page.
  await expect.poll(() => heights.get(node.backendNodeId) ?? 0).toBeGreaterThan(shown?.height ?? Infinity);
});

test('rows get the bar of actions when a scroll has ended, and a row with the focus at once', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  const articles = page.getByRole('article');
  const more = articles.getByRole('button', { name: 'More', includeHidden: true });
  const expectBars = () =>
    expect(async () => expect(await more.count()).toBe(await articles.count())).toPass();
  await expect(articles.filter({ hasText: 'Line 400 of' })).toBeInViewport();
  await expectBars();
  const inScroll = await page.getByRole('feed').evaluate(async (feed) => {
    const scroller = feed.parentElement;
    const hasBar = (row: Element) => row.querySelector('[aria-haspopup]') !== null;
    let least = Infinity;
    const rows = () => [...feed.querySelectorAll('article')];
    // The pause that ends a scroll, which a busy computer has between two frames.
    const { setTimeout: real } = window;
    const ends: (() => void)[] = [];
    window.setTimeout = new Proxy(real, {
      apply: (later, self, all) => (all[1] === 150 ? ends.push(all[0]) : Reflect.apply(later, self, all)),
    });
    for (let frame = 0; frame < 20; frame++) {
      scroller?.scrollBy(0, -150);
      await new Promise(requestAnimationFrame);
      least = Math.min(least, rows().filter(hasBar).length);
    }
    const row = rows().find((each) => !hasBar(each) && each.checkVisibility({ visibilityProperty: true }));
    row?.focus({ preventScroll: true });
    await Promise.resolve();
    window.setTimeout = real;
    for (const end of ends) end();
    return { least, focused: row !== undefined && hasBar(row) };
  });
  // Those that were in the document at the begin.
  expect(inScroll.least).toBeLessThan(10);
  expect(inScroll.focused).toBe(true);
  await expectBars();
});
