/** Adding files to a message: by the picker, by dropping and by pasting, and the tray that shows them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { lockAndUnlock, NOT_SENT, unlock } from './adding-files.ts';
import {
  choose,
  composer,
  dropOn,
  noisePicture,
  picture,
  type TestFile,
  text,
  tray,
  withExif,
  writtenFiles,
} from './files.ts';
import { answerDelayed, delay, expect, refuse, test, untilDelayed } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeFocused();
});

test('files of the tray are moved by keys and by dragging, and are sent in that order', async ({ page }) => {
  await choose(page, text('one.txt'), text('two.pdf'), text('three.zip'));
  const rows = tray(page).getByRole('listitem');
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle('one.txt').press('ArrowDown');
  await expect(rows).toContainText(['two.pdf', 'one.txt', 'three.zip']);
  await expect(handle('one.txt')).toBeFocused();
  await expect(rows.nth(1)).toContainText('Place 2 of 3');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await expect(rows).toContainText(['two.pdf', 'three.zip', 'one.txt']);
  await handle('one.txt').hover();
  await page.mouse.down();
  const first = await rows.first().boundingBox();
  await page.mouse.move((first?.x ?? 0) + 20, (first?.y ?? 0) + 4, { steps: 5 });
  await page.mouse.up();
  await expect(rows).toContainText(['one.txt', 'two.pdf', 'three.zip']);
  // After the release of its button, the pointer moves no file.
  const last = await rows.last().boundingBox();
  await page.mouse.move((last?.x ?? 0) + 20, (last?.y ?? 0) + 20);
  await expect(rows).toContainText(['one.txt', 'two.pdf', 'three.zip']);
  await handle('three.zip').press('Home');
  await composer(page).press('Enter');
  const sent = page.locator('article').last();
  await expect(sent.locator('[data-file-place]')).toContainText(['three.zip', 'one.txt', 'two.pdf']);
});

test('a screenshot in the clipboard is added when pasted', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const png = await picture(page, 'image.png', 'image/png');
  await page.evaluate(
    async (bytes) => {
      const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    },
    [...png.buffer],
  );
  await composer(page).press('Control+v');
  await expect(tray(page).getByRole('listitem')).toHaveText([/image\.png/]);
  await expect(tray(page).locator('img')).toBeVisible();
});

test('files stay in their chat when it is left', async ({ page, openScene }) => {
  await openScene('actions', { open: '2' });
  await choose(page, text('stays.txt'));
  await page
    .getByRole('link', { name: /Weekend hikers/ })
    .or(page.getByText('Weekend hikers'))
    .first()
    .click();
  await expect(composer(page)).toHaveAccessibleName(/Weekend hikers/);
  await expect(tray(page)).toBeHidden();
  await page.getByText('Ben Okafor').first().click();
  await expect(tray(page).getByRole('listitem')).toHaveText([/stays\.txt/]);
});

test('a JPEG is sent upright and without its place; “Send as file” keeps all bytes', async ({ page }) => {
  const written = writtenFiles(page);
  const photo = withExif(await picture(page, 'photo.jpg', 'image/jpeg'));
  await choose(page, photo);
  await page.getByRole('button', { name: 'Add description: photo.jpg' }).click();
  await page.keyboard.type('Red and blue');
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  const sent = await written.read(0);
  expect(sent.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(sent.includes('GPS')).toBe(false);
  expect(sent.includes('Exif')).toBe(false);
  const size = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      return [bitmap.width, bitmap.height];
    },
    [...sent],
  );
  expect(size, 'turned as the camera says').toEqual([80, 120]);

  await choose(page, photo);
  await page.getByRole('checkbox', { name: 'Send as file: photo.jpg' }).check();
  await expect(page.getByText('Sent unchanged, with any place, date and camera in it.')).toBeVisible();
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  expect(await written.read(1)).toEqual(photo.buffer);
});

/** A picture that claims 108 megapixels in its header. */
function enlarged({ buffer, ...rest }: TestFile): TestFile {
  const frame = buffer.indexOf(Buffer.from('ffc00011', 'hex'));
  const copy = Buffer.from(buffer);
  copy.writeUInt16BE(9_000, frame + 5);
  copy.writeUInt16BE(12_000, frame + 7);
  return { ...rest, buffer: copy };
}

test('pictures that are not shown here are sent as files without their metadata, or unchanged', async ({
  page,
}) => {
  const written = writtenFiles(page);
  const huge = enlarged(withExif(await picture(page, 'huge.jpg', 'image/jpeg')));
  const buffer = await readFile(new URL('../support/photo.heic', import.meta.url));
  // Not each browser knows the type.
  const photo = { name: 'photo.heic', mimeType: '', buffer };
  const broken = { name: 'cut.heic', mimeType: '', buffer: buffer.subarray(0, 400) };
  const note = 'Sent as a file, without the place, date and camera in it.';
  const warning = 'Sent unchanged, with any place, date and camera in it.';
  await choose(page, huge, photo, broken);
  const row = tray(page).getByRole('listitem');
  await expect(row).toContainText([note, note, warning]);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  const sent = await Promise.all([0, 1, 2].map(written.read));
  expect(sent[0]?.includes('GPS')).toBe(false);
  expect(sent[0]?.length).toBeLessThan(huge.buffer.length);
  expect(sent[1]).toHaveLength(buffer.length);
  expect(sent[1]?.includes('Secret')).toBe(false);
  expect(sent[2]).toEqual(broken.buffer);

  await choose(page, photo);
  await page.getByRole('checkbox', { name: 'Keep place, date and camera: photo.heic' }).check();
  await expect(row).toContainText([warning]);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  expect(await written.read(3)).toEqual(buffer);
});

test('pictures and films whose end is missing lose place, date and camera', async ({ page }) => {
  const written = writtenFiles(page);
  const whole = withExif(await picture(page, 'cut.jpg', 'image/jpeg', [1_600, 1_200]));
  const photo = { ...whole, buffer: whole.buffer.subarray(0, -200) };
  const png = await picture(page, 'cut.png', 'image/png');
  const drawn = { ...png, buffer: png.buffer.subarray(0, 60) };
  const movie = await readFile(new URL('../support/films/index-at-front.mp4', import.meta.url));
  const film = { name: 'cut.mp4', mimeType: 'video/mp4', buffer: movie.subarray(0, -300) };
  await choose(page, photo, drawn, film);
  await expect(tray(page).getByRole('listitem')).toContainText([
    'Sent as a file, without the place, date and camera in it.',
    'Sent as a file, without the place, date and camera in it.',
    'Sent without the title, place, date and camera in it.',
  ]);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  const sent = await Promise.all([0, 1, 2].map(written.read));
  expect(photo.buffer.includes('GPS')).toBe(true);
  expect(sent[0]?.includes('GPS')).toBe(false);
  expect(sent[0]?.subarray(-1_000), 'the coded picture').toEqual(photo.buffer.subarray(-1_000));
  expect(sent[1]).toEqual(drawn.buffer);
  expect(movie.includes('Secret')).toBe(true);
  expect(sent[2]).toHaveLength(film.buffer.length);
  expect(sent[2]?.includes('Secret')).toBe(false);
});

test('films and music lose place, date and camera, unless they are kept or a part is unknown', async ({
  page,
}) => {
  const written = writtenFiles(page);
  const read = (name: string) => readFile(new URL(`../support/films/${name}`, import.meta.url));
  const movie = { name: 'phone.mov', mimeType: 'video/quicktime', buffer: await read('index-at-end.mov') };
  const web = { name: 'web.webm', mimeType: 'video/webm', buffer: await read('web.webm') };
  const song = { name: 'song.m4a', mimeType: 'audio/mp4', buffer: await read('song.m4a') };
  const cut = { name: 'cut.mp4', mimeType: 'video/mp4', buffer: movie.buffer.subarray(0, 4_000) };
  const note = 'Sent without the title, place, date and camera in it.';
  const warning = 'Sent unchanged, with any place, date and camera in it.';
  await choose(page, movie, web, cut, song);
  const row = tray(page).getByRole('listitem');
  await expect(row).toContainText([note, note, warning, 'Sent without the place and date in it.']);
  await expect(page.getByRole('checkbox', { name: /^Keep place/ })).toHaveCount(3);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  const sent = await Promise.all([0, 1, 2, 3].map(written.read));
  expect(sent[0]).toHaveLength(movie.buffer.length);
  expect(sent[0]?.includes('Secret')).toBe(false);
  expect(sent[1]).toHaveLength(web.buffer.length);
  expect(sent[1]?.includes('+48.8577')).toBe(false);
  expect(sent[2]).toEqual(cut.buffer);
  expect(sent[3]?.includes('Artist')).toBe(true);
  expect(sent[3]?.includes('Secret')).toBe(false);
  await expect(page.getByRole('button', { name: 'Play web.webm' })).toBeVisible();

  await choose(page, movie);
  await page.getByRole('checkbox', { name: 'Keep place, date and camera: phone.mov' }).check();
  await expect(row).toContainText([warning]);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  expect(await written.read(4)).toEqual(movie.buffer);
});

test('the bytes of a sent file are not read into the memory of the page', async ({ page }) => {
  const written = writtenFiles(page);
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    document.body.dataset.read = '0';
    Blob.prototype.arrayBuffer = function () {
      document.body.dataset.read = String(Number(document.body.dataset.read) + this.size);
      return arrayBuffer.call(this);
    };
  });
  const large = text('large.txt', 'x'.repeat(1_900_000));
  await choose(page, large);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  expect(await written.read(0)).toEqual(large.buffer);
  const read = await page.evaluate(() => Number(document.body.dataset.read));
  // The first megabyte is that of the recognition.
  expect(read).toBeLessThan(1_300_000);
});

test('canceled sending keeps files and text', async ({ page }) => {
  await choose(page, text('first.txt'));
  await composer(page).fill('Do not lose this');
  await delay(page, 'files.begin');
  await composer(page).press('Enter');
  await untilDelayed(page);
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  await answerDelayed(page);
  await expect(composer(page)).toHaveValue('Do not lose this');
  await expect(composer(page)).toBeFocused();
  await expect(tray(page).getByRole('listitem')).toHaveText([/first\.txt/]);
  await expect(page.locator('article')).toHaveCount(2);
});

test('a file that is too large, one that the disk has no room for, and a removed one keep their reason', async ({
  page,
  openScene,
  mayComplain,
}) => {
  mayComplain(/507 \(Insufficient Storage\)/);
  await openScene('files');
  const row = tray(page).getByRole('listitem');
  await choose(page, await noisePicture(page, 'large.png'));
  await composer(page).press('Enter');
  await expect(row).toContainText('This file is too large for this server. The limit is 2 MB.');
  await page.getByRole('button', { name: 'Remove large.png' }).click();

  await page.route('**/files/*?offset=*', (route) =>
    route.fulfill({ status: 507, json: { code: 'disk_full', parameters: {} } }),
  );
  await choose(page, text('small.txt'));
  await composer(page).press('Enter');
  await expect(row).toContainText('There isn’t enough room on this computer.');
  await page.getByRole('button', { name: 'Remove small.txt' }).click();

  const path = test.info().outputPath('moved.txt');
  writeFileSync(path, 'contents');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add files' }).click(),
  ]);
  await chooser.setFiles(path);
  await expect(row).toContainText('moved.txt');
  rmSync(path);
  await composer(page).press('Enter');
  await expect(row).toContainText('This file can no longer be read.');
});

test('a lock while files are prepared does not send them, and the chat reports it', async ({ page }) => {
  await choose(page, text('plan.txt'));
  await composer(page).fill('See the plan');
  const sent = await page.locator('article').count();
  await delay(page, 'files.begin');
  await composer(page).press('Enter');
  await expect(page.getByRole('progressbar', { name: 'Preparing files' })).toBeVisible();
  await untilDelayed(page);
  await lockAndUnlock(page);
  await answerDelayed(page);
  await expect(page.getByText(NOT_SENT)).toBeVisible();
  await expect(tray(page)).toBeHidden();
  await expect(composer(page)).toHaveValue('See the plan');
  await expect(page.locator('article')).toHaveCount(sent);
  await choose(page, text('plan.txt'));
  await expect(page.getByText(NOT_SENT)).toBeHidden();
  await composer(page).press('Enter');
  await expect(page.locator('article').last()).toContainText('plan.txt');
});

test('a lock while a picture is recognized leaves a chat that sends', async ({ page }) => {
  const png = await picture(page, 'plan.png', 'image/png');
  await page.evaluate(() => {
    const answer = Promise.withResolvers<void>();
    const { createImageBitmap: make } = window;
    Object.assign(window, {
      recognizePicture: answer.resolve,
      createImageBitmap: async (...given: Parameters<typeof make>) => {
        await answer.promise;
        return make(...given);
      },
    });
  });
  await choose(page, png);
  await composer(page).fill('See the plan');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
  await lockAndUnlock(page);
  await page.evaluate(() => (window as unknown as { recognizePicture: () => void }).recognizePicture());
  await expect(page.getByText(NOT_SENT)).toBeVisible();
  await expect(composer(page)).toHaveValue('See the plan');
  await choose(page, text('plan.txt'));
  await composer(page).press('Enter');
  await expect(page.locator('article').last()).toContainText('plan.txt');
});

test('without an open chat, a dropped file gets an answer', async ({ page, openScene }) => {
  await openScene('one', { open: '' });
  await dropOn(page.locator('body'), [text('dropped.txt')]);
  await expect(page.getByText('Open a chat first, then add your files.')).toBeVisible();
});

test('a failed call keeps files and text, with the reason', async ({ page }) => {
  await choose(page, text('first.txt'), text('second.txt', 'x'.repeat(3000)));
  await composer(page).fill('Do not lose this');
  await delay(page, 'files.begin');
  await composer(page).press('Enter');
  await expect(page.getByRole('progressbar', { name: 'Preparing files' })).toBeVisible();
  await refuse(page);
  await expect(tray(page).getByRole('listitem').first()).toContainText('The connection to Waxwing was lost.');
  await expect(composer(page)).toHaveValue('Do not lose this');
  await composer(page).press('Enter');
  await expect(page.locator('article').last().locator('[data-file-place]')).toContainText([
    'first.txt',
    'second.txt',
  ]);
});

test('a dropped folder shows an error, and the file beside it is added', async ({ page }) => {
  const folder = test.info().outputPath('folder');
  const file = test.info().outputPath('beside.txt');
  mkdirSync(folder);
  writeFileSync(file, 'contents');
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder, file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
  }
  await expect(tray(page).getByRole('listitem')).toHaveText([/beside\.txt/]);
  await expect(page.getByText('Folders can’t be sent.')).toBeVisible();
});

test('a lock during the last step asks to look whether the message is in the chat', async ({ page }) => {
  await choose(page, text('plan.txt'));
  await delay(page, 'messages.sendFiles');
  await composer(page).press('Enter');
  const progress = page.getByRole('progressbar', { name: 'Preparing files' });
  await expect(progress).toHaveAttribute('value', '100');
  await untilDelayed(page);
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await refuse(page);
  await unlock(page);
  await expect(page.getByText('If it isn’t in the chat, send it again.')).toBeVisible();
});

test('closing the page while files are prepared asks first', async ({ page }) => {
  await choose(page, text('plan.txt'));
  await delay(page, 'files.begin');
  await composer(page).press('Enter');
  await expect(page.getByRole('progressbar', { name: 'Preparing files' })).toBeVisible();
  await untilDelayed(page);
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await answerDelayed(page);
  await expect(page.locator('article').last()).toContainText('plan.txt');
});
