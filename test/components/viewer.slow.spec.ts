/** The viewer of pictures, and the files in the details of a chat. */
import type { Page } from '@playwright/test';
import { expectAccessible, settled } from '../e2e/support/accessible.ts';
import { expect, test, watchFor } from './support.ts';
import { HARBOR, scale, viewer } from './viewer.ts';

test('keys, wheel and double click zoom; arrow keys then move the picture', async ({ page, openScene }) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  const picture = viewer(page).getByRole('img', { name: HARBOR });
  await expect(picture).toBeVisible();
  const x = () => picture.evaluate((image) => image.getBoundingClientRect().x);
  await page.keyboard.press('+');
  await expect.poll(() => scale(page)).toBe(1.25);
  const before = await x();
  await page.keyboard.press('ArrowRight');
  await expect.poll(x).toBeLessThan(before);
  await expect(picture, 'the same picture').toBeVisible();
  await page.keyboard.press('0');
  await expect.poll(() => scale(page)).toBe(1);
  await picture.dblclick();
  await expect.poll(() => scale(page)).toBe(2.5);
  const between = await x();
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await page.mouse.move(690, 430);
  await page.mouse.up();
  await expect.poll(x).toBe(between + 50);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => scale(page)).toBe(2);
  await page.keyboard.press('-');
  await expect.poll(() => scale(page)).toBe(1.6);
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => scale(page)).toBe(2);
});

test('a picture is copied, saved, forwarded and shown in the chat', async ({ page, openScene }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  const copied = await watchFor(page, 'Copied');
  await viewer(page).getByRole('button', { name: 'Copy picture' }).click();
  await copied();
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap(({ types }) => types),
  );
  expect(types).toEqual(['image/png']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer(page).getByRole('button', { name: 'Save picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('harbor.png');
  await viewer(page).getByRole('button', { name: 'Show in chat' }).click();
  await expect(viewer(page)).toBeHidden();
  await expect(page.getByRole('article', { name: /Lindau/ })).toBeFocused();
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  await viewer(page).getByRole('button', { name: 'Forward' }).click();
  await expect(page.getByRole('dialog', { name: 'Forward message' })).toBeVisible();
  await expect(viewer(page)).toBeHidden();
});

test('the viewer is dark in each theme, with the caption below the picture', async ({ page, openScene }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  // All messages of the scene are in the window.
  await page.setViewportSize({ width: 1280, height: 4600 });
  await openScene('files', { open: '1' });
  await page.getByRole('button', { name: HARBOR }).first().click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(viewer(page)).toHaveCSS('background-color', 'rgb(20, 18, 16)');
  const caption = viewer(page).getByRole('region', { name: 'Caption' });
  await expect(caption).toHaveText('The harbor this morning.');
  const picture = viewer(page).getByRole('img', { name: HARBOR });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  await settled(page);
  const above = await picture.boundingBox();
  const below = await caption.boundingBox();
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  await expectAccessible(page);
});

test('the details list pictures and files of the chat; a picture opens in the viewer', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await page.getByRole('button', { name: 'Details' }).click();
  const section = page.getByRole('region', { name: 'Details' });
  await expect(section.getByText('plan.txt')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Show film.webm in chat' })).toBeVisible();
  await section.getByRole('button', { name: 'Show more' }).first().click();
  await section.getByRole('button', { name: HARBOR }).click();
  await expect(viewer(page).getByRole('img', { name: HARBOR })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
});

test('in a narrow window, a message shown from the details closes them', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('files');
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Show film.webm in chat' }).click();
  await expect(
    page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Download film.webm' }) }),
  ).toBeFocused();
});

test('two fingers zoom', async ({ page, openScene }) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  await expect(viewer(page).getByRole('img', { name: HARBOR })).toBeVisible();
  const touch = await fingers(page);
  await touch('touchStart', 600, 680);
  await touch('touchMove', 560, 720);
  await touch('touchEnd');
  await expect.poll(() => scale(page)).toBeCloseTo(2, 1);
});

/** @returns a function that moves fingers to their places from the left */
async function fingers(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 400, id })) });
}

for (const { lang, next, back } of [
  { lang: undefined, next: [700, 500], back: [500, 700] },
  { lang: 'en-XB', next: [500, 700], back: [700, 500] },
] as const)
  test(`a swipe goes to the next and the previous picture${lang ? ' from right to left' : ''}, and moves a zoomed one`, async ({
    page,
    openScene,
  }) => {
    await openScene('files', { open: '2', ...(lang && { lang }) });
    await page.locator('article [data-picture]').first().press('Enter');
    const shown = page.getByRole('dialog').locator('[data-scale] img');
    await expect(shown).toBeVisible();
    const touch = await fingers(page);
    const swipe = async ([from = 0, to = 0]: readonly number[]) => {
      await touch('touchStart', from);
      await touch('touchMove', (from + to) / 2);
      await touch('touchMove', to);
      await touch('touchEnd');
    };
    const first = await shown.getAttribute('src');
    await swipe(back);
    expect(await shown.getAttribute('src'), 'there is none before the first').toBe(first);
    await swipe(next);
    await expect(shown).not.toHaveAttribute('src', first ?? '');
    await swipe(back);
    await expect(shown).toHaveAttribute('src', first ?? '');
    const left = () => shown.evaluate((image) => image.getBoundingClientRect().x);
    await page.keyboard.press('+');
    const before = await left();
    await swipe([600, 660]);
    await expect.poll(left).toBeCloseTo(before + 60, 0);
    await expect(shown).toHaveAttribute('src', first ?? '');
  });

test('two fingers on a trackpad go to the next and the previous picture, and move a zoomed one', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  const stage = viewer(page).locator('[data-scale]');
  const place = (at: number) => viewer(page).getByText(`Picture ${at} of 5:`);
  /** One gesture: events without a pause. */
  const swipe = (...deltas: readonly number[]) =>
    stage.evaluate((element, all) => {
      for (const deltaX of all)
        element.dispatchEvent(
          new WheelEvent('wheel', { deltaX, deltaY: 1, bubbles: true, cancelable: true }),
        );
    }, deltas);
  await expect(place(1)).toBeAttached();
  await swipe(20, 40, 60, 50, 40, 30, 20, 10, 5);
  await expect(place(2)).toBeAttached();
  await swipe(-20, -40, -60, -50, -40);
  await expect(place(1)).toBeAttached();
  await page.keyboard.press('+');
  const picture = viewer(page).locator('[data-scale] img');
  const left = () => picture.evaluate((image) => image.getBoundingClientRect().x);
  const before = await left();
  await swipe(30, 30);
  await expect.poll(left).toBeCloseTo(before - 60, 0);
  await expect(place(1)).toBeAttached();
});
