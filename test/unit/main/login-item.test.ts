import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { expect, test } from 'vitest';
import type { EventName } from '../../../src/bridge/contract.ts';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import type { Calls } from '../../../src/host/calls.ts';
import {
  followLoginItem,
  followNewName,
  isHiddenStart,
  readLoginItem,
  setLoginItem,
} from '../../../src/main/login-item.ts';
import { connected } from '../../support/connected-window.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

function readyElectron(platform: NodeJS.Platform, folder = '/home/somebody/.config') {
  const electron = new ElectronDouble({ userData: join(folder, 'Waxwing'), platform });
  electron.app.becomeReady();
  return electron;
}

test('on Linux creates an entry that starts it hidden, and deletes it when turned off', () => {
  using folder = temporaryFolder();
  const { parts } = readyElectron('linux', folder.path);
  const file = join(folder.path, 'autostart', 'waxwing.desktop');
  const place = { platform: 'linux', executable: '/opt/My 100% Apps/Wax"wing', data: null } as const;
  setLoginItem(parts, place, true);
  const entry = readFileSync(file, 'utf8');
  expect(entry).toContain('Exec="/opt/My 100%% Apps/Wax\\\\"wing" --hidden\n');
  expect(entry).toContain('TryExec=/opt/My 100% Apps/Wax"wing\n');
  expect(entry.startsWith('[Desktop Entry]\nType=Application\nName=Waxwing\n')).toBe(true);
  setLoginItem(parts, place, false);
  setLoginItem(parts, place, false);
  expect(existsSync(file)).toBe(false);
});

test('on macOS and Windows calls the system', () => {
  const mac = readyElectron('darwin');
  setLoginItem(mac.parts, { platform: 'darwin', executable: '/x', data: null }, true);
  expect(mac.app.loginItem).toEqual({ openAtLogin: true });
  const { app, parts } = readyElectron('win32');
  setLoginItem(parts, { platform: 'win32', executable: 'C:\\Waxwing.exe', data: null }, true);
  expect(app.loginItem).toEqual({ openAtLogin: true, path: 'C:\\Waxwing.exe', args: ['--hidden'] });
  setLoginItem(parts, { platform: 'win32', executable: 'C:\\Waxwing.exe', data: null }, false);
  expect(app.loginItem).toMatchObject({ openAtLogin: false });
});

test('a start at login is hidden', () => {
  const { app, parts } = readyElectron('darwin');
  expect(isHiddenStart(parts, 'linux', ['--hidden'])).toBe(true);
  expect(isHiddenStart(parts, 'win32', [])).toBe(false);
  expect(isHiddenStart(parts, 'darwin', ['--hidden'])).toBe(false);
  app.wasOpenedAtLogin = true;
  expect(isHiddenStart(parts, 'darwin', [])).toBe(true);
});

test('on Linux detects whether the entry starts this program, another one, or none', () => {
  using folder = temporaryFolder();
  const { parts } = readyElectron('linux', folder.path);
  const file = join(folder.path, 'autostart', 'waxwing.desktop');
  const place = { platform: 'linux', executable: '/opt/Waxwing.AppImage', data: null } as const;
  expect(readLoginItem(parts, place)).toBe('off');
  setLoginItem(parts, place, true);
  expect(readLoginItem(parts, place)).toBe('on');
  expect(readLoginItem(parts, { ...place, executable: '/home/ann/Waxwing.AppImage', data: null })).toBe(
    'stale',
  );
  // The entry of the system's settings after the person turns it off there.
  appendFileSync(file, 'Hidden=true\n');
  expect(readLoginItem(parts, place)).toBe('off');
  setLoginItem(parts, place, true);
  writeFileSync(file, readFileSync(file, 'utf8').replace('enabled=true', 'enabled=false'));
  expect(readLoginItem(parts, place)).toBe('off');
});

test('on Windows an entry disabled in the Task Manager is off, and one with another path is stale', () => {
  const { app, parts } = readyElectron('win32');
  const place = { platform: 'win32', executable: 'C:\\Waxwing.exe', data: null } as const;
  setLoginItem(parts, place, true);
  expect(readLoginItem(parts, place)).toBe('on');
  expect(readLoginItem(parts, { ...place, executable: 'D:\\Waxwing.exe', data: null })).toBe('stale');
  app.isLoginItemActive = false;
  expect(readLoginItem(parts, place)).toBe('off');
});

test('on Windows finds it in a folder with a space in its name', () => {
  const { app, parts } = readyElectron('win32');
  const place = { platform: 'win32', executable: 'C:\\Users\\Ann Lee\\Waxwing.exe', data: null } as const;
  setLoginItem(parts, place, true);
  expect(readLoginItem(parts, place)).toBe('on');
  app.isLoginItemActive = false;
  expect(readLoginItem(parts, place)).toBe('off');
});

test('on Linux names an autostart folder that cannot be created', () => {
  using folder = temporaryFolder();
  const { parts } = readyElectron('linux', folder.path);
  const path = join(folder.path, 'autostart');
  writeFileSync(path, 'a file in its place');
  const place = { platform: 'linux', executable: '/opt/Waxwing/waxwing', data: null } as const;
  const put = () => setLoginItem(parts, place, true);
  expect(put).toThrow(
    expect.objectContaining({ code: 'folder_unusable', parameters: { path, reason: 'EEXIST' } }),
  );
});

test('on Linux an unreadable entry starts nothing', () => {
  using folder = temporaryFolder();
  const { parts } = readyElectron('linux', folder.path);
  mkdirSync(join(folder.path, 'autostart', 'waxwing.desktop'), { recursive: true });
  expect(readLoginItem(parts, { platform: 'linux', executable: '/opt/Waxwing/waxwing', data: null })).toBe(
    'off',
  );
});

test('starts with a full disk, and corrects the setting when there is room', async () => {
  const { electron, calls } = await connected();
  let store: Settings = { ...defaultSettings, startAtLogin: true };
  let isFull = true;
  const file = {
    get store() {
      return store;
    },
    set store(changed: Settings) {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      store = changed;
    },
  };
  const place = { platform: 'linux', executable: '/opt/Waxwing/waxwing', data: null } as const;
  const start = () => followLoginItem(electron.parts, place, { ...calls, settings: () => store }, file);
  expect(start).not.toThrow();
  isFull = false;
  start();
  expect(store.startAtLogin).toBe(false);
});

test('starts at login after an update has renamed the AppImage', () => {
  using folder = temporaryFolder();
  const { parts } = readyElectron('linux', folder.path);
  const settings = { ...defaultSettings, startAtLogin: true };
  const updater = new EventEmitter();
  followNewName(parts, updater as AppUpdater, { settings: () => settings }, null);
  const place = { platform: 'linux', executable: '/home/ann/Waxwing-0.2.0.AppImage', data: null } as const;
  updater.emit('appimage-filename-updated', place.executable);
  expect(readLoginItem(parts, place)).toBe('on');

  settings.startAtLogin = false;
  setLoginItem(parts, place, false);
  updater.emit('appimage-filename-updated', place.executable);
  expect(readLoginItem(parts, place)).toBe('off');

  settings.startAtLogin = true;
  mkdirSync(join(folder.path, 'autostart', 'waxwing.desktop'));
  // It would interrupt the installation.
  expect(() => updater.emit('appimage-filename-updated', place.executable)).not.toThrow();
});

test('on macOS reads the state from the system', () => {
  const { parts } = readyElectron('darwin');
  const place = { platform: 'darwin', executable: '/Applications/Waxwing.app', data: null } as const;
  expect(readLoginItem(parts, place)).toBe('off');
  setLoginItem(parts, place, true);
  expect(readLoginItem(parts, place)).toBe('on');
});

test.each(['darwin', 'win32'] as const)(
  'reports a login item that %s refuses, and restores the setting',
  async (platform) => {
    const { electron, calls } = await connected(platform);
    const file: { store: Settings } = { store: { ...defaultSettings } };
    const listeners = new Set<(name: EventName, payload: unknown) => void>();
    const onEvent: Calls['onEvent'] = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const place = { platform, executable: 'C:\\Waxwing.exe', data: null };
    const stop = followLoginItem(
      electron.parts,
      place,
      { ...calls, onEvent, settings: () => file.store },
      file,
    );
    electron.app.loginItemRefused = 'requires-approval';
    file.store = { ...file.store, startAtLogin: true };
    for (const listener of listeners) listener('settings.changed', file.store);
    expect(electron.dialog.errors).toEqual([
      {
        title: 'Couldn’t change startup settings',
        content: expect.stringMatching(/Login Items|didn’t accept/),
      },
    ]);
    expect(file.store.startAtLogin).toBe(false);
    stop();
    expect(listeners.size).toBe(0);
  },
);

test('follows changes in System Settings when the person returns', async () => {
  const { electron, calls } = await connected('darwin');
  const file: { store: Settings } = { store: { ...defaultSettings } };
  const place = { platform: 'darwin', executable: '/Applications/Waxwing.app', data: null } as const;
  const stop = followLoginItem(electron.parts, place, { ...calls, settings: () => file.store }, file);
  electron.app.loginItem = { openAtLogin: true };
  electron.app.emit('did-become-active', {});
  expect(file.store.startAtLogin).toBe(true);
  electron.app.loginItem = null;
  electron.app.emit('did-become-active', {});
  expect(file.store.startAtLogin).toBe(false);
  stop();
  expect(electron.app.listenerCount('did-become-active')).toBe(0);
});

test('starts at login with the chosen data folder', () => {
  using folder = temporaryFolder();
  const linux = readyElectron('linux', folder.path);
  const place = {
    platform: 'linux',
    executable: '/opt/Waxwing/waxwing',
    data: '/home/ann/My "data" 5%',
  } as const;
  setLoginItem(linux.parts, place, true);
  const entry = readFileSync(join(folder.path, 'autostart', 'waxwing.desktop'), 'utf8');
  expect(entry).toContain('Exec="/opt/Waxwing/waxwing" --hidden "--data=/home/ann/My \\\\"data\\\\" 5%%"\n');
  expect(readLoginItem(linux.parts, place)).toBe('on');
  expect(readLoginItem(linux.parts, { ...place, data: null })).toBe('stale');

  const windows = readyElectron('win32');
  setLoginItem(
    windows.parts,
    { platform: 'win32', executable: 'C:\\Waxwing.exe', data: 'D:\\My data' },
    true,
  );
  expect(windows.app.loginItem).toMatchObject({ args: ['--hidden', '--data=D:\\My data'] });

  const mac = readyElectron('darwin');
  const other = {
    platform: 'darwin',
    executable: '/Applications/Waxwing.app',
    data: '/Volumes/data',
  } as const;
  expect(() => setLoginItem(mac.parts, other, true)).toThrow('login_item_other_folder');
});
