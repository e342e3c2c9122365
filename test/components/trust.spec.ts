import { expectWhole } from '../e2e/support/accessible.ts';
import { delay, expect, refuse, test, untilDelayed } from './support.ts';

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

test('a long name of a bot’s owner leaves room for the name of the bot', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  await openScene('states');
  const name = page.getByRole('article').getByText('Weather', { exact: true });
  await expect(name).toBeVisible();
  const isWhole = await name.evaluate((element) => {
    const owner = element.parentElement?.querySelector('span:last-child bdi');
    if (owner) owner.textContent = 'A name that is longer than the window is wide';
    return owner !== null && element.scrollWidth <= element.clientWidth;
  });
  expect(isWhole).toBe(true);
});

test('a canceled invitation has no button to join, and the message has the focus', async ({
  page,
  openScene,
}) => {
  await openScene('states');
  const join = page.getByRole('button', { name: 'Join group' });
  const message = page.getByRole('article').filter({ has: join });
  const id = await message.getAttribute('data-message');
  const invitation = page.locator(`article[data-message="${id}"]`);
  await delay(page, 'groups.join');
  await join.click();
  await refuse(page);
  await expect(invitation).toContainText('The connection to Waxwing was lost');
  await expect(join).toBeVisible();
  await delay(page, 'groups.join');
  await join.click();
  await untilDelayed(page);
  await page.evaluate(() => window.delayed.cancelInvitation());
  await expect(invitation).toContainText('This invitation was canceled. Ask for a new one.');
  await expect(join).toHaveCount(0);
  await expect(invitation).toBeFocused();
});
