/** Starts the desktop app: switches before Electron is ready, the command line, and a single instance. */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserWindow } from 'electron';
import { toFailure } from '../base/log.ts';
import { makeDataFolder } from '../host/data-folder.ts';
import { APP_NAMES, type Origin } from '../host/default-folder.ts';
import { APP_SCHEME } from './app-scheme.ts';
import { type AppOptions, Desktop, type StartArguments } from './desktop.ts';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import { isLink } from './links.ts';
import { failureText, t } from './words.ts';

/** Same as in electron-builder.yml, with another one for a checkout. */
const APP_IDS: Record<Origin, string> = { installed: 'dev.waxwing.app', checkout: 'dev.waxwing.app.dev' };

/**
 * COM class by which Windows starts the app when a person answers a notification. By default Electron makes a
 * random one in each run and leaves it in the registry; build/installer.nsh removes this one.
 */
const TOAST_ACTIVATORS: Record<Origin, string> = {
  installed: '{C6AE644C-4D22-48EB-863B-ED87A4BBFFEF}',
  checkout: '{034EAF56-2C49-4B57-8AB3-4DC4EF8F5950}',
};

/** The running app, for its starter. */
export interface WaxwingApp {
  /** Resolves when the window shows the interface; null if it never does. */
  readonly ready: Promise<BrowserWindow | null>;
}

/** Starts the app. Call it before Electron is ready. */
export function startApp(electron: ElectronParts, options: AppOptions): WaxwingApp {
  const { app, protocol } = electron;
  const origin: Origin = app.isPackaged ? 'installed' : 'checkout';
  // An AppImage is started with this switch where the system allows no sandbox. Electron would remove it
  // again, after Chromium has started without one. Each window enables its own sandbox.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  // The name for the keychain of macOS and the instance lock of Windows. A package has it already.
  if (origin === 'checkout') {
    app.setName(APP_NAMES.checkout);
    if (options.platform === 'linux') app.setDesktopName(`${APP_IDS.checkout}.desktop`);
  }
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  // Windows shows notifications only for a program with the id of its start menu entry.
  if (options.platform === 'win32') {
    app.setToastActivatorCLSID(TOAST_ACTIVATORS[origin]);
    app.setAppUserModelId(APP_IDS[origin]);
    // The other systems read it from the package.
    if (app.isPackaged) app.setAsDefaultProtocolClient('waxwing');
  }
  // Electron would send the person's first certificate to any server that asks, even for an update.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
  const start = readArguments(options.args);
  // Two apps would run, and the link would open in the one that the person does not see.
  if (start === null) return { ready: endWith(electron, t('desktop.linkBesideData')) };
  try {
    // Before the lock, which is per folder. Chromium stores its files there, too. Electron's default on Linux
    // differs from the other host's.
    app.setPath('userData', makeDataFolder(start.data ?? options.dataFolder(origin)));
  } catch (error) {
    return { ready: giveUp(electron, error) };
  }
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return { ready: Promise.resolve(null) };
  }
  const desktop = new Desktop(electron, options);
  const ready = app.whenReady().then(() => desktop.open(start).catch((error) => giveUp(electron, error)));
  return { ready };
}

const giveUp = (electron: ElectronParts, error: unknown) =>
  endWith(electron, failureText(toFailure(error).data));

async function endWith(electron: ElectronParts, reason: string): Promise<null> {
  await showError(electron, t('desktop.cannotStart'), reason);
  electron.app.exit(1);
  return null;
}

/** @returns null if a link comes with a folder */
function readArguments(args: string[]): StartArguments | null {
  const { values } = parseArgs({
    args,
    options: {
      relay: { type: 'string' },
      data: { type: 'string' },
      'unprotected-key': { type: 'boolean' },
    },
    // Chromium has more switches.
    strict: false,
  });
  const { relay, data } = values;
  // A link comes from outside, and its sender may have found a way to add switches: they are ignored.
  if (args.some(isLink)) {
    return data === undefined ? { relay: null, data: null, unprotectedKey: false } : null;
  }
  return {
    relay: typeof relay === 'string' ? relay : null,
    data: typeof data === 'string' ? resolve(data) : null,
    unprotectedKey: values['unprotected-key'] === true,
  };
}
