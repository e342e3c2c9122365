/**
 * Finding a Chromium for the end-to-end tests, or installing Debian's.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

function find() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (
    [process.env.WAXWING_CHROMIUM, ...onPath, ...PLACES].find((path) => path && existsSync(path)) ?? null
  );
}

/** Path of a Chromium; null, with a sentence on standard error, if there is none and none may be installed. */
export function chromium() {
  const found = find();
  if (found) return found;
  const mayInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    process.stderr.write('Installing Debian’s Chromium for the end-to-end tests. This is done once.\n');
    const apt = (...args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 2],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
    const installed = find();
    if (installed) return installed;
  }
  process.stderr.write(
    'The end-to-end tests need Chromium or Chrome: install it, or name its path in WAXWING_CHROMIUM.\n',
  );
  return null;
}
