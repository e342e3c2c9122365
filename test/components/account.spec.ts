/**
 * The account in Settings and its end, and the invitation code of first run.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('deleting an account takes two steps that explain the effect, and can be cancelled in the window and in Settings', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Delete account on relay.example' }).click();
  await expect(settings).toContainText('Sent messages stay with others.');
  await expectWhole(page);
  await settings.getByRole('button', { name: 'Delete account', exact: true }).click();
  await expect(settings.getByRole('status').filter({ hasText: 'will be deleted on' })).toContainText('March');
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  const strip = page.getByRole('region', { name: 'Account deletion' });
  await expect(strip).toContainText('Your account on relay.example will be deleted on');
  await strip.getByRole('button', { name: 'Cancel deletion' }).click();
  await expect(strip).toBeHidden();
  await openSettings(page, 'Account');
  await expect(settings.getByRole('button', { name: 'Delete account on relay.example' })).toBeVisible();
});

test('a handle is changed in Settings, which names a taken, a reserved and a malformed one', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  const settings = await openSettings(page, 'Account');
  const field = settings.getByRole('textbox', { name: 'Handle', exact: true });
  const save = settings.getByRole('button', { name: 'Save handle' });
  await expect(field).toHaveValue('robin');
  await expect(save).toBeDisabled();
  for (const [typed, note] of [
    ['ann', '@ann is taken.'],
    ['admin', '@admin is reserved. Choose another.'],
    ['2robins', '3–32 characters: a–z, 0–9, _. Start with a letter.'],
  ] as const) {
    await field.fill(typed);
    await expect(field).toHaveAccessibleDescription(note);
    await expect(save).toBeDisabled();
  }
  // A look-up does not find a handle that is reserved for its last owner.
  await field.fill('former');
  await expect(field).toHaveAccessibleDescription(/^@former is available\./);
  await save.click();
  await expect(field).toHaveAccessibleDescription('@former is taken. Try another.');
  await field.fill('@Robin_R');
  await expect(field).toHaveValue('robin_r');
  await expect(field).toHaveAccessibleDescription(
    '@robin_r is available. @robin stays reserved for you for a year. The server reserves up to two old handles for you.',
  );
  await expectWhole(page);
  // The button is disabled after it, and would lose the focus.
  await save.press('Enter');
  await expect(field).toHaveAccessibleDescription('Saved');
  await expect(field).toHaveValue('robin_r');
  await expect(field).toBeFocused();
});

test('a handle that cannot be checked or saved without the server stays in its field', async ({
  page,
  openScene,
}) => {
  await openScene('offline');
  const settings = await openSettings(page, 'Account');
  const field = settings.getByRole('textbox', { name: 'Handle', exact: true });
  const unreachable = 'The server can’t be reached. Check your network.';
  await field.fill('robin_r');
  await expect(field).toHaveAccessibleDescription(unreachable);
  await settings.getByRole('button', { name: 'Save handle' }).click();
  await expect(field).toHaveAccessibleDescription(unreachable);
  await expect(field).toHaveValue('robin_r');
});
