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
