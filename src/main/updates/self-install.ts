/** Detects whether this copy of the app can replace itself when it quits. */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/**
 * On Linux only an AppImage in a folder of the person's can. A deb or an rpm is installed by the
 * administrator: electron-updater would ask for that password while the app quits, even at the end of the
 * session.
 * @param isAppImage whether electron-updater treats this copy as an AppImage
 * @param executable the file that starts the app: for an AppImage, the AppImage
 */
export function canInstallItself(
  platform: NodeJS.Platform,
  isAppImage: boolean,
  executable: string,
): boolean {
  if (platform !== 'linux') return true;
  try {
    accessSync(dirname(executable), constants.W_OK);
    return isAppImage;
  } catch {
    return false;
  }
}
