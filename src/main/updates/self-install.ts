/**
 * Whether a copy of the app can replace itself when it is quit.
 */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/**
 * On Linux only an AppImage in a folder of the person's. A deb or an rpm is installed by the administrator:
 * electron-updater would ask for that password while the app quits, also at the end of the session.
 * @param isAppImage whether electron-updater takes this copy for an AppImage
 * @param executable the file that starts the app: of an AppImage, the AppImage
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
