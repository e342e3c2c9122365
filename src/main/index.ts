/** Electron's entry: passes Electron and the built files to the app. */
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import Store from 'electron-store';
import electronUpdater from 'electron-updater';
import type { Settings } from '../bridge/settings.ts';
import { defaultDataFolder } from '../host/default-folder.ts';
import { openSettings } from '../host/settings-file.ts';
import { startApp } from './app.ts';
import { followSessionLock } from './bus/logind.ts';
import { hasStatusNotifier } from './tray/status-notifier.ts';
import { followUncaught } from './uncaught.ts';
import { canInstallItself } from './updates/self-install.ts';

/** Relative to out/main, the build's folder for this file. */
const url = (relative: string) => new URL(relative, import.meta.url);
const path = (relative: string) => fileURLToPath(url(relative));

const { platform } = process;
const executable = process.env.APPIMAGE ?? process.execPath;
const updater = electron.app.isPackaged ? electronUpdater.autoUpdater : null;

followUncaught(process, electron);
startApp(electron, {
  paths: {
    preload: path('../preload/index.cjs'),
    interface: path('../renderer'),
    trayImages: path('../../build/tray'),
    icon: path('../../build/icons/256x256.png'),
  },
  workers: {
    engine: url('./engine-worker.js'),
    sealing: url('./sealing-worker.js'),
    files: url('./file-worker.js'),
    embedded: url('./embedded-worker.js'),
    store: url('./store-worker.js'),
  },
  dataFolder: defaultDataFolder,
  openSettings(folder) {
    const file = openSettings(folder, (options) => new Store<Settings>(options));
    // electron-store answers any frame on this channel with the data folder. The page does not need it.
    electron.ipcMain.removeAllListeners('electron-store-get-data');
    return file;
  },
  updater,
  installsUpdates: canInstallItself(platform, updater instanceof electronUpdater.AppImageUpdater, executable),
  platform,
  signals: process,
  hasTray: platform === 'linux' ? hasStatusNotifier : async () => true,
  followScreen: platform === 'linux' ? (listener) => followSessionLock(process.env, listener) : null,
  executable,
  args: process.argv.slice(electron.app.isPackaged ? 1 : 2),
});
