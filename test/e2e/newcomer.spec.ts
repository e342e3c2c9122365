import { expect, test } from '@playwright/test';
import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible } from './support/accessible.ts';
import { complaintsOf, firstRun, messageTexts, sayHello, send } from './support/pages.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('a newcomer has a sealed answer within a minute, and finds it again', async ({ page }) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  const complaints = complaintsOf(page);
  await page.goto(await app.url());
  await expect(page.getByRole('heading', { name: 'Welcome to Waxwing' })).toBeVisible();
  await expectAccessible(page);
  await firstRun(page, 'newcomer');
  await expectAccessible(page);

  await sayHello(page, 'Is anybody there?');
  await expect(page.getByRole('button', { name: 'Signed', exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await page.getByRole('button', { name: /Echo/ }).click();
  await expect.poll(async () => (await messageTexts(page)).length).toBe(2);
  expect(complaints).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 800, 1440]) {
    test(`the conversation is whole and accessible at ${width} pixels, ${colorScheme}`, async ({
      browser,
    }) => {
      using folder = temporaryFolder();
      await using app = new WaxwingProcess(['serve', '--data', folder.path]);
      const context = await browser.newContext({ viewport: { width, height: 780 }, colorScheme });
      const page = await context.newPage();
      await page.goto(await app.url());
      await firstRun(page, 'somebody');
      await page
        .getByRole('button', { name: /Say hello to @echo/ })
        .first()
        .click();
      await send(page, `A long word: ${'sealed'.repeat(40)}`);
      await expect(page.getByRole('article', { name: /Message from Echo/ })).toBeVisible();
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await context.close();
    });
  }
}
