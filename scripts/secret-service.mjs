/**
 * GNOME's keyring for the tests of the key store, which are skipped with a notice where it is missing.
 */
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

export function secretService() {
  if (existsSync('/usr/bin/gnome-keyring-daemon')) return;
  installFromDebian(
    'Installing Debian’s GNOME keyring for the tests of the key store.',
    'gnome-keyring',
    'dbus-daemon',
    'dbus-bin',
    'dbus-session-bus-common',
  );
}
