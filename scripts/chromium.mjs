/**
 * Finding a Chromium for the end-to-end tests, or installing Debian's.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';

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
  installFromDebian('Installing Debian’s Chromium for the end-to-end tests.', 'chromium');
  const installed = find();
  if (installed) return installed;
  process.stderr.write(
    'The end-to-end tests need Chromium or Chrome: install it, or name its path in WAXWING_CHROMIUM.\n',
  );
  return null;
}
