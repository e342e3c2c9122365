/** Calls that the double of Electron refuses, because the real one throws or silently does nothing. */
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import { describe, expect, test } from 'vitest';
import { declarationOf } from '../../../support/electron/declarations.ts';
import { type DoubleOptions, ElectronDouble } from '../../../support/electron/index.ts';
import { asElectron } from '../../../support/electron/strict.ts';

const icon = fileURLToPath(new URL('../../../../build/tray/tray.png', import.meta.url));

function ready(options: DoubleOptions = {}) {
  const electron = new ElectronDouble(options);
  electron.app.becomeReady();
  return electron;
}

describe('a call at the wrong time', () => {
  test('is refused before the app is ready', async () => {
    const { parts } = new ElectronDouble();
    const { BrowserWindow, Notification, Tray, nativeImage, protocol, safeStorage, session } = parts;
    expect(() => new BrowserWindow({})).toThrow('Cannot create BrowserWindow before app is ready');
    expect(() => new Notification({})).toThrow('Cannot create Notification before app is ready');
    expect(() => new Tray(nativeImage.createFromPath(icon))).toThrow(
      'Cannot create Tray before app is ready',
    );
    expect(() => session.defaultSession).toThrow('Session can only be received when app is ready');
    expect(() => protocol.handle('app', () => new Response())).toThrow(
      'Session can only be received when app is ready',
    );
    const early = 'safeStorage cannot be used before app is ready';
    await expect(safeStorage.encryptStringAsync('secret')).rejects.toThrow(early);
    await expect(safeStorage.decryptStringAsync(Buffer.from('v11'))).rejects.toThrow(early);
  });

  test('is answered if the real one does not refuse', async () => {
    const { parts } = new ElectronDouble();
    expect(await parts.safeStorage.isAsyncEncryptionAvailable()).toBe(false);
    expect(parts.safeStorage.getSelectedStorageBackend()).toBe('unknown');
    expect(() => parts.Menu.setApplicationMenu(parts.Menu.buildFromTemplate([]))).not.toThrow();
    expect(() => parts.powerMonitor.on('resume', () => undefined)).not.toThrow();
    expect(() => parts.dialog.showErrorBox('Waxwing', 'cannot start')).not.toThrow();
  });

  test('is refused after the app is ready', () => {
    const { parts } = ready();
    expect(() => parts.app.enableSandbox()).toThrow('can only be called before app is ready');
    expect(() => parts.protocol.registerSchemesAsPrivileged([])).toThrow(
      'should be called before app is ready',
    );
  });

  test('reports a second start only after the app is ready', () => {
    const { app, parts } = new ElectronDouble();
    const emitted: string[][] = [];
    parts.app.on('second-instance', (_event, argv) => emitted.push(argv));
    app.startAgain(['--hidden']);
    expect(emitted).toEqual([]);
    app.becomeReady();
    expect(emitted).toEqual([['/opt/Waxwing/waxwing', '--hidden']]);
  });
});

describe('an undeclared name', () => {
  const misspelt = { contextIsolaton: true } as object;
  const refused = /has no option called contextIsolaton/;

  test.each<[string, (electron: ElectronDouble) => unknown]>([
    ['a window', ({ parts }) => new parts.BrowserWindow(misspelt)],
    ['a window’s page', ({ parts }) => new parts.BrowserWindow({ webPreferences: misspelt })],
    ['a notification', ({ parts }) => new parts.Notification(misspelt)],
    ['a button of it', ({ parts }) => new parts.Notification({ actions: [misspelt as never] })],
    ['a menu', ({ parts }) => parts.Menu.buildFromTemplate([{ label: 'x', ...misspelt }])],
    [
      'a menu in a menu',
      ({ parts }) => parts.Menu.buildFromTemplate([{ label: 'x', submenu: [{ label: 'y', ...misspelt }] }]),
    ],
    ['an open menu', ({ parts }) => parts.Menu.buildFromTemplate([]).popup(misspelt)],
  ])('is refused as an option of %s', (_what, use) => {
    expect(() => use(ready())).toThrow(refused);
  });

  test('is refused as an option of a scheme, of its privileges, and of a login item', () => {
    const { parts } = new ElectronDouble({ platform: 'darwin' });
    const { app, protocol } = parts;
    expect(() => protocol.registerSchemesAsPrivileged([{ scheme: 'app', ...misspelt }])).toThrow(refused);
    expect(() => protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: misspelt }])).toThrow(
      refused,
    );
    expect(() => app.setLoginItemSettings(misspelt)).toThrow(refused);
  });

  test('is refused as an event by listeners and emitters', () => {
    const electron = ready();
    const { app, parts } = electron;
    const window = new parts.BrowserWindow({ show: false });
    const listen = (emitter: unknown, event: string) =>
      (emitter as NodeJS.EventEmitter).on(event, () => undefined);
    expect(() => listen(parts.app, 'secondInstance')).toThrow('App has no event called secondInstance');
    expect(() => listen(parts.powerMonitor, 'wake')).toThrow('PowerMonitor has no event called wake');
    expect(() => listen(window, 'will-close')).toThrow('BrowserWindow has no event called will-close');
    expect(() => listen(window.webContents, 'navigate')).toThrow('WebContents has no event called navigate');
    expect(() => listen(parts.session.defaultSession, 'download')).toThrow('Session has no event');
    expect(() => app.emit('secondInstance')).toThrow('App has no event called secondInstance');
    expect(() => (window as NodeJS.EventEmitter).once('will-close', () => undefined)).toThrow('no event');
  });

  test('is refused as a member, as are members missing in the double', () => {
    const { parts } = ready();
    const window = new parts.BrowserWindow({ show: false });
    const read = (of: unknown, name: string) => (of as Record<string, unknown>)[name];
    expect(() => read(parts.app, 'isQuitting')).toThrow('Electron’s App has no isQuitting');
    expect(() => read(parts.app, 'becomeReady')).toThrow('Electron’s App has no becomeReady');
    expect(() => read(parts.Menu, 'fromTemplate')).toThrow('Electron’s class Menu has no fromTemplate');
    expect(() => read(window, 'contents')).toThrow('Electron’s BrowserWindow has no contents');
    expect(() => read(window.webContents.mainFrame, 'href')).toThrow('Electron’s WebFrameMain has no href');
    expect(() => Reflect.set(parts.app, 'isQuitting', true)).toThrow('Electron’s App has no isQuitting');
    expect(() => read(window, 'setKiosk')).toThrow('the double of BrowserWindow lacks setKiosk');
  });
});

test('the compiler refuses a member that differs from Electron’s declaration', () => {
  // @ts-expect-error: it is a text
  expect(asElectron<Electron.App>({ getVersion: () => 45 }, 'App', 'linux')).toBeTypeOf('object');
  // @ts-expect-error: it is a promise
  expect(asElectron<Electron.Clipboard>({ readText: () => '' }, 'Clipboard', 'linux')).toBeTypeOf('object');
  // @ts-expect-error: nothing of Electron's
  expect(asElectron<Electron.Shell>({ openInternal: () => undefined }, 'Shell', 'linux')).toBeTypeOf(
    'object',
  );
});

describe('another platform', () => {
  test('lacks members declared for one platform', () => {
    const missing = (platform: NodeJS.Platform) => {
      const { parts } = ready({ platform });
      const window = new parts.BrowserWindow({ show: false });
      return Object.entries({
        setBadgeCount: parts.app.setBadgeCount,
        setAppUserModelId: parts.app.setAppUserModelId,
        setLoginItemSettings: parts.app.setLoginItemSettings,
        getSelectedStorageBackend: parts.safeStorage.getSelectedStorageBackend,
        setOverlayIcon: window.setOverlayIcon,
      }).flatMap(([name, member]) => (member === undefined ? [name] : []));
    };
    expect(missing('linux')).toEqual(['setAppUserModelId', 'setLoginItemSettings', 'setOverlayIcon']);
    expect(missing('darwin')).toEqual(['setAppUserModelId', 'getSelectedStorageBackend', 'setOverlayIcon']);
    expect(missing('win32')).toEqual(['setBadgeCount', 'getSelectedStorageBackend']);
  });

  test('emits no event declared for one platform', () => {
    const { app, powerMonitor } = ready();
    expect(() => app.openUrl('waxwing:')).toThrow('tells no open-url on linux');
    expect(() => powerMonitor.emit('unlock-screen')).toThrow('tells no unlock-screen on linux');
  });

  test('Windows stores no notification with a too long name', () => {
    const groupId = 'g'.repeat(65);
    expect(() => new (ready({ platform: 'win32' }).parts.Notification)({ groupId })).toThrow('64');
    expect(() => new (ready({ platform: 'darwin' }).parts.Notification)({ groupId })).not.toThrow();
  });
});

describe('impossible states', () => {
  test('a destroyed window does nothing', () => {
    const { parts } = ready();
    const window = new parts.BrowserWindow({ show: false });
    const { webContents } = window;
    window.close();
    expect(window.isDestroyed()).toBe(true);
    expect(() => window.show()).toThrow('Object has been destroyed');
    expect(() => window.webContents).toThrow('Object has been destroyed');
    expect(() => webContents.send('channel', null)).toThrow('Object has been destroyed');
  });

  test('refuses a key store that changes after the first query', async () => {
    const { parts, safeStorage } = ready();
    safeStorage.become({ opens: false });
    await parts.safeStorage.encryptStringAsync('x');
    expect(() => safeStorage.become({ opens: true })).toThrow('until it ends');
  });

  test('reports a refused login item or notification without an exception', () => {
    const { app, parts } = ready({ platform: 'darwin' });
    app.loginItemRefused = 'requires-approval';
    parts.app.setLoginItemSettings({ openAtLogin: true });
    expect(parts.app.getLoginItemSettings()).toMatchObject({
      openAtLogin: false,
      status: 'requires-approval',
    });
    app.notificationsRefused = 'not signed';
    expect(() => new parts.Notification({ title: 'x' }).show()).not.toThrow();
  });

  test('does not send values that structured clone refuses', () => {
    const window = new (ready().parts.BrowserWindow)({ show: false });
    expect(() => window.webContents.send('channel', () => undefined)).toThrow('could not be cloned');
  });

  test('reports a message on a channel without listeners', () => {
    const { ipcMain, parts, windows } = ready();
    new parts.BrowserWindow({ show: false });
    parts.ipcMain.on('right', () => undefined);
    for (const { contents } of windows) {
      for (const channel of ['right', 'wrong']) ipcMain.deliver(channel, contents, contents.frame, null);
    }
    expect(ipcMain.unheard).toEqual(['wrong']);
  });

  test('throws in the main process for a screen without a video', () => {
    const { session } = new ElectronDouble();
    session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
    expect(() => session.shareScreen()).toThrow('no video stream was provided');
  });

  test('refuses a menu item without contents or of an unknown kind', () => {
    const { parts } = new ElectronDouble();
    expect(() => parts.Menu.buildFromTemplate([{}])).toThrow('at least one of label, role or type');
    expect(() => parts.Menu.buildFromTemplate([{ label: 'x', type: 'switch' as never }])).toThrow('switch');
    expect(() => parts.Menu.setApplicationMenu({} as never)).toThrow('Invalid menu');
  });

  test('creates no icon from a missing image', () => {
    const { parts } = ready();
    expect(() => new parts.Tray(parts.nativeImage.createFromPath('/no/such.png'))).toThrow('invisible');
  });

  test('caches compiled code only for a standard scheme', () => {
    const { parts } = new ElectronDouble();
    const scheme = { scheme: 'app', privileges: { codeCache: true } };
    expect(() => parts.protocol.registerSchemesAsPrivileged([scheme])).toThrow('standard scheme');
  });

  test('a scheme has one handler, which returns a response', async () => {
    const { parts, protocol } = ready();
    parts.protocol.handle('app', () => ({}) as Response);
    expect(() => parts.protocol.handle('app', () => new Response())).toThrow('Failed to register protocol');
    await expect(protocol.request('app://waxwing/')).rejects.toThrow('ERR_UNEXPECTED');
  });
});

test('returns the same object everywhere', () => {
  const { parts } = ready();
  const window = new parts.BrowserWindow({ show: false });
  const { webContents } = window;
  const { mainFrame } = webContents;
  expect(window.webContents === webContents).toBe(true);
  expect(window.webContents.mainFrame === mainFrame).toBe(true);
  expect(window.on('closed', () => undefined) === window).toBe(true);
});

test('knows only declared members, including inherited and platform ones', () => {
  expect([...declarationOf('WebPreferences').members.keys()]).toContain('contextIsolation');
  // Declared by the interface that it extends.
  expect([...declarationOf('BrowserWindowConstructorOptions').members.keys()]).toContain('minWidth');
  expect(declarationOf('BrowserWindow').members.get('setOverlayIcon')).toEqual(new Set(['win32']));
  expect(declarationOf('BrowserWindow').members.get('show')).toBeNull();
  expect(declarationOf('App').events.get('open-url')).toEqual(new Set(['darwin']));
  expect([...declarationOf('Menu').statics.keys()]).toContain('buildFromTemplate');
  expect(() => declarationOf('NoSuchOptions')).toThrow('NoSuchOptions');
});
