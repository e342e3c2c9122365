import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Session } from '../../../src/host/session.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

afterEach(() => vi.restoreAllMocks());

test('the Help menu copies diagnostics and opens the log folder, also while the app is locked', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const menu = electron.applicationMenu;
  menu?.click('Copy diagnostics');
  const [notice] = await eventually(
    async () => electron.dialog.messages,
    ({ length }) => length === 1,
  );
  expect(notice).toMatchObject({ message: 'Diagnostics copied' });
  expect(electron.clipboard.text).toMatch(/^waxwing: \S+\nhost: electron\nsystem: linux /);
  expect(electron.clipboard.text).toContain('\nlock: choose-passphrase\n');
  expect(electron.clipboard.text).toContain('\nengine: locked\n');
  expect(electron.clipboard.text).toContain('"event":"app.started"');

  const logs = join(folder.path, 'data', 'logs');
  menu?.click('Open log folder');
  await eventually(
    async () => electron.shell.opened,
    (opened) => opened.includes(logs),
  );
  expect(readdirSync(logs)).toEqual(['waxwing.log']);
  electron.shell.hasProgram = false;
  menu?.click('Open log folder');
  await eventually(
    async () => electron.dialog.errors,
    ({ length }) => length === 1,
  );
  expect(electron.dialog.errors).toEqual([{ title: 'Couldn’t open the log folder', content: logs }]);
  // A plain copy that was passed to another program.
  const opened = join(folder.path, 'data', 'opened');
  mkdirSync(opened);
  writeFileSync(join(opened, 'report.pdf'), 'plain');
  await quit(electron, folder.path);
  expect(existsSync(opened)).toBe(false);
});

test('the tray pauses notifications and shows until when; waking polls the relay; start at login follows the setting', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  const labels = () => electron.tray.menu?.labels ?? [];
  expect(labels()).toContain('Pause notifications');
  electron.tray.menu?.click('For 1 hour');
  await eventually(
    async () => labels(),
    (all) => all.some((label) => label.startsWith('Notifications are paused until')),
  );
  expect(settings.store.notificationsPausedUntil).toBeGreaterThan(Date.now());
  electron.tray.menu?.click('Resume notifications');
  await eventually(
    async () => labels(),
    (all) => all.includes('Pause notifications'),
  );

  const page = await preload(electron);
  await page.calls['settings.set']({ startAtLogin: true });
  expect(existsSync(join(folder.path, 'autostart', 'waxwing.desktop'))).toBe(true);
  await page.calls['settings.set']({ startAtLogin: false });
  expect(existsSync(join(folder.path, 'autostart', 'waxwing.desktop'))).toBe(false);

  expect(electron.powerMonitor.listenerCount('resume')).toBe(1);
  electron.powerMonitor.emit('resume');
  expect(electron.dialog.errors).toEqual([]);
  await quit(electron, folder.path);
  expect(electron.powerMonitor.listenerCount('resume')).toBe(0);
});

test.each(['resume', 'unlock-screen'])(
  'on %s both kinds of waiting for messages start again',
  async (event) => {
    using folder = temporaryFolder();
    const { electron, app } = start(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
    electron.app.becomeReady();
    await app.ready;
    const call = vi.spyOn(Session.prototype, 'call');
    const wake = vi.spyOn(Session.prototype, 'wake');
    electron.powerMonitor.emit(event);
    expect(call).toHaveBeenCalledWith('connection.retry', {});
    expect(wake).toHaveBeenCalledOnce();
    await quit(electron, folder.path);
    expect(electron.powerMonitor.listenerCount(event)).toBe(0);
  },
);
