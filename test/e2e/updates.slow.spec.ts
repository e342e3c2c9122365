import { join } from 'node:path';
import { temporaryFolder } from '../support/engine.ts';
import { appBytes, fileOf, manifest, UpdateServer } from '../support/update-server.ts';
import { expectWhole } from './support/accessible.ts';
import { DesktopPage } from './support/desktop-page.ts';
import { firstRun, openSettings } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test.skip(
  process.platform !== 'linux' || process.arch !== 'x64',
  'The update server offers an AppImage for x64.',
);

test('C18: the search for a new version reports each fault, and finds the version once it is correct', async ({
  page,
}) => {
  using folder = temporaryFolder();
  await using server = await UpdateServer.start();
  process.env.APPIMAGE = join(folder.path, 'Waxwing.AppImage');
  await using desktop = new DesktopPage(server.updates(folder.path));
  await page.goto(await desktop.start());
  await firstRun(page, 'ann');
  const about = await openSettings(page, 'About');

  await page.getByRole('switch', { name: 'Check for updates automatically' }).press('Space');
  await about.getByText('Beta', { exact: true }).click();
  await expect(about.getByRole('radio', { name: 'Beta' })).toBeChecked();
  expect(desktop.settings.store).toMatchObject({ updateChannel: 'beta', checkForUpdates: false });

  server.publish(manifest('1.3.0'));
  server.answers.set(fileOf('1.3.0'), Buffer.from('another app'));
  await about.getByRole('button', { name: 'Check now' }).click();
  await expect(about.locator('[data-setting=updates]').getByRole('status')).toHaveText(
    /isn’t the file that the release names/,
  );
  server.answers.set(fileOf('1.3.0'), appBytes);
  await about.getByRole('button', { name: 'Check now' }).click();
  await expect(about.locator('[data-setting=updates]').getByRole('status')).toHaveText(
    'Version 1.3.0 installs when you quit Waxwing.',
  );
  await expectWhole(page);
});
