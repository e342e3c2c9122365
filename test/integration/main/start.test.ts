import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_FIRST_LINKS } from '../../../src/bridge/longest.ts';
import { lockDataFolder } from '../../../src/host/data-folder.ts';
import { openSettings } from '../../../src/host/settings-file.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s a checkout does not use the identity or data of the installed app',
  (platform) => {
    using folder = temporaryFolder();
    const origins: string[] = [];
    const activators = new Set<string | null>();
    const namesOf = (isPackaged: boolean) => {
      const { app } = start(folder.path, [], {
        platform,
        isPackaged,
        dataFolder: (origin) => {
          origins.push(origin);
          return join(folder.path, 'data');
        },
      }).electron;
      activators.add(app.toastActivator);
      return [app.getName(), app.desktopName, app.modelId, app.protocolScheme];
    };
    const [onLinux, onWindows] = [platform === 'linux', platform === 'win32'];
    expect(namesOf(true)).toEqual([
      'Waxwing',
      null,
      onWindows ? 'dev.waxwing.app' : null,
      onWindows ? 'waxwing' : null,
    ]);
    expect(namesOf(false)).toEqual([
      'Waxwing Dev',
      onLinux ? 'dev.waxwing.app.dev.desktop' : null,
      onWindows ? 'dev.waxwing.app.dev' : null,
      null,
    ]);
    expect(origins).toEqual(['installed', 'checkout']);
    // The same in each run: Windows would keep each new one.
    expect([namesOf(true), namesOf(false), activators.size].at(-1)).toBe(onWindows ? 2 : 1);
  },
);

test('an AppImage is started without a sandbox where none is possible', () => {
  using folder = temporaryFolder();
  const electron = new ElectronDouble({ userData: join(folder.path, 'data') });
  electron.app.switches.add('no-sandbox');
  start(folder.path, ['--no-sandbox'], { electron });
  expect(electron.app.sandboxed).toBe(false);
});

test('C19: a second instance opens no window and no data, and ends', async () => {
  using folder = temporaryFolder();
  const electron = new ElectronDouble({ userData: join(folder.path, 'data') });
  electron.app.otherInstance = true;
  const { app } = start(folder.path, [], { electron });
  electron.app.becomeReady();
  expect(await app.ready).toBeNull();
  expect(electron.windows).toEqual([]);
  expect(readdirSync(join(folder.path, 'data'))).toEqual([]);
  expect(electron.app.exitCode).toBe(0);
});

test('C7: a link is passed as data, once, and the window is shown; other text opens nothing', async () => {
  using folder = temporaryFolder();
  const address = `0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [`waxwing:contact/${address}`, '--hidden'], {
    hasKeyStore: false,
  });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.window.isVisible()).toBe(false);
  const page = await preload(electron);
  const choose = async () => {
    const answer = await page.calls['host.receiveLink']({});
    return answer.ok && answer.value.link;
  };
  expect(await choose()).toEqual({ kind: 'contact', address });
  expect(await choose()).toBeNull();

  let announced = 0;
  page.on('link.waiting', () => announced++);
  electron.app.startAgain([`waxwing:contact/${address}`]);
  await eventually(
    async () => announced,
    (count) => count === 1,
  );
  expect(electron.window.isVisible()).toBe(true);
  expect(await choose()).toEqual({ kind: 'contact', address });

  // Opened while the page loads, the first one again and again.
  const other = `0x${'cd'.repeat(20)}`;
  for (const each of [...Array<string>(MAX_FIRST_LINKS).fill(address), other])
    electron.app.startAgain([`waxwing:contact/${each}`]);
  expect(await choose()).toEqual({ kind: 'contact', address });
  expect(await choose()).toEqual({ kind: 'contact', address: other });
  expect(await choose()).toBeNull();

  electron.app.startAgain(['waxwing:contact/../../etc/passwd', '--data=elsewhere']);
  expect(await choose()).toBeNull();
  await quit(electron, folder.path);
});

test('macOS passes a link as an event, also before the app is ready', async () => {
  using folder = temporaryFolder();
  const address = `0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
  expect(electron.app.openUrl(`waxwing:contact/${address}`).defaultPrevented).toBe(true);
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const choose = async () => {
    const answer = await page.calls['host.receiveLink']({});
    return answer.ok && answer.value.link;
  };
  expect(await choose()).toEqual({ kind: 'contact', address });
  electron.app.openUrl('waxwing:link/ABCD');
  expect(await choose()).toBeNull();
  electron.window.close();
  electron.app.emit('activate', {}, false);
  expect(electron.window.isVisible()).toBe(true);
  await quit(electron, folder.path);
});

test('V5: switches beside a link are ignored', async () => {
  using folder = temporaryFolder();
  const link = `waxwing:contact/0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [link, '--relay=https://evil.example', '--unprotected-key'], {
    hasKeyStore: false,
  });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['lock.state']({})).toMatchObject({
    ok: true,
    value: { phase: 'choose-passphrase' },
  });
  await quit(electron, folder.path);
});

test('a link beside --data opens no second app in the usual folder, and the reason is printed', async () => {
  using folder = temporaryFolder();
  const elsewhere = join(folder.path, 'elsewhere');
  const link = `waxwing:contact/0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [`--data=${elsewhere}`, link]);
  expect(await app.ready).toBeNull();
  expect(electron.dialog.errors).toEqual([
    { title: 'Waxwing can’t start', content: expect.stringContaining('Start Waxwing with --data alone') },
  ]);
  expect(electron.app.exitCode).toBe(1);
  expect([existsSync(elsewhere), existsSync(join(folder.path, 'data'))]).toEqual([false, false]);
});

test.each([
  ['win32', true, 'dev.waxwing.app', 'waxwing'],
  ['win32', false, 'dev.waxwing.app.dev', null],
  ['linux', true, null, null],
  ['darwin', true, null, null],
] as const)(
  'on %s, packaged: %s, the app names itself %s and opens links of %s',
  (platform, isPackaged, id, scheme) => {
    using folder = temporaryFolder();
    const { electron } = start(folder.path, [], { platform, isPackaged });
    expect([electron.app.modelId, electron.app.protocolScheme]).toEqual([id, scheme]);
  },
);

test('C19: data in another folder belongs to another app', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const { electron, app } = start(folder.path, ['--data', data], {
    hasKeyStore: false,
    userData: join(folder.path, 'usual'),
  });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.app.getPath('userData')).toBe(data);
  expect(existsSync(join(folder.path, 'usual'))).toBe(false);
  await quit(electron, folder.path);
});

test('an obstacle to the start is reported, and the process ends', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'data');
  writeFileSync(file, '');
  const atOnce = start(folder.path, ['--data', file]);
  expect(await atOnce.app.ready).toBeNull();
  expect(atOnce.electron.dialog.errors).toMatchObject([
    { title: 'Waxwing can’t start', content: expect.stringContaining('is a file. Waxwing needs a folder.') },
  ]);
  expect(atOnce.electron.app.exitCode).toBe(1);

  using another = temporaryFolder();
  mkdirSync(join(another.path, 'data'));
  writeFileSync(join(another.path, 'data', 'settings.json'), '{"theme": dark}');
  const later = start(another.path, [], { openSettings });
  later.electron.app.becomeReady();
  expect(await later.app.ready).toBeNull();
  expect(later.electron.dialog.errors).toMatchObject([
    { content: expect.stringContaining('Correct the file, or delete it') },
  ]);
  expect(later.electron.app.exitCode).toBe(1);
  // It is free for the next start.
  lockDataFolder(join(another.path, 'data'), () => undefined)();

  using third = temporaryFolder();
  const astray = start(third.path, ['--relay', 'ftp://relay.example']);
  astray.electron.app.becomeReady();
  expect(await astray.app.ready).toBeNull();
  expect(astray.electron.app.exitCode).toBe(1);
});
