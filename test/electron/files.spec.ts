/** Pictures and files in the real Electron: the bytes under app://, the places of the system, and the clipboard. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { choose, composer, film, picture, tray } from '../components/files.ts';
import { firstRun, greetEcho } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { answerSaving, proposedPaths } from './main-process.ts';
import { binary, isPackaged, NO_INSPECTOR, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');
test.skip(isPackaged, NO_INSPECTOR);

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('C5: a picture, a film and a large file are sent, shown, copied and saved', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  const { page, main } = app;
  await firstRun(page, 'desktop');
  await greetEcho(page, 'Hello');
  const photo = await picture(page, 'photo.jpg', 'image/jpeg', [1200, 800]);
  const clip = await film(page, 'film.webm');
  const buffer = randomBytes(12 * 1024 * 1024);
  await choose(page, photo, clip, { name: 'backup.bin', mimeType: 'application/octet-stream', buffer });
  await composer(page).fill('Three files');
  await composer(page).press('Enter');
  const sent = page.getByRole('article', { name: /^Your message, 3 files/ });
  await expect(sent).toHaveAttribute('data-state', 'sent');

  await test.step('the picture is drawn from the bytes at rest', async () => {
    const shown = sent.locator('[data-picture] img');
    await expect(shown).toHaveAttribute('src', /^\/files\//);
    expect(await shown.evaluate((each: HTMLImageElement) => each.src)).toMatch(/^app:\/\/waxwing\/files\//);
    await expect.poll(() => shown.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1200);
  });

  await test.step('the film is read by range, and plays at a press only', async () => {
    const video = sent.getByLabel('film.webm', { exact: true });
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.videoWidth)).toBe(160);
    await expect(video).toHaveJSProperty('paused', true);
    await expect(video).toHaveJSProperty('currentTime', 0);
    const part = await video.evaluate(async (each: HTMLVideoElement) => {
      const answer = await fetch(each.src, { headers: { range: 'bytes=4-11' } });
      return { status: answer.status, bytes: [...new Uint8Array(await answer.arrayBuffer())] };
    });
    expect(part).toEqual({ status: 206, bytes: [...clip.buffer.subarray(4, 12)] });
    await video.evaluate((each: HTMLVideoElement) => each.play());
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.ended)).toBe(true);
  });

  await test.step('the file is saved in a chosen place, byte by byte, and not where the person cancels', async () => {
    const save = sent.getByRole('button', { name: 'Save backup.bin' });
    await answerSaving(main, null);
    await save.click();
    await expect.poll(() => proposedPaths(main)).toEqual([expect.stringMatching(/[/\\]backup\.bin$/)]);
    const path = join(folder.path, 'saved.bin');
    await answerSaving(main, path);
    await save.click();
    await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size).toBe(buffer.length);
    expect(digestOf(readFileSync(path))).toBe(digestOf(buffer));
  });

  await test.step('the viewer copies the picture, which can be pasted', async () => {
    await sent.getByRole('button', { name: 'Photo: photo.jpg' }).click();
    await page.getByRole('button', { name: 'Copy picture' }).click();
    await expect(page.getByRole('dialog').getByText('Copied')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sent.getByRole('button', { name: 'Photo: photo.jpg' })).toBeFocused();
    await composer(page).press('ControlOrMeta+v');
    await expect(tray(page).getByRole('listitem')).toHaveCount(1);
  });
});
