/**
 * A page that complains fails its test: each of these has to fail, though it expects nothing of the page itself.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './support.ts';

const complaints: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a violation of the policy that the page catches': (page) =>
    page.evaluate(async () => {
      // The call of the debugger itself, which ends here, may make documents of texts.
      await new Promise((resolve) => setTimeout(resolve));
      try {
        new DOMParser().parseFromString('<b>bold</b>', 'text/html');
      } catch {}
    }),
  'an uncaught error': async (page) => {
    // The fixed clock replaces timers. The error arrives on a way of its own, maybe after the answer to the call.
    const arrived = page.context().waitForEvent('weberror');
    await page.evaluate(() => {
      queueMicrotask(() => {
        throw new Error('planted');
      });
    });
    await arrived;
  },
  'an error in the console': (page) => page.evaluate(() => console.error('planted')),
};

for (const [what, complain] of Object.entries(complaints)) {
  test(`${what} fails a test`, async ({ page, openScene }) => {
    test.fail();
    await openScene('one');
    await complain(page);
  });

  test(`${what} fails no test that allows it`, async ({ page, openScene, mayComplain }) => {
    await openScene('one');
    mayComplain(/planted|TrustedHTML/);
    await complain(page);
    await expect(page.getByRole('heading', { name: 'Waxwing' })).toBeAttached();
  });
}
