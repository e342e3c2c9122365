/**
 * Whether a desktop of Linux has a place for tray icons. Stock GNOME has none, and Electron does not say so: its icon is
 * then nowhere. A desktop that has one owns a name on the message bus (StatusNotifierItem specification).
 */
import { env } from 'node:process';
import { isNameOwned } from '../bus/connection.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';

export function hasStatusNotifier(): Promise<boolean> {
  return isNameOwned(env.DBUS_SESSION_BUS_ADDRESS ?? '', WATCHER);
}
