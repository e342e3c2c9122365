/**
 * Starting the desktop app: what has to be said before Electron is ready, the command line, and one instance.
 */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserWindow } from 'electron';
import { toFailure } from '../base/log.ts';
import { makeDataFolder } from '../host/data-folder.ts';
import { APP_NAMES, type Origin } from '../host/default-folder.ts';
import { APP_SCHEME } from './app-scheme.ts';
import { type AppOptions, Desktop, type StartArguments } from './desktop.ts';
import type { ElectronParts } from './electron.ts';
import { isLink } from './links.ts';
import { failureText, t } from './words.ts';

/** As in electron-builder.yml, and another for what runs from a checkout. */
const APP_IDS: Record<Origin, string> = { installed: 'dev.waxwing.app', checkout: 'dev.waxwing.app.dev' };

/**
 * Under which Windows starts the app, by COM, for a person who answers a notification. Left to itself, Electron makes one at
 * random in each run and leaves it in the registry; build/installer.nsh removes this one.
 */
const TOAST_ACTIVATORS: Record<Origin, string> = {
  installed: '{C6AE644C-4D22-48EB-863B-ED87A4BBFFEF}',
  checkout: '{034EAF56-2C49-4B57-8AB3-4DC4EF8F5950}',
};

/** The running app, for anyone who has started it. */
export interface WaxwingApp {
  /** Resolves when the window shows the interface; null if it does not come to that. */
  readonly ready: Promise<BrowserWindow | null>;
}

/** Starts the app. Has to be called before Electron is ready. */
export function startApp(electron: ElectronParts, options: AppOptions): WaxwingApp {
  const { app, protocol } = electron;
  const origin: Origin = app.isPackaged ? 'installed' : 'checkout';
  // An AppImage is started with this switch where the system allows no sandbox. Electron would take it away again, after
  // Chromium has been set up without one. Each window asks for a sandbox by itself.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  // The name stands in the keychain of macOS and in the instance lock of Windows. A package has it by itself.
  if (origin === 'checkout') {
    app.setName(APP_NAMES.checkout);
    if (options.platform === 'linux') app.setDesktopName(`${APP_IDS.checkout}.desktop`);
  }
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  // Windows shows notifications only of a program that says which entry of the start menu it is.
  if (options.platform === 'win32') {
    app.setToastActivatorCLSID(TOAST_ACTIVATORS[origin]);
    app.setAppUserModelId(APP_IDS[origin]);
    // The other systems learn it from the package.
    if (app.isPackaged) app.setAsDefaultProtocolClient('waxwing');
  }
  // Asked by a server, Electron would show it the person's first certificate, also for an update.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
  const start = readArguments(options.args);
  // Two apps would run, and the link would be in the one that the person does not look at.
  if (start === null) return { ready: Promise.resolve(endWith(electron, t('desktop.linkBesideData'))) };
  try {
    // Before the lock, which is one for each such folder. Chromium keeps its own files there too. Left to itself, Electron
    // takes another folder on Linux than the other host.
    app.setPath('userData', makeDataFolder(start.data ?? options.dataFolder(origin)));
  } catch (error) {
    return { ready: Promise.resolve(giveUp(electron, error)) };
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

function endWith({ app, dialog }: ElectronParts, reason: string): null {
  dialog.showErrorBox(t('desktop.cannotStart'), reason);
  app.exit(1);
  return null;
}

/** @returns null if a folder is named beside a link */
function readArguments(args: string[]): StartArguments | null {
  const { values } = parseArgs({
    args,
    options: {
      relay: { type: 'string' },
      data: { type: 'string' },
      'unprotected-key': { type: 'boolean' },
    },
    // Chromium has switches of its own.
    strict: false,
  });
  const { relay, data } = values;
  // A link comes from outside, and anyone who sent it may have found a way to put switches beside it: they do not count.
  if (args.some(isLink)) {
    return data === undefined ? { relay: null, data: null, unprotectedKey: false } : null;
  }
  return {
    relay: typeof relay === 'string' ? relay : null,
    data: typeof data === 'string' ? resolve(data) : null,
    unprotectedKey: values['unprotected-key'] === true,
  };
}
