import type { AppUpdater } from 'electron-updater';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { Session } from '../../../src/host/session.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

afterEach(() => vi.restoreAllMocks());

test('quitting while the app opens causes no error', async () => {
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

test('the end of the Windows session quits the app without leaving secrets', async () => {
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

test('a part that cannot end in order does not keep the app from ending', async () => {
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
  // A second request does not change this.
  electron.app.quit();
  expect(await electron.app.exited).toBe(0);
  expect(closing).toHaveBeenCalledOnce();
  await quit(electron, folder.path);
});

test('a broken relay or engine is reported', async () => {
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

test('an update is installed when the app quits, but not while Windows ends the session, which would end the installer', async () => {
  using folder = temporaryFolder();
  let questions = 0;
  const events: string[] = [];
  const updater = {
    app: {},
    autoInstallOnAppQuit: null,
    httpExecutor: {
      addRedirectHandlers: () => undefined,
      createRequest: () => undefined,
      doDownload: () => undefined,
    },
    setFeedURL: () => undefined,
    on: (event: string) => events.push(event),
    checkForUpdates: async () => {
      questions++;
      return null;
    },
  };
  const { electron, app, settings } = start(folder.path, [], {
    hasKeyStore: false,
    platform: 'win32',
    // This test checks only the call; test/integration/main/updates has the real one.
    updater: updater as unknown as AppUpdater,
  });
  settings.store = { ...defaultSettings, checkForUpdates: false };
  electron.app.becomeReady();
  await app.ready;
  expect([updater.autoInstallOnAppQuit, questions]).toEqual([true, 0]);
  expect(events).toContain('appimage-filename-updated');
  const page = await preload(electron);
  const received: unknown[] = [];
  page.on('updates.changed', ({ phase }) => received.push(phase));
  expect(await page.calls['updates.check']({})).toMatchObject({ ok: true });
  await eventually(
    async () => received,
    (phases) => phases.at(-1) === 'unavailable',
  );
  expect(questions).toBe(1);
  let atQuit: unknown;
  electron.app.once('quit', () => {
    atQuit = updater.autoInstallOnAppQuit;
  });
  electron.window.emit('session-end', { reasons: ['shutdown'] });
  expect(await electron.app.exited).toBe(0);
  expect(atQuit).toBe(false);
});
