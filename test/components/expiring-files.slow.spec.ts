/** Files that the server deletes soon. */
import { expect, test } from './support.ts';

test('pictures and videos that are on the server show until when', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 1280, height: 4600 });
  await openScene('files');
  const download = page.getByRole('button', { name: 'Download away.png' });
  await expect(download).toHaveAccessibleDescription('Available until Mar 24');
  await expect(page.getByText('20 MB · Available until Mar 24')).toBeVisible();
  await expect(page.getByText('48 MB · Available until Mar 9')).toBeVisible();
});
