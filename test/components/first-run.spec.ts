import { expect, test } from './support.ts';

test('after a wrong word of the recovery phrase the first wrong field has the focus', async ({
  page,
  openScene,
}) => {
  await openScene('first-run');
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await page.getByRole('radio', { name: 'Create an account' }).check();
  await next.click();
  await page.getByRole('checkbox', { name: 'I wrote them down' }).check();
  await next.click();
  const word = (place: number) => page.getByRole('textbox', { name: `Word ${place}`, exact: true });
  await word(2).fill('ability');
  await word(7).fill('absord');
  await word(11).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(word(7)).toBeFocused();
  await expect(page.getByText('That isn’t word 7. Check your notes.')).toBeVisible();
  await word(7).fill('absorb');
  await page.keyboard.press('Enter');
  await expect(word(11)).toBeFocused();
});

test('linking without another server states the step at which it is chosen', async ({ page, openScene }) => {
  await openScene('first-run');
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await page.getByRole('radio', { name: 'Link this computer' }).check();
  await next.click();
  await expect(page.getByRole('alert')).toHaveText(
    'Go back to the first step and choose the server that your other computer uses.',
  );
});
