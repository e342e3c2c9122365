/** Devices that were added to the account elsewhere: one banner until the person has answered. */
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

for (const width of [360, 1280]) {
  test(`at ${width} px a banner asks about a new device, and leads to the list of devices`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width, height: 720 });
    await openScene('added-device');
    const banner = page.getByRole('region', { name: 'New device' });
    await expect(banner).toContainText(
      /A device was added to your account on .*: Another computer\. Was this you\?/,
    );
    await expectWhole(page);
    await banner.getByRole('button', { name: 'Review devices' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings.getByRole('list', { name: 'Your devices' }).getByRole('listitem')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
    await banner.getByRole('button', { name: 'It was me' }).click();
    await expect(banner).toHaveCount(0);
  });
}

test('several new devices share one banner', async ({ page, openScene }) => {
  await openScene('added-devices');
  const banner = page.getByRole('region', { name: 'New device' });
  await expect(banner).toHaveCount(1);
  await expect(banner).toContainText(/^3 devices were added to your account, the last on .*Was this you\?/);
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'It was me' }).click();
  await expect(banner).toHaveCount(0);
});
