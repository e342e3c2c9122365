/** The desktop app in this process: all own code is real, Electron is a double. */
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../src/bridge/settings.ts';
import { defaultSettings } from '../../src/bridge/settings.ts';
import { lockDataFolder } from '../../src/host/data-folder.ts';
import { startApp } from '../../src/main/app.ts';
import type { AppOptions } from '../../src/main/desktop.ts';
import type { Signals } from '../../src/main/system-end.ts';
import { type DoubleOptions, ElectronDouble } from './electron/index.ts';
import { noKeyStore } from './electron/safe-storage.ts';
import { eventually } from './engine.ts';

const source = (path: string) => new URL(`../../src/${path}`, import.meta.url);

/** The real app, engine, relay and @echo, on a double of Electron that is not ready yet. */
export function startDesktop(
  folder: string,
  args: string[] = [],
  {
    platform = 'linux',
    electron: given,
    updater,
    openSettings: open,
    hasKeyStore = true,
    hasTray = async () => true,
    dataFolder = () => join(folder, 'data'),
    ...options
  }: DoubleOptions &
    Partial<Pick<AppOptions, 'updater' | 'openSettings' | 'dataFolder'>> & {
      electron?: ElectronDouble;
      /** Without one the app waits for a passphrase: a test that needs no engine starts none. */
      hasKeyStore?: boolean;
      hasTray?: AppOptions['hasTray'];
    } = {},
) {
  const electron = given ?? new ElectronDouble({ userData: join(folder, 'data'), platform, ...options });
  if (!hasKeyStore) electron.safeStorage.become(noKeyStore(electron.app.platform));
  const built = join(folder, 'interface');
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>Waxwing</title>');
  const settings: { store: Settings } = { store: defaultSettings };
  const signals = new EventEmitter();
  const app = startApp(electron.parts, {
    paths: {
      preload: '/out/preload/index.cjs',
      interface: built,
      trayImages: fileURLToPath(new URL('../../build/tray', import.meta.url)),
      icon: fileURLToPath(new URL('../../build/icons/256x256.png', import.meta.url)),
    },
    workers: {
      engine: source('engine/worker.ts'),
      sealing: source('engine/sealing/worker.ts'),
      files: source('engine/files/worker.ts'),
      embedded: source('embedded/worker.ts'),
      store: source('relay/store/sqlite/worker.ts'),
    },
    openSettings: open ?? (() => settings),
    updater: updater ?? null,
    installsUpdates: true,
    dataFolder,
    hasTray,
    platform,
    signals: signals as unknown as Signals,
    followScreen: null,
    executable: '/opt/Waxwing/waxwing',
    args,
  });
  return { electron, app, settings, signals };
}

/** Quits the app, and waits until its data is closed. */
export async function quitDesktop(electron: ElectronDouble, folder: string): Promise<void> {
  electron.app.quit();
  // The lock is released last.
  await eventually(
    async () => {
      try {
        lockDataFolder(join(folder, 'data'), () => undefined)();
        return true;
      } catch {
        return false;
      }
    },
    (isFree) => isFree,
  );
}
