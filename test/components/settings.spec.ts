import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, refuse, test } from './support.ts';

test('creating an API key shows its secret once', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'API Settings');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('nightly build');
  await page.getByRole('checkbox', { name: /Post in your groups/ }).uncheck();
  await page.getByText('30 days', { exact: true }).click();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = page.getByRole('alertdialog', { name: 'New API key: nightly build' });
  await expect(secret).toContainText('WAXWING_API_KEY');
  await expectWhole(page);
  await secret.getByRole('checkbox').check();
  await secret.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'API keys' }).getByRole('listitem')).toHaveCount(3);
});

test('devices are loaded again each time they are shown', async ({ page, openScene }) => {
  await openScene('desktop');
  const settings = await openSettings(page, 'Devices');
  const devices = settings.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(devices.filter({ hasText: 'Living room' })).toBeVisible();
  await openSettings(page, 'About');
  // The change happens on another computer: this page did not ask for it.
  await page.evaluate(async () => {
    const { calls } = window.waxwing;
    const answer = await calls['devices.list']({});
    const other = answer.ok && answer.value.find(({ name }) => name === 'Living room');
    if (other) await calls['devices.revoke']({ id: other.id });
  });
  await openSettings(page, 'Devices');
  await expect(devices.filter({ hasText: 'This computer' })).toBeVisible();
  await expect(devices.filter({ hasText: 'Living room' })).toHaveCount(0);
});

test('an error of an outage in Settings is gone when the connection is back', async ({ page, openScene }) => {
  await openScene('desktop', { delay: 'devices.list' });
  const connection = (state: 'offline' | 'online') =>
    page.evaluate((state) => {
      const rest = { problem: null, isKeyOverdue: false, nextRetryAt: null, queued: 0 };
      window.emit('connection.changed', { state, ...rest });
    }, state);
  await connection('offline');
  const settings = await openSettings(page, 'Devices');
  await refuse(page);
  await expect(settings.getByRole('button', { name: 'Try again' })).toBeVisible();
  await connection('online');
  await expect(settings.getByRole('list', { name: 'Your devices' })).toBeVisible();
  await expect(settings.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('the sending key is named by the keys of this system', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Chats');
  const choices = page.getByRole('group', { name: 'Send messages with' });
  await expect(choices.getByRole('radio')).toHaveCount(2);
  await expect(choices.getByRole('radio', { name: 'Ctrl+Enter', exact: true })).toBeVisible();
});

test('the groups of the own address are beside each other on a wide page', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Account');
  const groups = page.locator('code').filter({ hasText: '0x' }).locator('[aria-hidden=true]');
  await expect(groups).toHaveCount(10);
  const [first, second] = await Promise.all([groups.nth(0).boundingBox(), groups.nth(1).boundingBox()]);
  expect((second?.x ?? 0) - (first?.x ?? 0)).toBeLessThan(80);
});
