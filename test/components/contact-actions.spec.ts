/** Actions on a person beside their messages. */
import { expect, test } from './support.ts';

test('blocking asks first, explains the effect, and can be cancelled', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  const block = page.getByRole('button', { name: 'Block', exact: true });
  await block.click();
  const question = page.getByRole('alertdialog', { name: 'Block Echo?' });
  await expect(question).toContainText('You won’t see their messages. They get no notice of it.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(block).toBeFocused();
  await block.click();
  await question.getByRole('button', { name: 'Block' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('button', { name: 'Unblock' })).toBeFocused();
});

test('the chat with oneself offers neither to verify nor to block oneself', async ({ page, openScene }) => {
  await openScene('notes');
  await expect(page.getByPlaceholder('Write a note')).toBeVisible();
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('button', { name: 'Export chat…' })).toBeVisible();
  await expect(details.getByRole('button', { name: /Verify|Block/ })).toHaveCount(0);
  await expect(details.getByText('you’re talking to them')).toHaveCount(0);
});
