/**
 * A window of 1,280 by 1,024 pixels at 400 % zoom, which leaves 320 by 256 (WCAG 1.4.10): every screen scrolls one way
 * only, and its purpose can be reached and used. A press here scrolls to its target, and fails where that is covered
 * or cut off.
 */
import { test } from './support.ts';
import { expectNewest, expectSends, newest, WIDTH } from './zoom.ts';

test.use({ viewport: { width: WIDTH, height: 256 } });

test('a chat opens from the list, shows its newest message, and sends one', async ({ page, openScene }) => {
  await openScene('many');
  await page.getByRole('option', { name: /Ann Archer/ }).click();
  await expectNewest(page, 'Line 400');
  await newest(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: /^Jump to/ }).click();
  await expectNewest(page, 'Line 400');
  await expectSends(page, 'From a small window');
});
