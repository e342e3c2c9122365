/**
 * Hidden start at login. On Linux Electron has no call for it: a desktop entry does it (XDG Desktop
 * Application Autostart Specification).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { Failure } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { reasonOf } from '../base/node/durable-file.ts';
import type { Settings } from '../bridge/settings.ts';
import type { Calls } from '../host/calls.ts';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import { failureText, t } from './words.ts';

/** Starts the app without showing its window. */
export const HIDDEN_SWITCH = '--hidden';

export interface LoginItemPlace {
  platform: NodeJS.Platform;
  /** The file to start: for an AppImage, the AppImage instead of the mounted program. */
  executable: string;
  /** The data folder from the command line; null for the default. */
  data: string | null;
}

/**
 * Synchronises the system's login items and the setting. If the app was removed from that list, the setting
 * is off. If the system refuses, the failure is shown, and the setting is reset.
 * @returns the function that stops it
 */
export function followLoginItem(
  electron: ElectronParts,
  place: LoginItemPlace,
  calls: Calls,
  settings: { store: Settings },
): () => void {
  const wanted = () => calls.settings().startAtLogin;
  const put = (startAtLogin: boolean) => {
    try {
      settings.store = { ...calls.settings(), startAtLogin };
    } catch {
      // A full disk does not prevent the start: the next one tries again.
      return;
    }
    calls.emit('settings.changed', calls.settings());
  };
  const change = (isWanted: boolean): boolean => {
    try {
      setLoginItem(electron, place, isWanted);
      return isWanted;
    } catch (error) {
      void showError(electron, t('desktop.loginItemRefused'), failureText(toFailure(error).data));
      return !isWanted;
    }
  };
  let isSet = wanted();
  // The list is only for an installed app, and on macOS only for the default folder.
  const isListed = electron.app.isPackaged && mayStart(place);
  if (isListed) {
    const listed = readLoginItem(electron, place);
    isSet = listed === 'stale' ? wanted() && change(true) : listed === 'on';
    if (isSet !== wanted()) put(isSet);
  }
  // The person may have changed the list in System Settings.
  const look = () => {
    isSet = readLoginItem(electron, place) === 'on';
    if (isSet !== wanted()) put(isSet);
  };
  const isLooking = place.platform === 'darwin' && isListed;
  if (isLooking) electron.app.on('did-become-active', look);
  const stop = calls.onEvent((name) => {
    const isWanted = wanted();
    if (name !== 'settings.changed' || isWanted === isSet) return;
    isSet = change(isWanted);
    if (isSet !== isWanted) put(isSet);
  });
  return () => {
    stop();
    if (isLooking) electron.app.off('did-become-active', look);
  };
}

/**
 * An update renames an AppImage with a version in its name, while the app quits: the next login starts the
 * new file.
 */
export function followNewName(
  electron: ElectronParts,
  updater: AppUpdater,
  calls: Pick<Calls, 'settings'>,
  data: string | null,
): void {
  updater.on('appimage-filename-updated', (executable) => {
    if (!calls.settings().startAtLogin) return;
    try {
      setLoginItem(electron, { platform: 'linux', executable, data }, true);
    } catch {
      // The next start finds it stale, and reports the problem.
    }
  });
}

/**
 * Enables or disables the start at login.
 * @throws Failure not_installed: the system would start Electron without an app; login_item_other_folder,
 * login_item_not_allowed, login_item_refused, folder_unusable
 */
export function setLoginItem(electron: ElectronParts, place: LoginItemPlace, isWanted: boolean): void {
  if (!electron.app.isPackaged) throw new Failure('not_installed');
  if (!mayStart(place)) throw new Failure('login_item_other_folder');
  if (place.platform !== 'linux') {
    const options = startOnWindows(place);
    electron.app.setLoginItemSettings({ openAtLogin: isWanted, ...options });
    // Electron does not throw if the system refuses: it only logs it.
    if (electron.app.getLoginItemSettings(options ?? {}).openAtLogin === isWanted) return;
    throw new Failure(place.platform === 'darwin' ? 'login_item_not_allowed' : 'login_item_refused');
  }
  const { folder, file } = autostart(electron);
  try {
    if (!isWanted) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, desktopEntry(place));
  } catch (error) {
    throw new Failure('folder_unusable', { path: folder, reason: reasonOf(error) });
  }
}

/**
 * State of the app in the system's list.
 * @returns `on`; `off`, possibly by the person's choice in the system's settings; or `stale`: it would start
 * something else, for example after an AppImage was moved
 */
export function readLoginItem(electron: ElectronParts, place: LoginItemPlace): 'on' | 'off' | 'stale' {
  if (place.platform !== 'linux') {
    const options = startOnWindows(place);
    const { openAtLogin } = electron.app.getLoginItemSettings(options ?? {});
    if (place.platform === 'darwin') return openAtLogin ? 'on' : 'off';
    // The entry is not removed by hand; the Task Manager only deactivates it.
    if (!openAtLogin) return 'stale';
    // Electron compares by a command line, whose program ends at the first space unless it is in quotes.
    const inQuotes = { path: `"${place.executable}"` };
    return electron.app.getLoginItemSettings(inQuotes).executableWillLaunchAtLogin ? 'on' : 'off';
  }
  const entry = textOf(autostart(electron).file);
  if (entry === null || /^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(entry)) return 'off';
  return entry === desktopEntry(place) ? 'on' : 'stale';
}

/** Null for a missing or unreadable file. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The command for Windows, by which it also finds the entry again. Electron adds quotes if needed. */
function startOnWindows(place: LoginItemPlace) {
  return place.platform === 'win32' ? { path: place.executable, args: switchesOf(place) } : null;
}

/** macOS starts the app without a command line: with the default folder, which is not the current one. */
function mayStart({ platform, data }: LoginItemPlace): boolean {
  return platform !== 'darwin' || data === null;
}

function switchesOf({ data }: LoginItemPlace): string[] {
  return [HIDDEN_SWITCH, ...(data === null ? [] : [`--data=${data}`])];
}

/** $XDG_CONFIG_HOME, or ~/.config. */
function autostart({ app }: ElectronParts): { folder: string; file: string } {
  const folder = join(app.getPath('appData'), 'autostart');
  return { folder, file: join(folder, 'waxwing.desktop') };
}

/** Reports whether the system started the app at login: macOS reports it, the others pass the switch. */
export function isHiddenStart(
  { app }: ElectronParts,
  platform: NodeJS.Platform,
  args: readonly string[],
): boolean {
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(HIDDEN_SWITCH);
}

/**
 * Desktop Entry Specification 1.5, 'The Exec key': within quotes, four characters are escaped; a percent sign
 * is doubled. TryExec prevents a start after the program was uninstalled.
 */
function desktopEntry(place: LoginItemPlace): string {
  const { executable } = place;
  // The value of a key is a string, in which a backslash is escaped again.
  const string = (text: string) => text.replaceAll('\\', '\\\\');
  const quoted = (text: string) => `"${text.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
  const command = [executable, ...switchesOf(place)].map((part) =>
    part === HIDDEN_SWITCH ? part : quoted(part),
  );
  return `[Desktop Entry]
Type=Application
Name=Waxwing
TryExec=${string(executable)}
Exec=${string(command.join(' '))}
X-GNOME-Autostart-enabled=true
`;
}
