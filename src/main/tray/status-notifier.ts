/**
 * Detects tray support on Linux. Stock GNOME has none, and Electron does not report it: its icon is then
 * invisible. A desktop with tray support owns a name on the message bus (StatusNotifierItem specification).
 */
import { env } from 'node:process';
import { isNameOwned } from '../bus/connection.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';

export function hasStatusNotifier(): Promise<boolean> {
  return isNameOwned(env.DBUS_SESSION_BUS_ADDRESS ?? '', WATCHER);
}
