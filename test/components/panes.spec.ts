/** The panes of the main window: the width of the list, and the panes for which there is room. */
import { widthOf } from './panes.ts';
import { expect, test } from './support.ts';

test('a window below 760 pixels has one pane, and below 1,180 the details cover the chat', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  const list = page.locator('main nav');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const details = page.getByRole('region', { name: 'Details' });
  await page.setViewportSize({ width: 1180, height: 800 });
  // The part of the window beside the list.
  const full = 1180 - 320;
  await expect.poll(() => widthOf(chat)).toBe(full);
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(details).toBeVisible();
  await expect.poll(() => widthOf(details)).toBe(320);
  await expect.poll(() => widthOf(chat)).toBe(full - 320);
  await page.setViewportSize({ width: 1179, height: 800 });
  await expect.poll(() => widthOf(chat)).toBe(full - 1);
  await expect(list).toBeVisible();
  await page.setViewportSize({ width: 760, height: 800 });
  await expect(list).toBeVisible();
  await page.setViewportSize({ width: 759, height: 800 });
  await expect(list).toBeHidden();
  await expect(chat).toBeHidden();
  await expect.poll(() => widthOf(details)).toBe(759);
  await page.keyboard.press('Escape');
  await expect(chat).toBeVisible();
  await expect(page.getByRole('separator')).toBeHidden();
});
