/** The join modes of a group: one choice of three, at its creation and later; and the note on one by invitation only. */
import { expectWhole } from '../e2e/support/accessible.ts';
import { answerDelayed, delay, delayAnswer, expect, refuse, test, untilDelayed } from './support.ts';

test('the join mode of a new group is one choice, by keyboard and by name, with a password for one option', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  const choice = page.getByRole('group', { name: 'Who can join' });
  const way = (name: string) => choice.getByRole('radio', { name, exact: true });
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  const create = page.getByRole('button', { name: 'Create group' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bird watchers');
  await expect(way('Only invited people')).toBeChecked();
  await expect(way('Only invited people')).toHaveAccessibleDescription('The owner and admins invite them.');
  await expect(password).toHaveCount(0);

  await way('Only invited people').focus();
  await page.keyboard.press('ArrowDown');
  await expect(way('Anyone with the password')).toBeChecked();
  await expect(create).toBeDisabled();
  await expectWhole(page);
  await page.keyboard.press('Tab');
  await expect(password).toBeFocused();
  await page.keyboard.type('sesame');
  await expect(create).toBeEnabled();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Anyone with the password')).toBeVisible();
});

test('a failure to join a group without a password is an alert', async ({ page, openScene }) => {
  await openScene('many');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: /^Astronomy/ }).click();
  await delay(page, 'groups.join');
  await page.getByRole('button', { name: 'Join group' }).click();
  await refuse(page);
  await expect(page.getByRole('dialog', { name: 'Join group' }).getByRole('alert')).toBeVisible();
});

test('a group that was joined after its dialog was closed is not opened', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByRole('heading', { level: 2 })).toContainText('Ann Archer');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: /^Astronomy/ }).click();
  await delayAnswer(page, 'groups.join');
  await page.getByRole('button', { name: 'Join group' }).click();
  await untilDelayed(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await answerDelayed(page);
  // The answer is processed before that of a later call.
  await page.evaluate(() => window.waxwing.calls['app.state']({}));
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(chat.getByRole('heading', { level: 2 })).toContainText('Ann Archer');
});
