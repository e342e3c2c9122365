/** The viewer of pictures, and the files in the details of a chat. */
import { expect, test } from './support.ts';
import { HARBOR, viewer } from './viewer.ts';

test('pictures of the chat follow each other, and Escape returns the focus to the thumbnail', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  await expect(viewer(page).getByRole('img', { name: HARBOR })).toBeVisible();
  await expect(viewer(page).getByText(`Picture 1 of 5: ${HARBOR}`)).toBeAttached();
  await expect(viewer(page).getByRole('button', { name: 'Previous picture' })).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByRole('img', { name: 'Photo: mill.png' })).toBeVisible();
  await viewer(page).getByRole('button', { name: 'Next picture' }).click();
  await expect(viewer(page).getByRole('img', { name: 'Photo: bridge.png' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(viewer(page).getByRole('img', { name: HARBOR })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(page.getByRole('button', { name: HARBOR })).toBeFocused();
});

test('closing the viewer scrolls to the last viewed picture, which has the focus', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  await expect(viewer(page).getByText('Picture 1 of 5:')).toBeAttached();
  for (const place of [2, 3, 4, 5]) {
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByText(`Picture ${place} of 5:`)).toBeAttached();
  }
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  const last = page.locator('article [data-picture]').last();
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
});

test('Escape closes a tooltip of the viewer that the pointer opened, and the viewer at the next press', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  await viewer(page).getByRole('button', { name: 'Zoom in' }).hover();
  const tooltip = page.getByText('Zoom in');
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  await expect(viewer(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
});

test('the button that closes the viewer is in its corner at 640 pixels with text of 200 %', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 640, height: 512 });
  await openScene('files', { open: '2', text: '200' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  const box = await viewer(page).getByRole('button', { name: 'Close', exact: true }).boundingBox();
  expect(box?.y).toBeLessThan(16);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(640 - 24);
});
