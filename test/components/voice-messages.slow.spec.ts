/** Voice messages, played in a row. */
import { expect, test } from './support.ts';

// All messages of the scene are in the window.
test.use({ viewport: { width: 1280, height: 4600 } });

test('voice messages play one after the other, at the chosen speed', async ({ page, openScene }) => {
  await openScene('files');
  const voices = page.getByRole('article', { name: /Voice message/ });
  const first = voices.first();
  const second = voices.last();
  await first.getByRole('button', { name: 'Speed 1 times' }).click();
  await first.getByRole('button', { name: 'Speed 1.5 times' }).click();
  await expect(first.getByRole('button', { name: 'Speed 2 times' })).toBeVisible();
  await first.getByRole('button', { name: 'Play voice message' }).click();
  await expect(first.getByRole('button', { name: 'Pause voice message' })).toBeVisible();
  const place = first.getByRole('slider', { name: 'Place in the voice message' });
  await place.focus();
  await page.keyboard.press('End');
  await expect(second.getByRole('button', { name: 'Pause voice message' })).toBeVisible();
  await expect(first.getByRole('button', { name: 'Play voice message' })).toBeVisible();
  expect(await second.locator('audio').evaluate((each: HTMLAudioElement) => each.playbackRate)).toBe(2);
});
