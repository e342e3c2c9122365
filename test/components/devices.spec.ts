/** The list of own devices in Settings. */
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('the id and the key dates of an own device are shown on request', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Devices');
  const device = page.getByRole('list', { name: 'Your devices' }).getByRole('listitem').filter({
    hasText: 'Living room',
  });
  await expect(device.getByText('device-t')).toBeHidden();
  await device.getByText('Technical details').focus();
  await page.keyboard.press('Enter');
  await expect(device.getByText('device-t')).toBeVisible();
  await expect(device.getByText('Valid until June 2, 2026')).toBeVisible();
});

test('the technical details of each device have the name of the device in their accessible name', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  await openSettings(page, 'Devices');
  const devices = page.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(devices).not.toHaveCount(0);
  for (const device of await devices.all()) {
    const name = await device.getByRole('paragraph').first().innerText();
    await expect(device.locator('summary')).toHaveAccessibleName(`Technical details of ${name}`);
  }
});

test('two devices of one name have different labels', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Devices');
  const devices = page.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Rename This computer' }).click();
  await page.getByRole('textbox', { name: 'Device name' }).fill('Living room');
  await page.getByRole('button', { name: 'Save' }).click();
  const twins = devices.filter({ hasText: 'Living room' });
  await expect(twins).toHaveCount(2);
  await expect(twins.getByRole('paragraph').first()).toHaveText(/^Living room \(/);
  for (const label of ['Rename', 'Technical details of']) {
    const named = page.locator(`[aria-label^="${label} Living room"]`);
    await expect(named).toHaveCount(2);
    const names = await named.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect(new Set(names).size).toBe(2);
  }
});
