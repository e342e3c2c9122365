/** Links in the details of a chat. */
import { expect, test } from './support.ts';

test('a chat without links shows a notice', async ({ page, openScene }) => {
  await openScene('files');
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('LinksNo links yet');
});
