/**
 * Settings → Devices after a device was removed: what it set is listed, and each is kept or undone.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

for (const width of [360, 1280]) {
  test(`at ${width} px a person who removes a device sees what it set, and keeps or undoes each`, async ({
    page,
    openScene,
  }) => {
    await openScene('desktop');
    const settings = await openSettings(page, 'Devices');
    await page.setViewportSize({ width, height: 720 });
    const changes = settings.getByRole('region', { name: 'Set by a device you removed' });
    await expect(settings.getByRole('list', { name: 'Your devices' })).toBeVisible();
    await expect(changes).toHaveCount(0);
    await settings
      .getByRole('listitem')
      .filter({ hasText: 'Another computer' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('button', { name: 'Remove device' }).click();
    await expect(changes).toBeVisible();
    await expect(changes.getByRole('listitem')).toHaveText([
      /Verified: Sam Porter/,
      /Nickname of Sam Porter: “Mum”/,
      /Blocked: Dana Reyes/,
    ]);
    await expectWhole(page);
    const item = (text: string) => changes.getByRole('listitem').filter({ hasText: text });
    await item('Verified').getByRole('button', { name: 'Undo' }).click();
    await item('Nickname').getByRole('button', { name: 'Keep' }).click();
    await expect(changes.getByRole('listitem')).toHaveText([/Blocked: Dana Reyes/]);
    await item('Blocked').getByRole('button', { name: 'Undo' }).click();
    await expect(changes).toHaveCount(0);
  });
}
