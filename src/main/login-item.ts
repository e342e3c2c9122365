/**
 * Starting with the person's login, hidden. On Linux Electron has no call for it: a desktop entry does it (XDG Desktop
 * Application Autostart Specification).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { Failure } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { reasonOf } from '../base/node/durable-file.ts';
import type { Settings } from '../bridge/shapes.ts';
import type { Calls } from '../host/calls.ts';
import type { ElectronParts } from './electron.ts';
import { failureText, t } from './words.ts';

/** Starts the app without showing its window. */
export const HIDDEN_SWITCH = '--hidden';

export interface LoginItemPlace {
  platform: NodeJS.Platform;
  /** What is started: of an AppImage, its file and not the program that is mounted from it. */
  executable: string;
  /** The folder that the command line names; null for the usual one. */
  data: string | null;
}

/**
 * Keeps the system's list of what starts at login and the setting true to each other. Anyone who took the app off that
 * list finds the setting off; what the system refuses is said, and the setting is put back.
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
      // A full disk keeps nobody out: the next start tries it again.
      return;
    }
    calls.emit('settings.changed', calls.settings());
  };
  const change = (isWanted: boolean): boolean => {
    try {
      setLoginItem(electron, place, isWanted);
      return isWanted;
    } catch (error) {
      electron.dialog.showErrorBox(t('desktop.loginItemRefused'), failureText(toFailure(error).data));
      return !isWanted;
    }
  };
  let isSet = wanted();
  // The list is the installed app's alone, and on macOS that of the usual folder.
  const isListed = electron.app.isPackaged && mayStart(place);
  if (isListed) {
    const listed = readLoginItem(electron, place);
    isSet = listed === 'stale' ? wanted() && change(true) : listed === 'on';
    if (isSet !== wanted()) put(isSet);
  }
  // The person may have been in System Settings, to allow it or to take it off the list.
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
 * An update gives an AppImage whose name has the version in it another one, while the app quits: then the next login
 * starts the new file.
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
      // The next start finds it stale, and says what is wrong.
    }
  });
}

/**
 * Makes the app start at login, or not.
 * @throws Failure not_installed: the system would start Electron without an app; login_item_other_folder,
 * login_item_not_allowed, login_item_refused, folder_unusable
 */
export function setLoginItem(electron: ElectronParts, place: LoginItemPlace, isWanted: boolean): void {
  if (!electron.app.isPackaged) throw new Failure('not_installed');
  if (!mayStart(place)) throw new Failure('login_item_other_folder');
  if (place.platform !== 'linux') {
    const options = startOnWindows(place);
    electron.app.setLoginItemSettings({ openAtLogin: isWanted, ...options });
    // Electron throws nothing where the system refuses: it writes that into a log that nobody reads.
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
 * What the system's own list says of the app.
 * @returns `on`; `off`, which may be the person's choice in the system's settings; or `stale`: it would start something
 * else, as after an AppImage was moved
 */
export function readLoginItem(electron: ElectronParts, place: LoginItemPlace): 'on' | 'off' | 'stale' {
  if (place.platform !== 'linux') {
    const options = startOnWindows(place);
    const { openAtLogin } = electron.app.getLoginItemSettings(options ?? {});
    if (place.platform === 'darwin') return openAtLogin ? 'on' : 'off';
    // Nobody takes it off the registry by hand; who switches it off in the Task Manager leaves it there, deactivated.
    if (!openAtLogin) return 'stale';
    // Whether it is, Electron asks by a command line, whose program ends at the first space unless it is in quotes.
    const inQuotes = { path: `"${place.executable}"` };
    return electron.app.getLoginItemSettings(inQuotes).executableWillLaunchAtLogin ? 'on' : 'off';
  }
  const entry = textOf(autostart(electron).file);
  if (entry === null || /^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(entry)) return 'off';
  return entry === desktopEntry(place) ? 'on' : 'stale';
}

/** Null if there is no such file, or none that can be read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** What Windows has to start, and by what it finds it again. Electron puts quotes around what needs them. */
function startOnWindows(place: LoginItemPlace) {
  return place.platform === 'win32' ? { path: place.executable, args: switchesOf(place) } : null;
}

/** macOS starts the app without a command line: with the usual folder, which is not what the person sees here. */
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

/** Whether this start is the system's, at login: macOS says so, the others by the switch that they were given. */
export function isHiddenStart(
  { app }: ElectronParts,
  platform: NodeJS.Platform,
  args: readonly string[],
): boolean {
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(HIDDEN_SWITCH);
}

/**
 * Desktop Entry Specification 1.5, 'The Exec key': within quotes, four characters are escaped; a percent sign is
 * doubled. By TryExec nothing is started once the program is uninstalled.
 */
function desktopEntry(place: LoginItemPlace): string {
  const { executable } = place;
  // The value of a key is a string of its own, in which a backslash is escaped once more.
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
