/**
 * Starting with the person's login, hidden. On Linux Electron has no call for it: a desktop entry does it (XDG Desktop
 * Application Autostart Specification).
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronParts } from './electron.ts';

/** Starts the app without showing its window. */
export const HIDDEN_SWITCH = '--hidden';

export interface LoginItemPlace {
  platform: NodeJS.Platform;
  /** What is started: of an AppImage, its file and not the program that is mounted from it. */
  executable: string;
}

/** Makes the app start at login, or not. */
export function setLoginItem(
  { app }: ElectronParts,
  { platform, executable }: LoginItemPlace,
  isWanted: boolean,
): void {
  if (platform !== 'linux') {
    app.setLoginItemSettings({
      openAtLogin: isWanted,
      ...(platform === 'win32' && { path: executable, args: [HIDDEN_SWITCH] }),
    });
    return;
  }
  // $XDG_CONFIG_HOME, or ~/.config.
  const folder = join(app.getPath('appData'), 'autostart');
  const file = join(folder, 'waxwing.desktop');
  if (!isWanted) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, desktopEntry(executable));
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

/** Desktop Entry Specification 1.5, 'The Exec key': within quotes, these four are escaped; a percent sign is doubled. */
function desktopEntry(executable: string): string {
  const quoted = executable.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%');
  // The value of a key is a string of its own, in which a backslash is escaped once more.
  const exec = `"${quoted.replaceAll('\\', '\\\\')}" ${HIDDEN_SWITCH}`;
  return `[Desktop Entry]\nType=Application\nName=Waxwing\nExec=${exec}\nX-GNOME-Autostart-enabled=true\n`;
}
