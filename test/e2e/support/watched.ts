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
} from '@playwright/test';

/** What pages of this worker complained of since a test asked last. */
const heard: string[] = [];

/** Listens to all pages of a browser. `test` does so with its own browser; one that a test starts itself is handed in here. */
export function watched(browser: Browser): Browser {
  browser.contexts().forEach(watch);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    watch(context);
    return context;
  };
  return browser;
}

function watch(context: BrowserContext): void {
  context.on('weberror', (event) => heard.push(event.error().stack ?? String(event.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' && !ENDED_HOST.test(message.text())) heard.push(textOf(message));
  });
}

/** A test ends its host, or restarts it, while the page is open, which then tries to reach it: the page is not at fault. */
const ENDED_HOST =
  /^WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/bridge' failed: Error in connection establishment: net::ERR_CONNECTION_(?:REFUSED|RESET|CLOSED)/;

/** Chromium names what it could not load by its address alone. */
const textOf = (message: ConsoleMessage) => `${message.text()} (${message.location().url})`;

interface Watched {
  /** Accepts complaints that match, in this test, from here on. */
  mayComplain: (pattern: RegExp) => void;
}

export const test = base.extend<Watched, object>({
  browser: [({ browser }, use) => use(watched(browser)), { scope: 'worker' }],
  mayComplain: [
    // Playwright wants to see which fixtures this one takes.
    // biome-ignore lint/correctness/noEmptyPattern: none
    async ({}, use) => {
      const expected: RegExp[] = [];
      const judge = () => {
        const complaints = heard.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
        expect(complaints, 'what pages complained of').toEqual([]);
      };
      await use((pattern) => {
        judge();
        expected.push(pattern);
      });
      judge();
    },
    { auto: true },
  ],
});

export { expect };
