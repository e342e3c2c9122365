import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../src/bridge/contract.ts';
import { defaultSettings, type Settings } from '../../../src/bridge/shapes.ts';
import { lockDataFolder } from '../../../src/host/data-folder.ts';
import { startApp } from '../../../src/main/app.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';

const icon = (name: string) => fileURLToPath(new URL(`../../../build/tray/${name}`, import.meta.url));
const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url);

/** The real app, engine, relay and @echo, on a double of Electron. */
function start(folder: string, args: string[] = []) {
  const electron = new ElectronDouble(join(folder, 'data'));
  const built = join(folder, 'interface');
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>Waxwing</title>');
  const settings: { store: Settings } = { store: defaultSettings };
  const app = startApp(electron.parts, {
    paths: {
      preload: '/out/preload/index.cjs',
      interface: built,
      icons: { idle: icon('tray.png'), unread: icon('tray-unread.png') },
    },
    workers: {
      engine: source('engine/worker.ts'),
      sealing: source('engine/sealing/worker.ts'),
      embedded: source('embedded/worker.ts'),
      store: source('relay/store/sqlite/worker.ts'),
    },
    openSettings: () => settings,
    platform: 'linux',
    args,
  });
  return { electron, app, settings };
}

/** What the page sees as `window.waxwing`: the real preload, on the double. */
async function pageOf(electron: ElectronDouble): Promise<Bridge> {
  const { parts, exposed } = electron.renderer();
  vi.doMock('electron', () => parts);
  vi.resetModules();
  await import('../../../src/preload/index.ts');
  return exposed.waxwing as Bridge;
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

afterEach(() => vi.doUnmock('electron'));

test('a page sets up an identity through preload, IPC, engine and relay, and @echo answers', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  expect(electron.dialog.errors).toEqual([]);
  const page = await pageOf(electron);
  expect(Object.keys(page).sort()).toEqual(['call', 'on']);
  expect(Object.isFrozen(page)).toBe(true);

  const arrived: string[] = [];
  page.on('message.arrived', ({ text }) => arrived.push(text));
  const phrase = await page.call('setup.newPhrase', {});
  if (!phrase.ok) throw new Error(phrase.failure.sentence);
  const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
  const me = await page.call('setup.finish', {
    relay: { kind: 'embedded' },
    identity: { kind: 'new', answers },
  });
  expect(me.ok).toBe(true);
  const echo = await page.call('people.resolve', { query: '@echo' });
  const chat = echo.ok ? await page.call('conversations.open', { address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.sentence);
  await page.call('messages.send', { conversationId: chat.value.id, text: 'hello' });
  await eventually(
    async () => arrived,
    ([text]) => text?.includes('hello') === true,
  );
  const info = await page.call('host.info', {});
  expect(info).toMatchObject({
    ok: true,
    value: { kind: 'electron', keyProtection: { kind: 'os-key-store' } },
  });
  const secret = { kind: 'phrase', secret: phrase.value.words.join(' ') };
  expect(await page.call('lock.revealSecret', { passphrase: null })).toEqual({ ok: true, value: secret });
  await page.call('clipboard.copy', { text: secret.secret, isSecret: true });
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
  electron.app.emit('second-instance');
  expect(electron.window.isVisible()).toBe(true);

  settings.store = { ...defaultSettings, keepInTray: false };
  electron.window.close();
  expect(electron.window.isDestroyed()).toBe(true);
  await quit(electron, folder.path);
});

test('without a key store the page asks for a passphrase, and nothing is stored before', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.safeStorage.available = false;
  electron.app.becomeReady();
  await app.ready;
  const page = await pageOf(electron);
  const phaseOf = async () => {
    const state = await page.call('lock.state', {});
    return state.ok && state.value.phase;
  };
  expect(await phaseOf()).toBe('choose-passphrase');
  expect(await page.call('app.state', {})).toMatchObject({ ok: false, failure: { code: 'locked' } });
  expect(readdirSync(join(folder.path, 'data')).filter((name) => !name.startsWith('lock'))).toEqual([]);
  await page.call('lock.choose', { passphrase: 'four words or so' });
  expect(await phaseOf()).toBe('open');
  expect(await page.call('host.info', {})).toMatchObject({
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
  const page = await pageOf(electron);
  expect(await page.call('host.info', {})).toMatchObject({
    ok: true,
    value: { keyProtection: { kind: 'file' } },
  });
  expect(await page.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'new' } });
  await quit(electron, folder.path);
});

test('locked, tray and badge say nothing, and the data answers nobody', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  const page = await pageOf(electron);
  const phrase = await page.call('setup.newPhrase', {});
  if (!phrase.ok) throw new Error(phrase.failure.sentence);
  const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
  await page.call('setup.finish', { relay: { kind: 'embedded' }, identity: { kind: 'new', answers } });
  const echo = await page.call('people.resolve', { query: '@echo' });
  const chat = echo.ok ? await page.call('conversations.open', { address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.sentence);
  await page.call('messages.send', { conversationId: chat.value.id, text: 'hello' });
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 1,
  );

  await page.call('lock.turnOn', { passphrase: 'four words or so' });
  await page.call('lock.now', {});
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 0,
  );
  expect(await page.call('conversations.list', {})).toMatchObject({ ok: false, failure: { code: 'locked' } });
  await page.call('lock.unlock', { passphrase: 'four words or so' });
  await eventually(
    async () => electron.app.badge,
    (badge) => badge === 1,
  );
  await quit(electron, folder.path);
});
