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
