/** Names, states and announcements as Orca with Chromium speaks them. */
import { expect, test } from './support.ts';

test('the open chat is current in the list and not selected, so the focus in the composer is followed', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const row = page.getByRole('option').first();
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(row).not.toHaveAttribute('aria-selected');
});

test('the hint of a field is its description, and only a later text is announced', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'New chat' }).click();
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  const field = dialog.getByRole('textbox', { name: 'To' });
  await expect(field).toHaveAccessibleDescription(/^For example/);
  const announced = dialog.locator('[aria-live]').first();
  await expect(announced).toHaveText('');
  await field.fill('no/handle');
  await field.press('Enter');
  await expect(announced).toHaveText(/^No one on this server/);
  await expect(field).toHaveAccessibleDescription(/^No one on this server/);
});

test('a dialog has no landmark of the page in it', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
});

test('the words of the recovery phrase are read with their numbers', async ({ page, openScene }) => {
  await openScene('first-run');
  for (const heading of ['Your account', 'Your recovery phrase']) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  const words = page.getByRole('list', { name: 'Recovery phrase' });
  await expect(words).toMatchAriaSnapshot(`
    - list:
      - listitem: /^1 \\w+$/
      - listitem: /^2 \\w+$/
      - listitem: /^3 \\w+$/
  `);
});
