/**
 * Playwright's `test` for all pages of tests: an uncaught error of a page, a violation of its content security policy, or
 * any other error in its console fails the test in which it happens. A test that provokes one names it with `mayComplain`.
 */
import {
  type Browser,
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
} from '@playwright/test';

/** Errors of this worker's pages since the last query. */
const reported: string[] = [];
/** The contexts of this worker's open pages. */
const open = new Set<BrowserContext>();
/** Pages that stay open for later tests. */
const kept = new Set<BrowserContext>();

/**
 * Listens to all pages of a browser. `test` does so for its own browser; a test passes any other one to this
 * function.
 */
export function watched(browser: Browser): Browser {
  browser.contexts().forEach(watch);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    watch(context);
    return context;
  };
  const close = browser.close.bind(browser);
  browser.close = async (options) => {
    await Promise.all(browser.contexts().map(drain));
    await close(options);
  };
  return browser;
}

/** The context is for several tests, and not closed at the end of the first. */
export function keepOpen(context: BrowserContext): void {
  kept.add(context);
}

function watch(context: BrowserContext): void {
  open.add(context);
  context.on('close', () => open.delete(context));
  context.on('weberror', (event) => reported.push(event.error().stack ?? String(event.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' && !ENDED_HOST.test(message.text())) reported.push(textOf(message));
  });
  context.on('page', (page) => {
    const close = page.close.bind(page);
    page.close = async (options) => {
      await drainPage(page);
      await close(options);
    };
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    await drain(context);
    await close(options);
  };
}

const drain = (context: BrowserContext) => Promise.all(context.pages().map(drainPage));

/**
 * Waits until all earlier errors of a page have arrived: errors and answers of a page arrive in order. The
 * error of a callback follows the answer to the call that asked for it, and comes before the next answer.
 */
async function drainPage(page: Page): Promise<void> {
  try {
    await page.evaluate(() => undefined);
    await page.evaluate(() => undefined);
  } catch {
    // A closed page reports nothing more.
  }
}

/**
 * A test stops or restarts the host of an open page, which then tries to reconnect, and may draw a picture of a file: these
 * are not errors of the page.
 */
const ENDED_HOST =
  /^(?:WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/bridge' failed: Error in connection establishment: net::ERR_CONNECTION_(?:REFUSED|RESET|CLOSED)|Failed to load resource: net::ERR_CONNECTION_(?:REFUSED|RESET|CLOSED) \(http:\/\/127\.0\.0\.1:\d+\/files\/)/;

/** Chromium reports only the address of a failed load. */
const textOf = (message: ConsoleMessage) => `${message.text()} (${message.location().url})`;

interface Watched {
  /** Accepts matching errors in this test, from here on. */
  mayComplain: (pattern: RegExp) => void;
}

export const test = base.extend<Watched, object>({
  browser: [({ browser }, use) => use(watched(browser)), { scope: 'worker' }],
  mayComplain: [
    // Playwright needs to see the fixtures that this one uses.
    // biome-ignore lint/correctness/noEmptyPattern: none
    async ({}, use) => {
      const expected: RegExp[] = [];
      const judge = () => {
        const complaints = reported
          .splice(0)
          .filter((text) => !expected.some((pattern) => pattern.test(text)));
        expect(complaints, 'what pages complained of').toEqual([]);
      };
      const before = new Set(open);
      await use((pattern) => {
        judge();
        expected.push(pattern);
      });
      // A page that stays open reports to the next test.
      await Promise.all(
        [...open].map((context) =>
          before.has(context) || kept.has(context) ? drain(context) : context.close(),
        ),
      );
      judge();
    },
    { auto: true },
  ],
});

export { expect };
