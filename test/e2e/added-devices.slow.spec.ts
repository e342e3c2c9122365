/** A device that someone adds with the recovery phrase: announced on the other computer, which removes it. */
import { expectWhole } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { firstRun, openSettings } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('a device added with the recovery phrase is announced in open Settings, and its removal is shown there', async ({
  browser,
}) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  const newApp = async () => {
    const app = new App(await (await browser.newContext()).newPage(), url);
    await app.start();
    return app;
  };
  await using laptop = await newApp();
  const noted: string[] = [];
  await firstRun(laptop.page, 'ann', noted);
  const settings = await openSettings(laptop.page, 'Devices');
  const devices = settings.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(1);

  await using thief = await newApp();
  await thief.page.getByRole('button', { name: 'Continue' }).click();
  await thief.page.getByRole('radio', { name: 'Recover my account' }).check();
  await thief.page.getByRole('button', { name: 'Continue' }).click();
  await thief.page.getByLabel('Recovery phrase or private key').fill(noted.join(' '));
  await thief.page.getByRole('button', { name: 'Recover account' }).click();
  await thief.page.getByRole('heading', { name: 'Your other devices' }).waitFor();
  await thief.page.getByRole('button', { name: 'Recover account' }).click();
  // A reload does not skip the step.
  const skip = thief.page.getByRole('button', { name: 'Continue without a backup' });
  await expect(skip).toBeVisible();
  await thief.page.reload();
  await skip.click();
  await expect(thief.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();

  // The list was open, and nobody touched it.
  await expect(devices).toHaveCount(2);
  await laptop.page.keyboard.press('Escape');
  const banner = laptop.page.getByRole('region', { name: 'New device' });
  await expect(banner).toContainText('Was this you?');
  await laptop.killAndStart();
  await expect(banner).toContainText('Was this you?');
  await expect(thief.page.getByRole('region', { name: 'New device' })).toHaveCount(0);
  await expectWhole(laptop.page);
  await banner.getByRole('button', { name: 'Review devices' }).click();
  await expect(devices).toHaveCount(2);
  await settings.getByRole('button', { name: /^Remove / }).click();
  await laptop.page.getByRole('button', { name: 'Remove device' }).click();
  await expect(devices).toHaveCount(1);
  await laptop.page.keyboard.press('Escape');
  await expect(banner).toHaveCount(0);

  const removed = thief.page.getByText('This computer was removed from your account.').first();
  await expect(removed).toBeVisible();
  await expect(thief.page.getByRole('button', { name: 'Retry now' })).toHaveCount(0);
  await expect(thief.page.getByRole('button', { name: 'Delete the data here…' })).toBeVisible();
  await expectWhole(thief.page);
});
