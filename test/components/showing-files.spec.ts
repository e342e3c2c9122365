import { choose, composer, film, picture } from './files.ts';
import { writing } from './message-actions.ts';
import { article, button } from './showing-files.ts';
import { answerDelayed, expect, test } from './support.ts';

// All messages of the scene are in the window.
test.use({ viewport: { width: 1280, height: 4600 } });

test('a picture has its place before it is there, with its description and its caption', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2', delay: 'files.open' });
  const place = page.locator('article [data-file-place]').first();
  await expect(place.locator('canvas')).toBeVisible();
  const size = () => place.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
  expect(await size()).toEqual([352, 235]);
  await answerDelayed(page);
  const picture = page.getByRole('img', { name: 'Two boats in the harbor of Lindau, in fog' });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  expect(await size()).toEqual([352, 235]);
});

test('a long caption is as wide as its picture, and the bubble has no empty strip beside it', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  const message = page
    .getByRole('article')
    .filter({ has: page.locator('[data-file-place]') })
    .first();
  const words = message.locator('[data-words]');
  await words.evaluate((box) => box.append('The harbor this morning, with all of its boats. '.repeat(9)));
  const [bubble, picture] = await Promise.all(
    [words.locator('..'), message.locator('[data-file-place]')].map((each) => each.boundingBox()),
  );
  // The rim of a picture is thin on both sides.
  expect((bubble?.width ?? 0) - (picture?.width ?? 0)).toBeLessThan(24);
});

test('the caption of own files is written and changed like a text, and the files stay', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '1' });
  const message = page.getByRole('article').filter({ hasText: 'plan.txt' });
  await message.focus();
  await page.keyboard.press('e');
  await expect(writing(page).getByText('Edit message')).toBeVisible();
  await composer(page).fill('x'.repeat(4_097));
  await expect(button(page, 'Send')).toBeDisabled();
  await composer(page).fill('The new plan');
  await page.keyboard.press('Enter');
  await expect(message).toContainText('The new plan');
  await expect(message).toContainText('plan.txt');
  await expect(message).toContainText('Edited');
  await expect(composer(page)).toHaveValue('');
});

test('a caption is removed by an edit to no text', async ({ page, openScene }) => {
  await openScene('files', { open: '1' });
  const message = page.getByRole('article').filter({ hasText: 'plan.txt' });
  await message.focus();
  await page.keyboard.press('e');
  await composer(page).fill('The wrong plan');
  await page.keyboard.press('Enter');
  await expect(message).toContainText('The wrong plan');
  await message.focus();
  await page.keyboard.press('e');
  await composer(page).fill('  ');
  await page.keyboard.press('Enter');
  await expect(message).not.toContainText('The wrong plan');
  await expect(message).toContainText('plan.txt');
  await message.getByRole('button', { name: 'Edited. Show earlier versions' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('No caption');
  await expect(page.getByRole('dialog')).toContainText('The wrong plan');
});

test('C11: a message request shows neither pictures nor downloads', async ({ page, openScene }) => {
  await openScene('files', { open: '3' });
  const message = page.getByRole('article');
  await expect(message).toContainText('2 files · Look at these');
  await expect(message).toContainText('Accept the message request to see files.');
  await expect(message.locator('img, canvas, a, [data-picture]')).toHaveCount(0);
  await expect(message.getByRole('button', { name: /Download|Save/ })).toHaveCount(0);
});

test('a sent film has its size and a first picture, and plays at a press only', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await choose(page, await film(page, 'film.webm'));
  await composer(page).press('Enter');
  const shown = page.getByLabel('film.webm', { exact: true });
  await expect(shown).toHaveAttribute('poster', /^blob:/);
  await expect.poll(() => shown.evaluate((each: HTMLVideoElement) => each.videoWidth)).toBe(160);
  await expect(shown).toHaveJSProperty('paused', true);
  await expect(shown).toHaveJSProperty('controls', false);
  await button(page, 'Play film.webm').click();
  await expect(shown).toHaveJSProperty('controls', true);
  await expect(shown).toBeFocused();
  await expect.poll(() => shown.evaluate((each: HTMLVideoElement) => each.played.length)).toBe(1);
});

test('a large picture is shown as a smaller copy with its transparency, and whole in the viewer', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const { buffer, ...rest } = await picture(page, 'large.png', 'image/png', [2_000, 1_500]);
  const clear = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0, 1_000, 1_500, 0, 0, 1_000, 1_500);
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    },
    [...buffer],
  );
  await choose(page, { ...rest, buffer: Buffer.from(clear) });
  await composer(page).press('Enter');
  const shown = page.locator('article').last().getByRole('img', { name: 'Photo: large.png' });
  const widthOf = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => shown.evaluate(widthOf)).toBe(1_024);
  const alphas = await shown.evaluate((image: HTMLImageElement) => {
    const context = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
    context?.drawImage(image, 0, 0);
    return [100, 900].map((x) => context?.getImageData(x, 300, 1, 1).data[3]);
  });
  expect(alphas).toEqual([255, 0]);
  await shown.click();
  const whole = page.getByRole('dialog').getByRole('img', { name: 'Photo: large.png' });
  await expect.poll(() => whole.evaluate(widthOf)).toBe(2_000);
});

test('a picture that the server has deleted has a short sentence in a small place', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '1' });
  const place = page
    .locator('article [data-file-place]')
    .filter({ hasText: 'No longer on the server' })
    .first();
  const short = place.getByText('Expired', { exact: true });
  await expect(place.getByText('No longer on the server')).toBeVisible();
  await expect(short).toBeHidden();
  // The narrowest place of an album.
  await place.evaluate((box) => {
    box.style.width = '5.5rem';
  });
  await expect(short).toBeVisible();
  const isWhole = await short.evaluate(
    ({ parentElement: pill }) => pill && pill.scrollWidth <= pill.clientWidth,
  );
  expect(isWhole).toBe(true);
});

test('a message with a file that is gone is not offered for forwarding, alone or among others', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '1' });
  const menuOf = async (file: string) => {
    await article(page, file).press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeVisible();
  };
  const forward = page.getByRole('menuitem', { name: 'Forward' });
  await menuOf('old.zip');
  await expect(forward).toHaveCount(0);
  await page.keyboard.press('Escape');
  await menuOf('plan.txt');
  await expect(forward).toBeVisible();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(button(page, 'Forward')).toBeEnabled();
  await menuOf('old.zip');
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(button(page, 'Forward')).toBeDisabled();
});

for (const name of ['away.png', 'list.csv']) {
  test(`the focus stays at ${name} while it is downloaded and after a cancel, and a double click counts once`, async ({
    page,
    openScene,
  }) => {
    await openScene('files', { delay: 'files.arrival' });
    await button(page, `Download ${name}`).focus();
    for (const shown of ['Cancel', 'Download', 'Cancel']) {
      await page.keyboard.press('Enter');
      await expect(button(page, `${shown} ${name}`)).toBeFocused();
    }
    await page.keyboard.press('Enter');
    // The second click of two comes later than the answer to the first.
    await button(page, `Download ${name}`).click();
    await expect(button(page, `Cancel ${name}`)).toBeFocused();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(button(page, `Cancel ${name}`)).toBeFocused();
    await answerDelayed(page);
    // A picture has no button of this kind afterwards.
    const message = page.getByRole('article').filter({ has: page.getByAltText(`Photo: ${name}`) });
    await expect(button(page, `Save ${name}`).or(message)).toBeFocused();
  });
}

test('a file with a short name is in a narrow row, and rows of one message have one width', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  const widthsIn = (name: string) =>
    page
      .getByRole('article')
      .filter({ hasText: name })
      .locator('[data-file-place]')
      .evaluateAll((places) => places.map(({ clientWidth }) => clientWidth));
  await expect(page.getByText('plan.txt').last()).toBeVisible();
  expect(await widthsIn('plan.txt')).toEqual([240]);
  expect(await widthsIn('list.csv')).toEqual(Array(5).fill(320));
});
