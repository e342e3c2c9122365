import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { defaultSettings, type Settings } from '../../../src/bridge/shapes.ts';
import { lockDataFolder } from '../../../src/host/data-folder.ts';
import { startApp } from '../../../src/main/app.ts';
import { BrowserWindowDouble, ElectronDouble } from '../../support/electron/index.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url);

/** The real app, engine, relay and @echo, on a double of Electron. */
function start(
  folder: string,
  args: string[] = [],
  platform: NodeJS.Platform = 'linux',
  electron = new ElectronDouble(join(folder, 'data')),
) {
  const built = join(folder, 'interface');
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>Waxwing</title>');
  const settings: { store: Settings } = { store: defaultSettings };
  const app = startApp(electron.parts, {
    paths: {
      preload: '/out/preload/index.cjs',
      interface: built,
      trayImages: fileURLToPath(new URL('../../../build/tray', import.meta.url)),
    },
    workers: {
      engine: source('engine/worker.ts'),
      sealing: source('engine/sealing/worker.ts'),
      embedded: source('embedded/worker.ts'),
      store: source('relay/store/sqlite/worker.ts'),
    },
    openSettings: () => settings,
    updater: null,
    platform,
    executable: '/opt/Waxwing/waxwing',
    args,
  });
  return { electron, app, settings };
}

async function quit(electron: ElectronDouble, folder: string): Promise<void> {
  electron.app.quit();
  // The lock is given back last.
  await eventually(
    async () => {
      try {
        lockDataFolder(join(folder, 'data'))();
        return true;
      } catch {
        return false;
      }
    },
    (isFree) => isFree,
  );
}

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
  page.on('message.arrived', ({ text }) => arrived.push(text));
  const phrase = await page.calls['setup.newPhrase']({});
  if (!phrase.ok) throw new Error(phrase.failure.sentence);
  const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
  const me = await page.calls['setup.finish']({
    relay: { kind: 'embedded' },
    identity: { kind: 'new', answers },
  });
  expect(me.ok).toBe(true);
  const echo = await page.calls['people.resolve']({ query: '@echo' });
  const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.sentence);
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

test('closing the window hides it, unless the person wants otherwise; a second start shows it', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  electron.window.close();
  expect([electron.window.isDestroyed(), electron.window.isVisible()]).toEqual([false, false]);
  electron.app.startAgain();
  expect(electron.window.isVisible()).toBe(true);

  settings.store = { ...defaultSettings, keepInTray: false };
  electron.window.close();
  expect(electron.window.isDestroyed()).toBe(true);
  await quit(electron, folder.path);
});

test('C9: without a key store the page asks for a passphrase, and nothing is stored before', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.safeStorage.available = false;
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const phaseOf = async () => {
    const state = await page.calls['lock.state']({});
    return state.ok && state.value.phase;
  };
  expect(await phaseOf()).toBe('choose-passphrase');
  expect(await page.calls['app.state']({})).toMatchObject({ ok: false, failure: { code: 'locked' } });
  expect(readdirSync(join(folder.path, 'data')).filter((name) => !name.startsWith('lock'))).toEqual([]);
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
  const { electron, app } = start(folder.path, ['--unprotected-key']);
  electron.safeStorage.available = false;
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

test('C15: locked, tray and badge say nothing, and the data answers nobody', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const phrase = await page.calls['setup.newPhrase']({});
  if (!phrase.ok) throw new Error(phrase.failure.sentence);
  const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
  await page.calls['setup.finish']({ relay: { kind: 'embedded' }, identity: { kind: 'new', answers } });
  const echo = await page.calls['people.resolve']({ query: '@echo' });
  const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.sentence);
  await page.calls['messages.send']({ conversationId: chat.value.id, text: 'hello' });
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 1,
  );

  await page.calls['lock.turnOn']({ passphrase: 'four words or so' });
  await page.calls['lock.now']({});
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 0,
  );
  expect(await page.calls['conversations.list']({})).toMatchObject({
    ok: false,
    failure: { code: 'locked' },
  });
  await page.calls['lock.unlock']({ passphrase: 'four words or so' });
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 1,
  );
  await quit(electron, folder.path);
});

test('C19: a second instance opens no window and no data, and leaves', async () => {
  using folder = temporaryFolder();
  const electron = new ElectronDouble(join(folder.path, 'data'));
  electron.app.otherInstance = true;
  const { app } = start(folder.path, [], 'linux', electron);
  electron.app.becomeReady();
  expect(await app.ready).toBeNull();
  expect(electron.windows).toEqual([]);
  expect(existsSync(join(folder.path, 'data'))).toBe(false);
  expect(electron.app.exitCode).toBe(0);
});

test('C7: a link is handed over as data, once, and the window is shown; what is no link asks for nothing', async () => {
  using folder = temporaryFolder();
  const address = `0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [`waxwing:contact/${address}`, '--hidden']);
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

  expect(electron.app.openUrl(`waxwing:contact/${address}`).defaultPrevented).toBe(true);
  expect(await take()).toEqual({ address });
  electron.app.startAgain(['waxwing:contact/../../etc/passwd', '--data=/tmp/elsewhere']);
  electron.app.openUrl('waxwing:link/ABCD');
  expect(await take()).toBeNull();
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
  electron.powerMonitor.emit('unlock-screen');
  expect(electron.dialog.errors).toEqual([]);
  await quit(electron, folder.path);
  expect(electron.powerMonitor.listenerCount('resume')).toBe(0);
});

test('C14: a window that is kept out of screenshots is so before it is shown, and until that is changed', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], 'darwin');
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
  const elsewhere = join(folder.path, 'elsewhere');
  const link = `waxwing:contact/0x${'ab'.repeat(20)}`;
  const { electron, app } = start(folder.path, [
    link,
    `--data=${elsewhere}`,
    '--relay=https://evil.example',
    '--unprotected-key',
  ]);
  electron.safeStorage.available = false;
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['lock.state']({})).toMatchObject({
    ok: true,
    value: { phase: 'choose-passphrase' },
  });
  expect(existsSync(elsewhere)).toBe(false);
  await quit(electron, folder.path);
});
