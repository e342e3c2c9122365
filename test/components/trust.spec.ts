import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('choosing a device list asks first, and Cancel chooses none', async ({ page, openScene }) => {
  await openScene('fork', { open: '1' });
  await page.getByRole('button', { name: 'Compare lists' }).click();
  const other = page.getByRole('region', { name: 'Device list: The other one' });
  await other.getByRole('button', { name: 'Use this list' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Choose only what Ann Archer told you.');
  await expectWhole(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(other).toBeVisible();
});
