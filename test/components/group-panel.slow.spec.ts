/** Limits of the details of a group. */
import { expect, test } from './support.ts';

test('at most 50 people are selected to be invited at a time, with a sentence', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '8' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Add people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  const people = dialog.getByRole('list', { name: 'People', exact: true });
  const chosen = dialog.getByRole('list', { name: 'Selected people' });
  await expect(people.getByRole('button').first()).toBeVisible();
  await people.evaluate(async (list) => {
    for (let count = 0; count < 51; count++) {
      list.querySelector('button')?.click();
      await new Promise(requestAnimationFrame);
    }
  });
  await expect(chosen.getByRole('listitem')).toHaveCount(50);
  await expect(dialog.getByText('You can invite 50 people at a time.')).toBeVisible();
  await expect(people.getByRole('button').first()).toBeDisabled();
  // Nor with Enter in the field.
  await dialog.getByRole('textbox').fill('person_150');
  await expect(people.getByRole('button')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(chosen.getByRole('listitem')).toHaveCount(50);
  await chosen.getByRole('button').first().click();
  await expect(people.getByRole('button')).toBeEnabled();
  await dialog.getByRole('textbox').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Invite 50 people' }).click();
  await expect(dialog).toBeHidden();
});
