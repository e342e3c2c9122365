import { expect, test } from 'vitest';
import { ElectronDouble } from '../../../support/electron/index.ts';
import { optionsOf } from '../../../support/electron/options.ts';

const notReady = /before the app is ready/;

test('what needs a ready app is refused before', async () => {
  const { parts } = new ElectronDouble();
  const { BrowserWindow, Menu, Notification, protocol, safeStorage } = parts;
  expect(() => new BrowserWindow({})).toThrow(notReady);
  expect(() => new Notification({})).toThrow(notReady);
  expect(() => new parts.Tray('icon.png')).toThrow(notReady);
  expect(() => parts.session.defaultSession).toThrow(notReady);
  expect(() => parts.powerMonitor).toThrow(notReady);
  expect(() => protocol.handle('app', () => new Response())).toThrow(notReady);
  await expect(safeStorage.isAsyncEncryptionAvailable()).rejects.toThrow(notReady);
  expect(() => Menu.buildFromTemplate([])).not.toThrow();
});

test('what has to come before the app is ready is refused after', () => {
  const { app, parts } = new ElectronDouble();
  app.becomeReady();
  expect(() => parts.app.enableSandbox()).toThrow(notReady);
  expect(() => parts.protocol.registerSchemesAsPrivileged([])).toThrow(notReady);
});

test('an option that Electron does not declare is refused, wherever it stands', () => {
  const { app, parts } = new ElectronDouble();
  app.becomeReady();
  const misspelt = { contextIsolaton: true } as object;
  const refused = /has no option called contextIsolaton/;
  expect(() => new parts.BrowserWindow(misspelt)).toThrow(refused);
  expect(() => new parts.BrowserWindow({ webPreferences: misspelt })).toThrow(refused);
  expect(() => new parts.Notification(misspelt)).toThrow(refused);
  expect(() => parts.Menu.buildFromTemplate([misspelt])).toThrow(refused);
  expect(() => parts.Menu.buildFromTemplate([{ label: 'More', submenu: [misspelt] }])).toThrow(refused);
});

test('the known options are those of the declarations, inherited ones too', () => {
  expect(optionsOf('WebPreferences')).toContain('contextIsolation');
  // Declared by the interface that it extends.
  expect(optionsOf('BrowserWindowConstructorOptions')).toContain('minWidth');
  expect(() => optionsOf('NoSuchOptions')).toThrow('NoSuchOptions');
});

test('a window that is destroyed can neither be shown nor written to', () => {
  const { app, parts } = new ElectronDouble();
  app.becomeReady();
  const window = new parts.BrowserWindow({ show: false });
  window.close();
  expect(window.isDestroyed()).toBe(true);
  expect(() => window.show()).toThrow('Object has been destroyed');
  expect(() => window.webContents.send('channel', null)).toThrow('Object has been destroyed');
});

test('what structured clone refuses is not sent', () => {
  const { app, parts } = new ElectronDouble();
  app.becomeReady();
  const window = new parts.BrowserWindow({ show: false });
  expect(() => window.webContents.send('channel', () => undefined)).toThrow();
});

test('a screen that is given without a video throws in the main process, as in Electron', () => {
  const { session } = new ElectronDouble();
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  expect(() => session.shareScreen()).toThrow('no video stream was provided');
});
