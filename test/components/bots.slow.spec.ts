/**
 * Bots of a group, for its owner: created with a key or without, listed, revoked; and unsigned posts.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('the owner removes a bot whose token the server hides, and forbids unsigned posts', async ({
  page,
  openScene,
}) => {
  await openScene('group');
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  const lost = page.getByRole('list', { name: 'Bots without a token' });
  await expect(lost).toContainText('Half a bot');
  await lost.getByRole('button', { name: 'Remove bot' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove bot' }).click();
  await expect(lost).toHaveCount(0);
  const allowed = page.getByRole('switch', { name: 'Show unsigned posts' });
  await expect(allowed).toBeChecked();
  await expectWhole(page);
  await allowed.click();
  await expect(allowed).not.toBeChecked();
});
