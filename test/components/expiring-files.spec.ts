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
    'Not on this computer yet: 48 MB. The server deletes the first on Mar 6.',
  );
  await details.getByRole('button', { name: 'Download all' }).click();
  await expect(details.getByText('2 files expire soon')).toHaveCount(0);
  await expect(details.getByRole('button', { name: 'Save list.csv' })).toBeVisible();
});

for (const width of [360, 1280])
  test(`the size of a file and its end at the server are on one line at ${width} pixels`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openScene('files', { open: '1' });
    const facts = page.locator('[data-file-place]').getByText('available until Mar 6');
    // The longest size.
    await facts.evaluate((element) => {
      element.textContent = element.textContent.replace('0 bytes', '99.9 MB');
    });
    const [height, line] = await facts.evaluate((element) => [
      element.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(element).lineHeight),
    ]);
    expect(height).toBeLessThan(1.5 * (line ?? 0));
  });
