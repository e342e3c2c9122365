/**
 * Programs for the tests of deploy/. Without them, these tests are skipped and reported as such.
 */
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

const PROGRAMS = {
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/bin/caddy': 'caddy',
  '/usr/sbin/logrotate': 'logrotate',
};

export function proxies() {
  const missing = Object.keys(PROGRAMS).filter((path) => !existsSync(path));
  // On a machine that runs its services, Debian would start them.
  if (missing.length === 0 || existsSync('/run/systemd/system')) return;
  installFromDebian(
    'Installing Debian’s nginx, Caddy and logrotate for the tests of the deployment examples.',
    ...missing.map((path) => PROGRAMS[path]),
  );
}
