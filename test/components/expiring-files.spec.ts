/** Files that the server deletes soon. */
import { expect, test } from './support.ts';

test('the details warn of files that the server deletes soon, and download them', async ({
  page,
  openScene,
}) => {
  await openScene('files');
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByText('2 files expire soon')).toBeVisible();
  await expect(details).toContainText(
    'Not on this computer yet: 48 MB. The server deletes the first on March 6, 2026.',
  );
  await details.getByRole('button', { name: 'Download all' }).click();
  await expect(details.getByText('2 files expire soon')).toHaveCount(0);
  await expect(details.getByRole('button', { name: 'Save list.csv' })).toBeVisible();
});

test('pictures and videos that are on the server show until when', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 1280, height: 4600 });
  await openScene('files');
  const download = page.getByRole('button', { name: 'Download away.png' });
  await expect(download).toHaveAccessibleDescription('Available until March 24, 2026');
  await expect(page.getByText('20 MB · Available until March 24, 2026')).toBeVisible();
  await expect(page.getByText('48 MB · Available until March 9, 2026')).toBeVisible();
});
