/**
 * A page with an error fails its test: each of these must fail, although it has no assertion about the page.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';

const complaints: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a violation of the policy that the page catches': (page) =>
    page.evaluate(async () => {
      // The debugger's own call, which ends here, may evaluate texts.
      await new Promise((resolve) => setTimeout(resolve));
      try {
        new DOMParser().parseFromString('<b>bold</b>', 'text/html');
      } catch {}
    }),
  'an uncaught error': (page) =>
    page.evaluate(() => {
      queueMicrotask(() => {
        throw new Error('planted');
      });
    }),
  'an error in the console': (page) => page.evaluate(() => console.error('planted')),
};

for (const [what, complain] of Object.entries(complaints)) {
  test(`${what} fails a test`, async ({ page, openScene }) => {
    test.fail();
    await openScene('one');
    await complain(page);
  });

  test(`${what} passes a test that allows it`, async ({ page, openScene, mayComplain }) => {
    await openScene('one');
    mayComplain(/planted|TrustedHTML/);
    await complain(page);
    await expect(page.getByRole('heading', { name: 'Waxwing' })).toBeAttached();
  });
}

test('a complaint just before its page closes fails the test', async ({ page, openScene }) => {
  test.fail();
  await openScene('one');
  const printed = page.evaluate(() => console.error('planted')).catch(() => undefined);
  await Promise.all([printed, page.close()]);
});

test.describe('a second page left open by a test', () => {
  test.describe.configure({ mode: 'serial' });
  let left: Page;

  test('reports its complaints to this test', async ({ browser, openScene, page }) => {
    test.fail();
    await openScene('one');
    left = await (await browser.newContext()).newPage();
    await left.goto(page.url());
    void left.evaluate(() => console.error('planted')).catch(() => undefined);
  });

  test('is closed before the next test', () => {
    expect(left.isClosed()).toBe(true);
  });
});
