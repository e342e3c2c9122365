/**
 * Diagnostics after an unexpected error.
 */
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('a rendering error shows its id from the log, and offers to copy diagnostics', async ({
  page,
  openGallery,
}) => {
  await openGallery('something went wrong');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByText('The log has the details under E-7F3K.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy diagnostics' })).toBeVisible();
});

test('a page in a browser shows the path of the log folder, without a button to open it', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'About');
  await page.getByRole('button', { name: 'Show log folder' }).click();
  await expect(page.getByText('/home/robin/.local/share/waxwing/logs')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy the path' })).toBeVisible();
});
