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
