/**
 * Pictures and files through the real engine, under the app's own policy.
 */
import { readFileSync } from 'node:fs';
import { choose, composer, picture, text, withExif } from '../components/files.ts';
import { temporaryFolder } from '../support/engine.ts';
import { firstRun, greetEcho } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('pictures and a file are sent, shown, viewed and saved, without the place in them', async ({ page }) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  await page.goto(await app.url());
  await firstRun(page, 'ann');
  await greetEcho(page, 'Hello');
  const photo = withExif(await picture(page, 'photo.jpg', 'image/jpeg', [1200, 800]));
  const drawing = await picture(page, 'drawing.png', 'image/png', [400, 400]);
  await choose(page, photo, drawing, text('plan.txt', 'x'.repeat(3_000_000)));
  await composer(page).fill('Two *pictures* and a file');
  await composer(page).press('Enter');
  const sent = page.getByRole('article', { name: /^Your message, 3 files/ });
  await expect(sent.locator('[data-picture] img')).toHaveCount(2);
  await expect(sent).toHaveAttribute('data-state', 'sent');
  await expect(page.getByRole('article').last(), 'the answer of @echo').toContainText(
    'Two pictures and a file',
  );

  await sent.getByRole('button', { name: 'Photo: photo.jpg' }).click();
  const shown = page.getByRole('dialog').getByRole('img', { name: 'Photo: photo.jpg' });
  await expect.poll(() => shown.evaluate((each: HTMLImageElement) => each.naturalHeight)).toBe(1200);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('photo.jpg');
  const saved = readFileSync(await download.path());
  expect(saved.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(saved.includes('GPS')).toBe(false);
  await page.keyboard.press('Escape');
  await expect(sent.getByRole('button', { name: 'Photo: photo.jpg' })).toBeFocused();

  await page.reload();
  await expect(page.getByRole('img', { name: 'Photo: drawing.png' })).toBeVisible();
  // The app ends with the test: nothing may still be loading from it.
  const drawn = page.locator('[data-picture] img');
  await expect(drawn).toHaveCount(2);
  await expect
    .poll(() => drawn.evaluateAll((all) => all.every((each) => (each as HTMLImageElement).complete)))
    .toBe(true);
  await page.goto('about:blank');
});
