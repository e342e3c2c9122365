/** The images of the tray icon for each platform. */
import { join } from 'node:path';

export type TrayMood = 'idle' | 'unread' | 'offline';

/** macOS draws an image in the panel's own colours if its name ends with Template. */
const TEMPLATES: Record<TrayMood, string> = {
  idle: 'trayTemplate.png',
  unread: 'trayUnreadTemplate.png',
  offline: 'trayOfflineTemplate.png',
};
const COLOURED: Record<TrayMood, string> = {
  idle: 'tray.png',
  unread: 'tray-unread.png',
  offline: 'tray-offline.png',
};

/** Path of an image. A second file with `@2x` in its name is for dense screens. */
export function trayImagePath(folder: string, mood: TrayMood, platform: NodeJS.Platform): string {
  return join(folder, (platform === 'darwin' ? TEMPLATES : COLOURED)[mood]);
}
