/**
 * Scrolling through a large chat, and searching as one types, on the screen: the app as a page in headless Chromium, with its host and
 * engine on a generated history, beside a page of bare paragraphs. Up to three sizes, the largest of `messages`.
 *
 *   node bench/large-chat.ts [messages]
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { randomFrom } from '../dev/random.ts';
// @ts-expect-error: a script of plain JavaScript
import { build } from '../scripts/build.mjs';
// @ts-expect-error: a script of plain JavaScript
import { chromium as findChromium } from '../scripts/chromium.mjs';
import { keepCompiledCode } from '../test/support/compiled-code.ts';
import { inChromium } from '../test/support/in-chromium.ts';
import { PreparedApp } from './support/app/prepared-app.ts';
import { openApp, openPage, startApp, timeToOpen } from './support/app/running-app.ts';
import { vocabularyOf } from './support/history.ts';
import { percentile } from './support/process.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';

const most = sizeOf(0, 100_000, 200);
const LARGEST_CHAT = 100_000;
/** Messages of the smallest history. */
const LEAST = isSmoke ? 100 : 1_000;
const PARAGRAPHS = 2_000;
/** Pixels a second: a page of the chat in less than half a second. */
const SPEED = 2_000;
const SCROLLED = isSmoke ? 500 : 10_000;
/** A frame of a screen with 60 of them a second, and its longest time in milliseconds. */
const FRAME = 17;
const TYPED_WORDS = isSmoke ? 1 : 20;
/** Milliseconds between two keys: no one types faster for long. */
const KEY_PAUSE = 120;
/** Common words, which are in many messages. */
const COMMON = 2_000;

keepCompiledCode();
const executablePath = findChromium();
if (executablePath === null) process.exit(1);
await build();

await using resources = new AsyncDisposableStack();
const browser = await chromium.launch({ ...inChromium.launchOptions, executablePath, handleSIGTERM: false });
resources.defer(() => browser.close());
const report = new Report(
  'Scrolling through a large chat and searching as one types, in headless Chromium, beside a page of bare paragraphs',
);

const bare = await scrollParagraphs(browser);
const sizes = [most / 100, most / 10, most].map((size) => Math.max(LEAST, Math.round(size)));
for (const size of new Set(sizes)) await measure(size);
report.finish();

async function measure(size: number): Promise<void> {
  const large = Math.min(size, LARGEST_CHAT);
  await using prepared = await PreparedApp.make({ history: size, large, small: 20 });
  const { app } = await startApp(prepared);
  try {
    const { page } = await openApp(browser, app, null, null);
    await timeToOpen(page, prepared.large);
    const chat = page.getByRole('feed');
    const upwards = await scroll(page, SCROLLED);
    await chat.press('Home');
    await page.waitForTimeout(1_000);
    const both = [...(await scroll(page, -SCROLLED)), ...(await scroll(page, SCROLLED))];
    const frames = [...upwards, ...both];
    const searches = await search(page, wordsToType());
    const name = `${size} messages`;
    report.ratio(
      `${name}: longest frame while scrolling, of bare paragraphs`,
      [Math.max(...frames) / Math.max(...bare)],
      'less',
    );
    report.figure(`${name}: longest frame while scrolling`, 'ms', [Math.max(...frames)], { atMost: 50 });
    report.figure(`${name}: frames within ${FRAME} ms`, '%', [shareWithin(frames)], { atLeast: 95 });
    report.ratio(`${name}: frames within ${FRAME} ms, of bare paragraphs`, [
      shareWithin(frames) / shareWithin(bare),
    ]);
    report.figure(`${name}: from key to results, 95th percentile`, 'ms', [percentile(searches, 0.95)], {
      atMost: 100,
    });
    report.figure(`${name}: from key to results, median`, 'ms', [percentile(searches, 0.5)]);
    await page.context().close();
  } finally {
    await app.stop();
  }
}

/** Share of frames that were in time, in percent. */
function shareWithin(frames: readonly number[]): number {
  return (100 * frames.filter((frame) => frame <= FRAME).length) / frames.length;
}

/** Turns a wheel at a constant speed. @param distance in pixels, negative downwards @returns the times of all frames meanwhile */
async function scroll(page: Page, distance: number): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const [x, y] = [inChromium.viewport.width * 0.6, inChromium.viewport.height / 2];
  await page.evaluate(() => window.meter.beginFrames());
  await session.send('Input.synthesizeScrollGesture', {
    ...{ x, y, yDistance: distance, speed: SPEED },
    gestureSourceType: 'mouse',
  });
  const frames = await page.evaluate(() => window.meter.endFrames());
  await session.detach();
  return frames;
}

/** Frames of a page of as much text as a large chat has in the document, without a program. */
async function scrollParagraphs(browser: Browser): Promise<number[]> {
  const { page } = await openPage(browser, 'about:blank', []);
  await page.evaluate((count) => {
    for (let number = 0; number < count; number++)
      document.body.append(
        Object.assign(document.createElement('p'), { textContent: `Paragraph ${number}` }),
      );
    scrollTo(0, document.body.scrollHeight);
  }, PARAGRAPHS);
  const frames = await scroll(page, SCROLLED);
  await page.context().close();
  return frames;
}

function wordsToType(): string[] {
  const vocabulary = vocabularyOf(randomFrom(1));
  const long = vocabulary.slice(0, COMMON).filter((word) => word.length >= 5 && word.length <= 8);
  // The first ones are in the newest message.
  return ['newest', 'stored', ...long].slice(0, TYPED_WORDS);
}

/** Types words into the field above the list. @returns milliseconds from each key until its results, or newer ones, were drawn */
async function search(page: Page, words: readonly string[]): Promise<number[]> {
  const field = page.getByRole('searchbox', { name: 'Search chats and messages' });
  const times: number[] = [];
  for (const word of words) {
    await field.fill('');
    await field.focus();
    await page.evaluate(() => window.meter.beginSearches());
    await page.keyboard.type(word, { delay: KEY_PAUSE });
    times.push(...(await page.evaluate(() => window.meter.endSearches())));
  }
  await field.fill('');
  return times;
}
