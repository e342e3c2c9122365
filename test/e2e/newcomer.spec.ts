import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible } from './support/accessible.ts';
import { firstRun, greetEcho, messageTexts } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('a new account gets a sealed answer within a minute, and finds it after a restart', async ({ page }) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  await page.goto(await app.url());
  await expect(page.getByRole('heading', { name: 'Welcome to Waxwing' })).toBeVisible();
  await firstRun(page, 'newcomer');

  await greetEcho(page, 'Is anybody there?');
  await expect(page.locator('article[data-trust=verified]')).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await page.getByRole('option', { name: /Echo/ }).click();
  await expect.poll(async () => (await messageTexts(page)).length).toBe(2);
});
