import { choose, composer, film, text, tray } from './files.ts';
import { article, button } from './showing-files.ts';
import { answerDelayed, expect, test } from './support.ts';
import { viewer } from './viewer.ts';

// All messages of the scene are in the window.
test.use({ viewport: { width: 1280, height: 4600 } });

test('a remote picture is downloaded when asked, with progress, and can be canceled', async ({
  page,
  openScene,
}) => {
  await openScene('files', { delay: 'files.arrival' });
  await button(page, 'Download away.png').click();
  const progress = page.getByRole('progressbar', { name: 'Downloading away.png' });
  await expect(progress).toHaveAttribute('value', '50');
  await expect(page.getByText('10 MB of 20 MB')).toBeVisible();
  await button(page, 'Cancel away.png').click();
  await expect(progress).toBeHidden();
  await button(page, 'Download away.png').click();
  await answerDelayed(page);
  await expect(page.getByRole('img', { name: 'Photo: away.png' })).toBeVisible();
});

test('a sending picture is stopped, and can be sent again', async ({ page, openScene }) => {
  await openScene('files');
  await button(page, 'Cancel leaving.png').click();
  const own = page
    .getByRole('article', { name: /^Your message/ })
    .filter({ has: page.getByAltText('Photo: leaving.png') });
  await expect(own.getByText('You stopped sending this.')).toBeVisible();
  await own.getByRole('button', { name: 'Retry' }).click();
  await expect(own.getByRole('button', { name: 'Retry' })).toBeHidden();
});

test('a file is saved under its name; a lost one is reported', async ({ page, openScene }) => {
  await openScene('files');
  const name = /^Save Minutes of the meeting/;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Minutes of the meeting.*\.pdf$/);
  const files = article(page, 'Thursday');
  await expect(files).toContainText('3.4 kB, no longer on the server');
  await expect(files).toContainText('available until Mar 6');
  await expect(files).toContainText('This is not the file that was sent.');
});

test('each film of a message is saved under its name', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await choose(page, await film(page, 'first.webm'), await film(page, 'second.webm'));
  await composer(page).press('Enter');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save second.webm').click(),
  ]);
  expect(download.suggestedFilename()).toBe('second.webm');
  await expect(button(page, 'Save first.webm')).toBeVisible();
  await expect(page.getByLabel('first.webm', { exact: true })).toHaveAttribute('controlslist', 'nodownload');
});

test('a picture of an album that cannot be decoded has its name, and is saved in the viewer', async ({
  page,
  openScene,
}) => {
  await page.route('**/mill.png', (route) => route.fulfill({ body: 'no picture', contentType: 'image/png' }));
  await openScene('files');
  const broken = article(page, 'Three of the walk').getByRole('button', { name: 'mill.png' });
  await expect(broken).toBeVisible();
  await broken.click();
  await expect(viewer(page).getByRole('button', { name: 'Save mill.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(broken).toBeFocused();
});

test('with reduced motion an animation does not play by itself', async ({ page, openScene }) => {
  await openScene('files');
  const animation = page.getByRole('img', { name: 'Photo: slow.gif' });
  const own = page.getByRole('article').filter({ has: animation });
  await expect(animation).toHaveJSProperty('tagName', 'CANVAS');
  await button(own, 'Play animation').click();
  await expect(animation).toHaveJSProperty('tagName', 'IMG');
  await button(own, 'Stop animation').click();
  await expect(animation).toHaveJSProperty('tagName', 'CANVAS');
});

test('an animation plays once by itself, then at a press', async ({ page, openScene }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openScene('files');
  const slow = page.getByRole('img', { name: 'Photo: slow.gif' });
  await expect(slow).toHaveJSProperty('tagName', 'IMG');
  await expect(button(page.getByRole('article').filter({ has: slow }), 'Stop animation')).toBeVisible();
  const short = page.getByRole('img', { name: 'Photo: wings.gif' });
  await expect(short).toHaveJSProperty('tagName', 'CANVAS');
  const own = page.getByRole('article').filter({ has: short });
  const played = await short.evaluateHandle((canvas) => {
    const seen: string[] = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof Element) seen.push(node.tagName);
    }).observe(canvas.parentElement as Element, { childList: true });
    return seen;
  });
  await expect(button(own, 'Play animation')).toBeVisible();
  await button(own, 'Play animation').click();
  await expect.poll(() => played.jsonValue()).toEqual(['IMG', 'CANVAS']);
  await expect(button(own, 'Play animation')).toBeVisible();
});

test('a sound is played where it is, and nothing plays by itself', async ({ page, openScene }) => {
  await openScene('files');
  const play = button(page, 'Play drum.wav');
  await expect(play).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pause/ })).toHaveCount(0);
  await play.click();
  await expect(button(page, 'Pause drum.wav')).toBeVisible();
  // It is two seconds long.
  await expect(play).toBeVisible();
});

test('replies and pins name the files', async ({ page, openScene }) => {
  await openScene('files');
  await expect(
    page.getByRole('button', { name: 'Show pinned message: Photo · The harbor this morning.' }),
  ).toBeVisible();
  const files = article(page, 'Thursday');
  await files.focus();
  await page.keyboard.press('r');
  await expect(page.getByText('5 files · For Thursday').first()).toBeVisible();
  await choose(page, text('answer.txt'));
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  const sent = page.getByRole('article').last();
  await expect(sent.getByRole('button', { name: 'Reply to Ann Archer. Show the message' })).toContainText(
    '5 files',
  );
});

test('an album of three has a large picture, and a panorama is shown whole', async ({ page, openScene }) => {
  await openScene('files');
  const three = page.getByRole('article', { name: /3 photos · Three of the walk/ });
  await expect(three.getByRole('listitem')).toHaveCount(3);
  const widths = await three
    .getByRole('listitem')
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().width)));
  expect(widths[0]).toBeGreaterThan(2 * (widths[1] ?? 0) - 4);
  expect(widths[1]).toBe(widths[2]);
  await expect(page.getByRole('img', { name: 'Photo: panorama.png' })).toHaveCSS('object-fit', 'contain');
  await expect(page.getByRole('img', { name: 'Photo: tower.png' })).toHaveCSS('object-fit', 'contain');
});

test('the desktop app opens a file after a question, and no program', async ({ page, openScene }) => {
  await openScene('desktop', { open: '1' });
  await choose(page, text('plan.txt'), text('setup.exe'));
  await composer(page).press('Enter');
  await button(page, 'Open setup.exe').click();
  const question = page.getByRole('alertdialog', { name: 'Open this file in another program?' });
  await expect(question).toContainText('setup.exe');
  await question.getByRole('button', { name: 'Open file' }).click();
  await expect(page.getByText('This file is a program.')).toBeVisible();
  await button(page, 'Open plan.txt').click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(button(page, 'Open plan.txt')).toBeFocused();
});

test('an album shows its pictures in order, and its article names them', async ({ page, openScene }) => {
  await openScene('files', { open: '2' });
  const album = page.getByRole('article', { name: /4 photos · Four/ });
  await expect(album.getByRole('img')).toHaveCount(4);
  const names = await album
    .getByRole('img')
    .evaluateAll((all) => all.map((each) => each.getAttribute('alt')));
  expect(names).toEqual(['Photo: mill.png', 'Photo: bridge.png', 'Photo: heron.png', 'Photo: reeds.png']);
});

test('a received picture of 100 megapixels is shown as a file', async ({ page, openScene }) => {
  await page.route('**/files/made/1200x800/harbor.png', async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    body.writeUInt32BE(10_000, 16);
    body.writeUInt32BE(10_000, 20);
    await route.fulfill({ response: answer, body });
  });
  await openScene('files', { open: '2' });
  await expect(page.getByRole('button', { name: 'Save harbor.png' })).toBeVisible();
  await expect(page.locator('img[src$="harbor.png"]')).toHaveCount(0);
});
