import { settled } from '../e2e/support/accessible.ts';
import { link, question, sendLink } from './links.ts';
import { expect, test } from './support.ts';

test('a link cannot be dragged as an address, and its text can be selected', async ({ page, openScene }) => {
  await openScene('actions');
  await sendLink(page);
  await settled(page);
  const box = await link(page).boundingBox();
  if (!box) throw new Error('The link has no place.');
  await page.evaluate(() =>
    addEventListener('dragstart', () => document.body.setAttribute('data-dragged', '')),
  );
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString() ?? '')).toContain('example.org');
  await expect(page.locator('body[data-dragged]')).toHaveCount(0);
  await expect(question(page)).toHaveCount(0);
});
