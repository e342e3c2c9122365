/**
 * Where Waxwing keeps its data unless it is told otherwise.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The platform's place for the data of an application. */
export function defaultDataFolder(platform = process.platform, environment = process.env): string {
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Waxwing');
    case 'win32':
      return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Waxwing');
    default:
      return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'waxwing');
  }
}
