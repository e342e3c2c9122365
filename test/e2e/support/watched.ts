/**
 * Playwright's `test` for all pages of tests: an uncaught error of a page, a violation of its content security policy, or
 * any other error in its console fails the test in which it happens. A test that provokes one names it with `mayComplain`.
 */
import { type BrowserContext, test as base, type ConsoleMessage, expect } from '@playwright/test';

/** What pages of this worker complained of since a test asked last. */
const heard: string[] = [];

/** Listens to all pages of a context, also to those that it opens later. `test` does so with each that it makes itself. */
export function watch(context: BrowserContext): void {
  context.on('weberror', (event) => heard.push(event.error().stack ?? String(event.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') heard.push(textOf(message));
  });
}

/** Chromium names what it could not load by its address alone. */
const textOf = (message: ConsoleMessage) => `${message.text()} (${message.location().url})`;

interface Watched {
  /** Accepts complaints that match, in this test alone. */
  mayComplain: (pattern: RegExp) => void;
}

export const test = base.extend<Watched, object>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        watch(context);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  mayComplain: [
    // Playwright wants to see which fixtures this one takes.
    // biome-ignore lint/correctness/noEmptyPattern: none
    async ({}, use) => {
      const expected: RegExp[] = [];
      await use((pattern) => void expected.push(pattern));
      const complaints = heard.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(complaints, 'what pages complained of').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
