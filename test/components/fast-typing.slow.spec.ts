import { expect, hold, release, test } from './support.ts';

test('Enter in the field for adding people waits for the search result', async ({ page, openScene }) => {
  await openScene('empty');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bird watchers');
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Add people' }).click();
  const field = page.getByRole('textbox', { name: 'Name, handle or address' });
  await field.fill('ech');
  await expect(page.getByRole('list', { name: 'People', exact: true })).toContainText('Echo');
  await field.fill('echidna');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No one found, or already invited')).toBeVisible();
  await hold(page, 'people.search');
  await field.fill('echo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No one found, or already invited')).toHaveCount(0);
  await release(page);
  await expect(page.getByRole('list', { name: 'Selected people' }).getByRole('listitem')).toHaveCount(1);
});
