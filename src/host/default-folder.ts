/**
 * Where data is unless a host is told otherwise.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The platform's place for the data of an application, for hosts that are not told another. */
export function defaultDataFolder(platform = process.platform, environment = process.env): string {
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Waxwing');
    case 'win32':
      return join(environment.APPDATA || join(homedir(), 'AppData', 'Roaming'), 'Waxwing');
    default: {
      // The XDG Base Directory Specification: empty counts as unset, and a relative path is to be ignored.
      const { XDG_DATA_HOME: chosen = '' } = environment;
      return join(isAbsolute(chosen) ? chosen : join(homedir(), '.local', 'share'), 'waxwing');
    }
  }
}
