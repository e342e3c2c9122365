/**
 * Where data is unless a host is told otherwise.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** An app that was installed, or what runs from a checkout: they may be on one computer, and share nothing. */
export type Origin = 'installed' | 'checkout';

/** What the app is called, where programs must not be taken for each other. */
export const APP_NAMES: Record<Origin, string> = { installed: 'Waxwing', checkout: 'Waxwing Dev' };

/** The platform's place for the data of an application, the same for each host. */
export function defaultDataFolder(
  origin: Origin,
  platform = process.platform,
  environment = process.env,
): string {
  const name = APP_NAMES[origin];
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', name);
    case 'win32':
      return join(environment.APPDATA || join(homedir(), 'AppData', 'Roaming'), name);
    default: {
      // The XDG Base Directory Specification: empty counts as unset, and a relative path is to be ignored.
      const { XDG_DATA_HOME: chosen = '' } = environment;
      const folder = name.toLowerCase().replace(' ', '-');
      return join(isAbsolute(chosen) ? chosen : join(homedir(), '.local', 'share'), folder);
    }
  }
}
