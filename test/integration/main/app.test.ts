import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as Electron from 'electron';
import type { AppUpdater } from 'electron-updater';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { defaultSettings } from '../../../src/bridge/default-settings.ts';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import { lockDataFolder } from '../../../src/host/data-folder.ts';
import { Session } from '../../../src/host/session.ts';
import { openSettings } from '../../../src/host/settings-file.ts';
import { BrowserWindowDouble, ElectronDouble } from '../../support/electron/index.ts';
import type { KeyStoreState } from '../../support/electron/safe-storage.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { ConnectProxy } from '../../support/private-network.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

vi.mock('node:crypto', async (original) =>
  (await import('../../support/cheap-scrypt.ts')).cheapScrypt(await original()),
);

afterEach(() => vi.restoreAllMocks());

test('C1, C6: a page sets up an identity through preload, IPC, engine and relay, and @echo answers', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  expect(electron.app.sandboxed, 'C1: for every process, before there is one').toBe(true);
  electron.app.becomeReady();
  await app.ready;
  expect(electron.dialog.errors).toEqual([]);
  const page = await preload(electron);
  expect(Object.keys(page).sort()).toEqual(['calls', 'on']);
  expect(Object.isFrozen(page)).toBe(true);

  const arrived: string[] = [];
  page.on('message.arrived', ({ gist }) => arrived.push(gist.text));
  const phrase = await page.calls['setup.newPhrase']({});
  if (!phrase.ok) throw new Error(phrase.failure.code);
  const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
  const me = await page.calls['setup.finish']({
    relay: { kind: 'embedded' },
    identity: { kind: 'new', answers },
  });
  expect(me.ok).toBe(true);
  const echo = await page.calls['people.resolve']({ query: '@echo' });
  const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.code);
  await page.calls['messages.send']({ conversationId: chat.value.id, text: 'hello' });
  await eventually(
    async () => arrived,
    ([text]) => text?.includes('hello') === true,
  );
  const info = await page.calls['host.info']({});
  expect(info).toMatchObject({
    ok: true,
    value: { kind: 'electron', keyProtection: { kind: 'os-key-store' } },
  });
  const secret = { kind: 'phrase', secret: phrase.value.words.join(' ') };
  expect(await page.calls['lock.revealSecret']({ passphrase: null })).toEqual({ ok: true, value: secret });
  await page.calls['clipboard.copy']({ text: secret.secret, isSecret: true });
  expect(electron.clipboard.text).toBe(secret.secret);
  await quit(electron, folder.path);
  expect(electron.clipboard.text, 'a secret does not outlive the app').toBe('');
});

test('a server elsewhere is reached through the proxy that Chromium names', async () => {
  using folder = temporaryFolder();
  await using proxy = await new ConnectProxy(0).start();
  proxy.refusal = 403;
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  electron.session.proxy = `PROXY 127.0.0.1:${proxy.port}; DIRECT`;
  const page = await preload(electron);
  expect(await page.calls['relay.check']({ url: 'https://relay.example' })).toMatchObject({
    value: { problem: { code: 'proxy_refused' } },
  });
  expect(proxy.asked).toEqual(['relay.example:443']);
  await quit(electron, folder.path);
});

test('the Help menu copies diagnostics and opens the log folder, also while the app is locked', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const menu = electron.applicationMenu;
  menu?.click('Copy diagnostics');
  const [told] = await eventually(
    async () => electron.dialog.messages,
    ({ length }) => length === 1,
  );
  expect(told).toMatchObject({ message: 'Diagnostics copied' });
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
  await quit(electron, folder.path);
});

test('closing the window hides it, unless the person wants otherwise; a second start shows it', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  expect(electron.window.isDestroyed()).toBe(false);
  electron.app.startAgain();
  expect(electron.window.isVisible()).toBe(true);

  settings.store = { ...defaultSettings, keepInTray: false };
  electron.window.close();
  expect(electron.window.isDestroyed()).toBe(true);
  await quit(electron, folder.path);
});

test('on a desktop without a tray a closed window ends the app, unless the person wants otherwise', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], {
    hasKeyStore: false,
    hasTray: async () => false,
  });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['host.desktop']({})).toEqual({
    ok: true,
    value: {
      hasTray: false,
      notificationsFail: false,
      dictionaries: ['de', 'en-GB', 'en-US', 'pt-BR', 'uk'],
    },
  });
  settings.store = { ...defaultSettings, keepInTray: true };
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  electron.app.startAgain();
  expect(electron.window.isVisible()).toBe(true);

  settings.store = defaultSettings;
  electron.window.close();
  expect(await electron.app.exited).toBe(0);
});

test('C9: a key store that is locked opens the messages after a restart, not within the process', async () => {
  using folder = temporaryFolder();
  const keyStoreKey = randomBytes(32);
  const begin = (args: string[], state: Partial<KeyStoreState> = {}) => {
    const electron = new ElectronDouble({ userData: join(folder.path, 'data'), keyStoreKey });
    electron.safeStorage.become(state);
    const { app } = start(folder.path, args, { electron });
    electron.app.becomeReady();
    return { electron, app };
  };
  const phaseOf = async (page: Awaited<ReturnType<typeof preload>>) => {
    const state = await page.calls['lock.state']({});
    return state.ok && [state.value.phase, state.value.because];
  };
  const first = begin([]);
  await first.app.ready;
  await quit(first.electron, folder.path);

  const locked = begin(['--hidden', `--data=${join(folder.path, 'data')}`], { opens: false });
  await locked.app.ready;
  const page = await preload(locked.electron);
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  await page.calls['lock.retry']({});
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  // The page is gone before it could hear an answer.
  void page.calls['host.restart']({});
  expect(await locked.electron.app.exited).toBe(0);
  expect(locked.electron.app.relaunches, 'with its window').toEqual([
    { execPath: '/opt/Waxwing/waxwing', args: [`--data=${join(folder.path, 'data')}`] },
  ]);

  const again = begin([]);
  await again.app.ready;
  expect(await phaseOf(await preload(again.electron))).toEqual(['open', null]);
  await quit(again.electron, folder.path);
});

test('C9: without a key store the page asks for a passphrase, and nothing is stored before', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const phaseOf = async () => {
    const state = await page.calls['lock.state']({});
    return state.ok && state.value.phase;
  };
  expect(await phaseOf()).toBe('choose-passphrase');
  expect(await page.calls['app.state']({})).toMatchObject({ ok: false, failure: { code: 'locked' } });
  expect(
    readdirSync(join(folder.path, 'data')).filter((name) => name !== 'logs' && !name.startsWith('lock')),
  ).toEqual([]);
  await page.calls['lock.choose']({ passphrase: 'four words or so' });
  expect(await phaseOf()).toBe('open');
  expect(await page.calls['host.info']({})).toMatchObject({
    ok: true,
    value: { keyProtection: { kind: 'passphrase' } },
  });
  await quit(electron, folder.path);
});

test('without a key store the key may lie open where that is asked for by name', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, ['--unprotected-key'], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['host.info']({})).toMatchObject({
    ok: true,
    value: { keyProtection: { kind: 'file' } },
  });
  expect(await page.calls['app.state']({})).toMatchObject({ ok: true, value: { phase: 'new' } });
  await quit(electron, folder.path);
});

/** What stands on the app's icon: a number, or on Windows an image and words for a screen reader. */
function badgeOf({ app, window }: ElectronDouble): string | null {
  if (app.platform === 'win32')
    return window.overlay && `${window.overlay.description}, ${basename(window.overlay.path)}`;
  return app.badge === 0 ? null : String(app.badge);
}

test.each([
  ['linux', '1'],
  ['win32', '1 unread, badge.png'],
] as const)(
  'C15: locked, tray and badge on %s say nothing, and the data answers nobody',
  async (platform, badge) => {
    using folder = temporaryFolder();
    const { electron, app } = start(folder.path, [], { platform });
    const shows = (expected: string | null) =>
      eventually(
        async () => badgeOf(electron),
        (shown) => shown === expected,
      );
    electron.app.becomeReady();
    await app.ready;
    const page = await preload(electron);
    const phrase = await page.calls['setup.newPhrase']({});
    if (!phrase.ok) throw new Error(phrase.failure.code);
    const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
    await page.calls['setup.finish']({ relay: { kind: 'embedded' }, identity: { kind: 'new', answers } });
    const echo = await page.calls['people.resolve']({ query: '@echo' });
    const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
    if (!chat.ok) throw new Error(chat.failure.code);
    await page.calls['messages.send']({ conversationId: chat.value.id, text: 'hello' });
    await shows(badge);

    await page.calls['lock.turnOn']({ passphrase: 'four words or so' });
    await page.calls['lock.now']({});
    await shows(null);
    expect(await page.calls['conversations.list']({})).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
    await page.calls['lock.unlock']({ passphrase: 'four words or so' });
    await shows(badge);
    await quit(electron, folder.path);
  },
);

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s what runs from a checkout is not taken for the installed app, nor for its data',
  (platform) => {
    using folder = temporaryFolder();
    const asked: string[] = [];
    const activators = new Set<string | null>();
    const namesOf = (isPackaged: boolean) => {
      const { app } = start(folder.path, [], {
        platform,
        isPackaged,
        dataFolder: (origin) => {
          asked.push(origin);
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
    expect(asked).toEqual(['installed', 'checkout']);
    // The same in each run: Windows would keep each new one.
    expect([namesOf(true), namesOf(false), activators.size].at(-1)).toBe(onWindows ? 2 : 1);
  },
);

test('an AppImage that is started without a sandbox, because there can be none, is not asked for one', () => {
  using folder = temporaryFolder();
  const electron = new ElectronDouble({ userData: join(folder.path, 'data') });
  electron.app.switches.add('no-sandbox');
  start(folder.path, ['--no-sandbox'], { electron });
  expect(electron.app.sandboxed).toBe(false);
});

test('the window is in the chosen theme before it paints, and has an icon where no desktop entry gives it one', async () => {
  using folder = temporaryFolder();
  const chosen = { store: { ...defaultSettings, theme: 'dark' as const } };
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, openSettings: () => chosen });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.nativeTheme.themeSource).toBe('dark');
  expect(electron.window.options).toMatchObject({
    backgroundColor: '#141210',
    icon: expect.stringMatching(/256x256\.png$/),
  });
  await quit(electron, folder.path);
});

test('C19: a second instance opens no window and no data, and leaves', async () => {
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

test('C7: a link is handed over as data, once, and the window is shown; what is no link asks for nothing', async () => {
  using folder = temporaryFolder();
  const address = `0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [`waxwing:contact/${address}`, '--hidden'], {
    hasKeyStore: false,
  });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.window.isVisible()).toBe(false);
  const page = await preload(electron);
  const take = async () => {
    const answer = await page.calls['host.takeLink']({});
    return answer.ok && answer.value.contact;
  };
  expect(await take()).toEqual({ address });
  expect(await take()).toBeNull();

  let told = 0;
  page.on('link.waiting', () => told++);
  electron.app.startAgain([`waxwing:contact/${address}`]);
  await eventually(
    async () => told,
    (count) => count === 1,
  );
  expect(electron.window.isVisible()).toBe(true);
  expect(await take()).toEqual({ address });

  electron.app.startAgain(['waxwing:contact/../../etc/passwd', '--data=elsewhere']);
  expect(await take()).toBeNull();
  await quit(electron, folder.path);
});

test('what the page asks while it loads is answered', async () => {
  using folder = temporaryFolder();
  let answer: Promise<unknown> | undefined;
  const { electron, app } = start(folder.path, [], {
    hasKeyStore: false,
    pages: {
      async load(url) {
        electron.window.contents.commit(url, 'app://waxwing');
        const page = await preload(electron);
        const isTold = once(electron.ipcMain, BRIDGE_CHANNEL);
        answer = page.calls['lock.state']({});
        // The page has not loaded before the main process is told.
        await isTold;
      },
      receive: () => undefined,
    },
  });
  electron.app.becomeReady();
  await app.ready;
  expect(await answer).toMatchObject({ ok: true });
  await quit(electron, folder.path);
});

test('anyone who quits while the app opens meets no error', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], {
    hasKeyStore: false,
    pages: {
      async load() {
        electron.app.quit();
        throw new Error('ERR_ABORTED (-3) loading app://waxwing/');
      },
      receive: () => undefined,
    },
  });
  electron.app.becomeReady();
  expect(await app.ready).toBeNull();
  expect(await electron.app.exited).toBe(0);
  expect(electron.dialog.errors).toEqual([]);
});

test('a window that fills the screen of macOS leaves it before it hides', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
  electron.app.becomeReady();
  await app.ready;
  const { window } = electron;
  window.setFullScreen(true);
  window.close();
  await eventually(
    async () => window.isFullScreen(),
    (isFull) => !isFull,
  );
  await eventually(
    async () => window.isVisible(),
    (isVisible) => !isVisible,
  );
  await quit(electron, folder.path);
});

test('when Windows ends the session of the person, the app quits, and nothing secret is left', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { platform: 'win32' });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  await page.calls['clipboard.copy']({ text: 'twelve words', isSecret: true });
  electron.window.emit('session-end', { reasons: ['logoff'] });
  expect(await electron.app.exited).toBe(0);
  expect(electron.clipboard.text).toBe('');
});

test('macOS brings a link as an event, also before the app is ready', async () => {
  using folder = temporaryFolder();
  const address = `0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
  expect(electron.app.openUrl(`waxwing:contact/${address}`).defaultPrevented).toBe(true);
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const take = async () => {
    const answer = await page.calls['host.takeLink']({});
    return answer.ok && answer.value.contact;
  };
  expect(await take()).toEqual({ address });
  electron.app.openUrl('waxwing:link/ABCD');
  expect(await take()).toBeNull();
  electron.window.close();
  electron.app.emit('activate', {}, false);
  expect(electron.window.isVisible()).toBe(true);
  await quit(electron, folder.path);
});

test('the tray pauses notifications and says until when; waking asks the relay; login is as the person wants', async () => {
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

test('what starts at login and the setting are true to each other, whichever was changed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'autostart', 'waxwing.desktop');
  const first = start(folder.path);
  first.settings.store = { ...defaultSettings, startAtLogin: true };
  first.electron.app.becomeReady();
  await first.app.ready;
  // Someone took it off the system's list.
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

test('an app that is not installed neither starts at login nor touches what the installed one has set', async () => {
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

test('no dictionary is fetched before the person wants spelling checked', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.session.dictionaries).toEqual({ from: 'https://127.0.0.1:9/', areWanted: false });
  await quit(electron, folder.path);
});

test('a server that asks for a certificate of the person is shown none', () => {
  using folder = temporaryFolder();
  const { electron } = start(folder.path);
  expect(electron.app.askForCertificate({ subjectName: 'Ann' } as Electron.Certificate)).toBeNull();
});

test('C14: a window that is kept out of screenshots is so before it is shown, and until that is changed', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], { platform: 'darwin' });
  settings.store = { ...settings.store, contentProtection: true };
  electron.app.becomeReady();
  const seen: (boolean | null)[] = [];
  const { show } = BrowserWindowDouble.prototype;
  vi.spyOn(BrowserWindowDouble.prototype, 'show').mockImplementation(function (this: BrowserWindowDouble) {
    seen.push(this.contentProtection);
    show.call(this);
  });
  await app.ready;
  vi.restoreAllMocks();
  expect(seen).toEqual([true]);
  const page = await preload(electron);
  await page.calls['settings.set']({ contentProtection: false });
  expect(electron.window.contentProtection).toBe(false);
  await quit(electron, folder.path);
});

test('V5: switches beside a link do not count', async () => {
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

test('a link beside --data opens no second app in the usual folder, and says why', async () => {
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

test('someone who starts it while it starts hidden at login is shown the window', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, ['--hidden'], { hasKeyStore: false });
  electron.app.startAgain();
  electron.app.becomeReady();
  await app.ready;
  expect(electron.window.isVisible()).toBe(true);
  electron.window.minimize();
  electron.app.startAgain();
  expect([electron.window.isMinimized(), electron.window.isFocused()]).toEqual([false, true]);
  await quit(electron, folder.path);
});

test('C4, C5: the page that the app shows gets no permission, no download, and menus of the app’s own', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const { session, window } = electron;
  for (const handler of [
    'permissionRequest',
    'permissionCheck',
    'devicePermission',
    'displayMedia',
  ] as const) {
    expect([handler, typeof session[handler]]).toEqual([handler, 'function']);
  }
  expect(session.download()).toBe(false);
  expect(electron.applicationMenu?.roles).toContain('editMenu');
  expect(window.contents.listenerCount('context-menu')).toBe(1);
  await quit(electron, folder.path);
});

test.each([
  ['win32', true, 'dev.waxwing.app', 'waxwing'],
  ['win32', false, 'dev.waxwing.app.dev', null],
  ['linux', true, null, null],
  ['darwin', true, null, null],
] as const)(
  'on %s, packaged: %s, the app names itself %s and takes links of %s',
  (platform, isPackaged, id, scheme) => {
    using folder = temporaryFolder();
    const { electron } = start(folder.path, [], { platform, isPackaged });
    expect([electron.app.modelId, electron.app.protocolScheme]).toEqual([id, scheme]);
  },
);

test('C19: data in another folder is that of another app', async () => {
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

test('what keeps the app from starting is said, and the process ends', async () => {
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

test('what cannot be ended in order does not keep the app from ending', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  const { close } = Session.prototype;
  const closing = vi.spyOn(Session.prototype, 'close').mockImplementation(async function (this: Session) {
    await close.call(this);
    await new Promise(setImmediate);
    throw new Error('The disk is gone');
  });
  electron.app.quit();
  // Impatience makes it no worse.
  electron.app.quit();
  expect(await electron.app.exited).toBe(0);
  expect(closing).toHaveBeenCalledOnce();
  await quit(electron, folder.path);
});

test('a relay or an engine that broke is said', async () => {
  using folder = temporaryFolder();
  vi.spyOn(Session.prototype, 'broken', 'get').mockReturnValue(
    Promise.resolve(new Failure('engine_stopped')),
  );
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.dialog.errors).toEqual([
    { title: 'Waxwing stopped', content: 'Waxwing stopped. Start it again. Nothing saved is lost.' },
  ]);
  await quit(electron, folder.path);
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

test('an update is installed when the app is quit, but not while Windows ends the session, which would end the installer', async () => {
  using folder = temporaryFolder();
  let asked = 0;
  const heard: string[] = [];
  const updater = {
    autoInstallOnAppQuit: null,
    httpExecutor: { addRedirectHandlers: () => undefined, createRequest: () => undefined },
    setFeedURL: () => undefined,
    on: (event: string) => heard.push(event),
    checkForUpdates: async () => {
      asked++;
      return null;
    },
  };
  const { electron, app, settings } = start(folder.path, [], {
    hasKeyStore: false,
    platform: 'win32',
    // Only whether it is asked counts here; test/integration/main/updates has the real one.
    updater: updater as unknown as AppUpdater,
  });
  settings.store = { ...defaultSettings, checkForUpdates: false };
  electron.app.becomeReady();
  await app.ready;
  expect([updater.autoInstallOnAppQuit, asked]).toEqual([true, 0]);
  expect(heard).toContain('appimage-filename-updated');
  const page = await preload(electron);
  const told: unknown[] = [];
  page.on('updates.changed', ({ phase }) => told.push(phase));
  expect(await page.calls['updates.check']({})).toMatchObject({ ok: true });
  await eventually(
    async () => told,
    (phases) => phases.at(-1) === 'unavailable',
  );
  expect(asked).toBe(1);
  let atQuit: unknown;
  electron.app.once('quit', () => {
    atQuit = updater.autoInstallOnAppQuit;
  });
  electron.window.emit('session-end', { reasons: ['shutdown'] });
  expect(await electron.app.exited).toBe(0);
  expect(atQuit).toBe(false);
});
