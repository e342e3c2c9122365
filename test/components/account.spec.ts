/**
 * The account in Settings and its end, and the invitation code of first run.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { noteOf } from './notes.ts';
import { answerDelayed, delayAnswer, expect, test, untilDelayed } from './support.ts';

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

test('a handle is changed in Settings, and a taken, reserved or malformed one is reported', async ({
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
    await expect(noteOf(field)).toHaveText(note);
    await expect(save).toBeDisabled();
  }
  // A look-up does not find a handle that is reserved for its last owner.
  await field.fill('former');
  await expect(noteOf(field)).toHaveText(/^@former is available\./);
  await save.click();
  await expect(noteOf(field)).toHaveText('@former is taken. Try another.');
  await field.fill('@Robin_R');
  await expect(field).toHaveValue('robin_r');
  await expect(noteOf(field)).toHaveText(
    '@robin_r is available. @robin stays reserved for you for a year. The server reserves up to two old handles for you.',
  );
  await expectWhole(page);
  // The button is disabled after it, and would lose the focus.
  await save.press('Enter');
  await expect(noteOf(field)).toHaveText('Saved');
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
  await expect(noteOf(field)).toHaveText(unreachable);
  await settings.getByRole('button', { name: 'Save handle' }).click();
  await expect(noteOf(field)).toHaveText(unreachable);
  await expect(field).toHaveValue('robin_r');
});

test('an earlier answer about a handle is not shown while the server is asked again', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  const settings = await openSettings(page, 'Account');
  const field = settings.getByRole('textbox', { name: 'Handle', exact: true });
  const save = settings.getByRole('button', { name: 'Save handle' });
  await field.fill('robin_r');
  await expect(noteOf(field)).toHaveText(/^@robin_r is available\./);
  await field.fill('ann');
  await expect(noteOf(field)).toHaveText('@ann is taken.');
  await delayAnswer(page, 'handle.check');
  await field.fill('robin_r');
  await untilDelayed(page);
  await expect(noteOf(field)).toHaveText('Checking…');
  await expect(save).toBeDisabled();
  await answerDelayed(page);
  await expect(noteOf(field)).toHaveText(/^@robin_r is available\./);
});

test('a handle typed while another one is saved stays in its field', async ({ page, openScene }) => {
  await openScene('one');
  const settings = await openSettings(page, 'Account');
  const field = settings.getByRole('textbox', { name: 'Handle', exact: true });
  const save = settings.getByRole('button', { name: 'Save handle' });
  await field.fill('robin_r');
  await expect(noteOf(field)).toHaveText(/^@robin_r is available\./);
  await delayAnswer(page, 'profile.save');
  await save.click();
  await untilDelayed(page);
  await field.fill('robin_x');
  await expect(save, 'one at a time').toHaveAttribute('aria-busy', 'true');
  await answerDelayed(page);
  await expect(save).not.toHaveAttribute('aria-busy');
  await expect(field).toHaveValue('robin_x');
  await expect(noteOf(field)).toHaveText(/^@robin_x is available\. @robin_r stays reserved/);
  await field.fill('robin_r');
  await expect(save, 'it was saved').toBeDisabled();
});

test('typing removes the error of a name that was not saved', async ({ page, openScene }) => {
  await openScene('offline');
  const settings = await openSettings(page, 'Account');
  const field = settings.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('Robin R');
  await settings.getByRole('button', { name: 'Save name' }).click();
  await expect(noteOf(field)).toHaveText('The server can’t be reached. Check your network.');
  await field.fill('Robin Reed');
  await expect(noteOf(field)).toHaveText('');
});

test('typing removes the error of a handle in first run', async ({ page, openScene }) => {
  await openScene('handle');
  await page.getByRole('textbox', { name: 'Handle', exact: true }).fill('former');
  await expect(page.getByText('@former is available.')).toBeVisible();
  await page.locator('form button[type=submit]').click();
  const problem = page.getByText('@former is taken. Try another.');
  await expect(problem).toBeVisible();
  await page.getByRole('textbox', { name: 'Handle', exact: true }).fill('formers');
  await expect(problem).toHaveCount(0);
});

test('in a narrow window a long problem leaves its symbol whole', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  await openScene('one', { open: '1' });
  // The window has the state before.
  await expect(page.getByRole('textbox', { name: /^Message/ })).toBeVisible();
  await page.evaluate(() =>
    window.emit('connection.changed', {
      state: 'offline',
      problem: { code: 'account_suspended', parameters: { detail: '', reason: '' } },
      isKeyOverdue: false,
      nextRetryAt: null,
      queued: 0,
    }),
  );
  const line = page.getByText('The administrator of this server has suspended').filter({ visible: true });
  const { width, height } = (await line.locator('svg').boundingBox()) ?? { width: 0, height: 1 };
  expect(width).toBe(height);
});

for (const [width, code] of [
  [360, 'device_removed'],
  [1280, 'device_refused'],
] as const) {
  test(`at ${width} px a computer that was removed names the next step, and offers no sending`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width, height: 720 });
    await openScene('one', { open: '1' });
    const field = page.getByRole('textbox', { name: /^Message/ });
    await expect(field).toBeVisible();
    const message = page.getByRole('article').last();
    await message.click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Forward' })).toBeVisible();
    await page.keyboard.press('Escape');
    const lose = (state: 'offline' | 'connecting') =>
      page.evaluate(
        ([code, state]) =>
          window.emit('connection.changed', {
            state,
            problem: { code, parameters: {} },
            isKeyOverdue: false,
            nextRetryAt: state === 'offline' ? Date.now() + 3_000 : null,
            queued: 0,
          }),
        [code, state] as const,
      );
    await lose('offline');
    await expect(field).toHaveCount(0);
    await expect(page.getByText('You can’t send messages from this computer')).toBeVisible();
    await expect(page.getByText(/removed from your account/).filter({ visible: true })).toHaveCount(1);
    await expect(page.getByText(/Retry/)).toHaveCount(0);
    // Each further attempt to connect changes nothing.
    await lose('connecting');
    await expect(field).toHaveCount(0);
    await message.click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Copy text' })).toBeVisible();
    for (const name of ['Forward', 'Reply', 'React'])
      await expect(page.getByRole('menuitem', { name })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expectWhole(page);
    await page.getByRole('button', { name: 'Delete the data here…' }).filter({ visible: true }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings.getByRole('button', { name: 'Delete all data' })).toBeVisible();
  });
}
