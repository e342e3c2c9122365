/** The default data folder of a host. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** An installed app, or a checkout: both may be on one computer, and share nothing. */
export type Origin = 'installed' | 'checkout';

/** Names of the app, different where programs must not be confused. */
export const APP_NAMES: Record<Origin, string> = { installed: 'Waxwing', checkout: 'Waxwing Dev' };

/** The platform's folder for application data, the same for each host. */
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
      // The XDG Base Directory Specification: empty counts as unset, and a relative path is ignored.
      const { XDG_DATA_HOME: chosen = '' } = environment;
      const folder = name.toLowerCase().replace(' ', '-');
      return join(isAbsolute(chosen) ? chosen : join(homedir(), '.local', 'share'), folder);
    }
  }
}
