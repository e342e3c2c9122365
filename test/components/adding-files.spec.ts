/** Adding files to a message: by the picker, by dropping and by pasting, and the tray that shows them. */
import { lockAndUnlock, NOT_SENT } from './adding-files.ts';
import { choose, composer, dropOn, film, noisePicture, picture, text, tray, writtenFiles } from './files.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeFocused();
});

test('chosen files are sent in their order, with the text as caption', async ({ page }) => {
  const written = writtenFiles(page);
  await choose(page, text('one.txt'), text('two.pdf', 'x'.repeat(1_500_000)));
  await expect(tray(page).getByRole('listitem')).toHaveCount(2);
  await choose(page, text('three.zip'));
  await expect(tray(page).getByRole('listitem').last()).toContainText('three.zip');
  await composer(page).fill('Three *files*');
  await composer(page).press('Enter');
  const sent = page.locator('article').last();
  await expect(sent.locator('em')).toHaveText('files');
  await expect(sent.locator('[data-file-place]')).toContainText(['one.txt', 'two.pdf', 'three.zip']);
  await expect(tray(page)).toBeHidden();
  await expect(composer(page)).toHaveValue('');
  expect(written.paths).toHaveLength(3);
  expect(await written.read(1)).toEqual(Buffer.from('x'.repeat(1_500_000)));
});

test('a picture is not marked as sent unchanged before it is recognized', async ({ page }) => {
  const photo = await picture(page, 'photo.jpg', 'image/jpeg', [1200, 800]);
  await page.evaluate(() => {
    const marks: string[] = [];
    Object.assign(globalThis, { marks });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const { textContent } of addedNodes)
          if (textContent?.includes('Sent unchanged')) marks.push(textContent);
    }).observe(document.body, { childList: true, subtree: true });
  });
  const marks = () => page.evaluate(() => (globalThis as unknown as { marks: string[] }).marks);
  await choose(page, photo, { ...photo, name: 'second.jpg' });
  await expect(tray(page).locator('img')).toHaveCount(2);
  expect(await marks()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Send as file: second.jpg' }).check();
  await expect.poll(marks).toHaveLength(1);
});

test('a removed file is not sent, and the focus returns to the text', async ({ page }) => {
  await choose(page, text('stays.txt'), text('goes.txt'));
  await page.getByRole('button', { name: 'Remove goes.txt' }).click();
  await expect(composer(page)).toBeFocused();
  await composer(page).press('Enter');
  await expect(page.locator('article').last().locator('[data-file-place]')).toHaveText([/stays\.txt/]);
});

test('files dropped anywhere on the window are added, after an overlay names the chat', async ({ page }) => {
  await dropOn(page.getByRole('navigation').first(), [text('held.txt')], false);
  await expect(page.getByText('Drop files to add them to your message to Echo')).toBeVisible();
  await dropOn(page.getByRole('navigation').first(), [text('dropped.txt')]);
  await expect(tray(page).getByRole('listitem')).toHaveText([/dropped\.txt/]);
  await expect(page.getByText('Drop files to add them')).toBeHidden();
});

test('more than ten files, and an empty one, get a sentence each', async ({ page }) => {
  const many = Array.from({ length: 11 }, (_, index) => text(`${index}.txt`));
  await choose(page, ...many, text('empty.txt', ''));
  await expect(tray(page).getByRole('listitem')).toHaveCount(10);
  await expect(
    page.getByText(
      'You can send 10 files in one message. 1 file was not added. Send it in the next message.',
    ),
  ).toBeVisible();
  await expect(page.getByText('“empty.txt” is empty.')).toBeVisible();
});

test('a file above the limit of the server is refused when it is added, with the limit', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  const sentence = (name: string) =>
    page.getByText(`“${name}” is too large for this server. The limit is 2 MB.`);
  const large = (name: string) => text(name, 'x'.repeat(2_100_000));
  await choose(page, large('chosen.txt'), text('small.txt'));
  await expect(sentence('chosen.txt')).toBeVisible();
  await expect(tray(page).getByRole('listitem')).toHaveText([/small\.txt/]);
  await dropOn(page.locator('body'), [large('dropped.txt')]);
  await expect(sentence('dropped.txt')).toBeVisible();
  await expect(tray(page).getByRole('listitem')).toHaveText([/small\.txt/]);
});

test('a picture above the limit is added, and marked while it is to be sent unchanged', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await choose(page, await noisePicture(page, 'noise.png'));
  const row = tray(page).getByRole('listitem');
  const sentence = '“noise.png” is too large for this server. The limit is 2 MB.';
  const asFile = page.getByRole('checkbox', { name: 'Send as file: noise.png' });
  await expect(asFile).toBeVisible();
  await expect(row).not.toContainText(sentence);
  await asFile.check();
  await expect(row).toContainText(sentence);
  await asFile.uncheck();
  await expect(row).not.toContainText(sentence);
});

test('files above the limit are counted when several drops are read at once', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  const reads = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await promise;
      return read.call(this);
    };
    return { start: resolve };
  });
  for (const name of ['one', 'two'])
    await dropOn(
      page.locator('body'),
      Array.from({ length: 6 }, (_, index) => text(`${name} ${index}.txt`)),
    );
  await reads.evaluate(({ start }) => start());
  await expect(tray(page).getByRole('listitem')).toHaveCount(10);
  await expect(page.getByText('2 files were not added.')).toBeVisible();
});

test('Cancel ends the preparation of a film whose decoder never ends, and after a time it is sent', async ({
  page,
}) => {
  const endless = await film(page, 'endless.webm');
  await page.evaluate(() => {
    Object.defineProperty(HTMLMediaElement.prototype, 'src', { set: () => undefined });
  });
  await choose(page, endless);
  await composer(page).fill('A film');
  const cancel = page.getByRole('button', { name: 'Cancel sending' });
  await composer(page).press('Enter');
  await cancel.click();
  await expect(cancel).toBeHidden();
  await expect(composer(page)).toHaveValue('A film');
  await composer(page).press('Enter');
  await expect(cancel).toBeVisible();
  await page.clock.fastForward('00:30');
  await expect(page.locator('article').last()).toContainText('A film');
  await expect(tray(page)).toBeHidden();
});

test('Cancel ends the preparation of a picture whose decoder never ends', async ({ page }) => {
  const photo = await picture(page, 'photo.png', 'image/png');
  await page.evaluate(() => {
    globalThis.createImageBitmap = () => new Promise(() => undefined);
  });
  await choose(page, photo);
  await composer(page).press('Enter');
  const cancel = page.getByRole('button', { name: 'Cancel sending' });
  await cancel.click();
  await expect(cancel).toBeHidden();
  // Without a preview it is sent as a file.
  await page.clock.fastForward('00:30');
  await expect(tray(page)).toContainText('Sent as a file');
});

test('a broken picture is not sent as one, and a picture of 100 megapixels is sent as a file', async ({
  page,
}) => {
  const written = writtenFiles(page);
  const png = await picture(page, 'broken.png', 'image/png');
  const huge = Buffer.from(png.buffer);
  huge.writeUInt32BE(10_000, 16);
  huge.writeUInt32BE(10_000, 20);
  await choose(
    page,
    { ...png, buffer: png.buffer.subarray(0, 60) },
    { ...png, name: 'huge.png', buffer: huge },
  );
  await expect(tray(page).getByRole('listitem')).toContainText(Array(2).fill('Sent as a file, without'));
  await expect(tray(page).locator('img')).toHaveCount(0);
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  expect(await written.read(1)).toEqual(huge);
});

test('a lock forgets files that were not sent, and keeps the text', async ({ page }) => {
  await choose(page, text('secret plan.txt'));
  await composer(page).fill('See the plan');
  await lockAndUnlock(page);
  await expect(composer(page)).toHaveValue('See the plan');
  await expect(tray(page)).toBeHidden();
  await expect(page.getByText(NOT_SENT)).toBeVisible();
  await composer(page).press('Enter');
  await expect(page.locator('article').last()).toContainText('See the plan');
  await expect(page.getByText(NOT_SENT)).toBeHidden();
});

test('the type of a file with a long Hebrew name is complete and at its end', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await choose(page, text(`שלום ${'long '.repeat(20)}.pdf.exe`));
  const end = tray(page).getByText('.exe', { exact: true });
  await expect(end).toHaveCSS('direction', 'ltr');
  const [right, start] = await Promise.all([end.boundingBox(), tray(page).getByText(/^שלום/).boundingBox()]);
  expect(right?.x).toBeGreaterThanOrEqual((start?.x ?? 0) + (start?.width ?? Number.POSITIVE_INFINITY));
});

test('the type of a file with a long name is visible before and after it is sent', async ({ page }) => {
  const name = `Minutes of the ${'long '.repeat(20)}meeting.pdf.exe`;
  await page.setViewportSize({ width: 390, height: 800 });
  await choose(page, text(name));
  const end = tray(page).getByText('.exe', { exact: true });
  await expect(end).toBeInViewport({ ratio: 1 });
  const [right, row] = await Promise.all([end.boundingBox(), tray(page).boundingBox()]);
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThan((row?.x ?? 0) + (row?.width ?? 0));
  await composer(page).press('Enter');
  await expect(
    page
      .locator('article')
      .last()
      .getByText(/^EXE · /),
  ).toBeVisible();
});
