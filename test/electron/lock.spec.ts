/**
 * App lock in the real Electron: its passphrase replaces the key in the system's key store, also after restarts.
 */
import type { Page } from '@playwright/test';
import { firstRun, lockScreen, unlock } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { systemSleeps } from './main-process.ts';
import { binary, isPackaged, NO_INSPECTOR, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');

const PASSPHRASE = 'plumage under a warm lamp';

const mainWindow = (page: Page) => page.getByRole('button', { name: 'New chat' }).first();

/** A wrong passphrase is refused with a sentence; the right one unlocks. */
async function unlockAtSecondTry(page: Page): Promise<void> {
  await expect(lockScreen(page)).toBeVisible();
  await expect(mainWindow(page)).toBeHidden();
  await unlock(page, 'plumage under a cold lamp');
  await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
  await unlock(page, PASSPHRASE);
  await expect(mainWindow(page)).toBeVisible();
}

test('App lock removes the key from the key store, refuses a wrong passphrase, and returns the key', async () => {
  using folder = temporaryFolder();
  {
    await using app = await startApp(folder.path);
    const { page } = app;
    await firstRun(page, 'desktop');
    await app.call('lock.turnOn', { passphrase: PASSPHRASE });
    expect(await app.call('host.info', {})).toMatchObject({ keyProtection: { kind: 'passphrase' } });
    await app.call('lock.now', {});
    await unlockAtSecondTry(page);
  }
  {
    await using locked = await startApp(folder.path);
    await unlockAtSecondTry(locked.page);
    await locked.call('lock.turnOff', { passphrase: PASSPHRASE });
    expect(await locked.call('host.info', {})).toMatchObject({ keyProtection: { kind: 'os-key-store' } });
  }
  await using open = await startApp(folder.path);
  await expect(mainWindow(open.page)).toBeVisible();
});

test('going to sleep locks the app if the setting is on', async () => {
  test.skip(isPackaged, NO_INSPECTOR);
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  await app.call('lock.turnOn', { passphrase: PASSPHRASE });
  await app.call('settings.set', { lockWithScreen: true });
  await systemSleeps(app.main);
  await unlockAtSecondTry(app.page);
});
