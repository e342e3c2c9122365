/**
 * Diagnostics after an unexpected error.
 */
import { expect, test, watchFor } from './support.ts';

test('a failure message offers to copy diagnostics', async ({ page, context, openGallery }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openGallery();
  await page.getByRole('button', { name: 'Report an unexpected error' }).click();
  const toast = page.getByRole('dialog').filter({ hasText: 'Something went wrong (E-7F3K).' });
  const copied = await watchFor(page, 'Copied');
  await toast.getByRole('button', { name: 'Copy diagnostics' }).click();
  await copied();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^waxwing: /);
  // A second bridge replaces it: a fault that breaks a screen may break all its calls.
  await page.getByRole('button', { name: 'Report an unexpected error' }).click();
  await expect(toast).toHaveCount(1);
});
