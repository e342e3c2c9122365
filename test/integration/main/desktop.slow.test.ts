import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

afterEach(() => vi.restoreAllMocks());

test('start at login and its setting agree, whichever was changed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'autostart', 'waxwing.desktop');
  const first = start(folder.path);
  first.settings.store = { ...defaultSettings, startAtLogin: true };
  first.electron.app.becomeReady();
  await first.app.ready;
  // Another program removed it from the system's list.
  expect(first.settings.store.startAtLogin).toBe(false);
  const page = await preload(first.electron);
  await page.calls['settings.set']({ startAtLogin: true });
  await quit(first.electron, folder.path);

  // It was moved meanwhile.
  writeFileSync(file, readFileSync(file, 'utf8').replace('/opt/Waxwing', '/home/ann'));
  const second = start(folder.path, [], { hasKeyStore: false });
  second.settings.store = { ...defaultSettings, startAtLogin: true };
  second.electron.app.becomeReady();
  await second.app.ready;
  expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/Waxwing/waxwing" --hidden');
  await quit(second.electron, folder.path);

  // A folder in the place of the file: the system refuses.
  using another = temporaryFolder();
  const third = start(another.path);
  third.electron.app.becomeReady();
  await third.app.ready;
  mkdirSync(join(another.path, 'autostart', 'waxwing.desktop'), { recursive: true });
  const { calls } = await preload(third.electron);
  expect(await calls['settings.set']({ startAtLogin: true })).toMatchObject({ ok: true });
  expect(third.electron.dialog.errors).toHaveLength(1);
  expect(third.settings.store.startAtLogin).toBe(false);
  await quit(third.electron, another.path);
});

test('a checkout neither starts at login nor changes the setting of the installed app', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'autostart', 'waxwing.desktop');
  mkdirSync(join(folder.path, 'autostart'));
  writeFileSync(file, 'of the installed one');
  const { electron, app, settings } = start(folder.path, [], { isPackaged: false });
  settings.store = { ...defaultSettings, startAtLogin: true };
  electron.app.becomeReady();
  await app.ready;
  expect(electron.dialog.errors).toEqual([]);
  const page = await preload(electron);
  await page.calls['settings.set']({ startAtLogin: false });
  expect(electron.dialog.errors.map(({ content }) => content)).toEqual([
    'Only the installed app can start when you log in.',
  ]);
  expect(settings.store.startAtLogin).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('of the installed one');
  await quit(electron, folder.path);
});
