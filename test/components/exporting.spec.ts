/** Export of a chat as web pages with its files. */
import { answerDelayed, delay, expect, test, untilDelayed } from './support.ts';

test('a canceled export saves nothing, and can be repeated', async ({ page, openScene }) => {
  await openScene('actions');
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Export chat…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export chat' });
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await delay(page, 'messages.records');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ messages$/);
  await untilDelayed(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await answerDelayed(page);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeHidden();
  expect(downloads).toBe(0);
  const again = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await again;
});
