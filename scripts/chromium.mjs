/**
 * Finding a Chromium for the end-to-end tests, or installing Debian's.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';

/** Chromium without a window, which is what runs here: it takes half of the processor time of the whole browser. */
const HEADLESS = 'chromium-headless-shell';
const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

function find() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return (
    [process.env.WAXWING_CHROMIUM, ...onPath, ...PLACES].find((path) => path && existsSync(path)) ?? null
  );
}

/** Path of a Chromium; null, with a sentence on standard error, if there is none and none may be installed. */
export function chromium() {
  const isChosen = process.env.WAXWING_CHROMIUM !== undefined;
  if (!isChosen && !find()?.endsWith(HEADLESS)) {
    installFromDebian('Installing Debian’s Chromium for the tests of the interface.', HEADLESS);
  }
  const found = find();
  if (found) return found;
  process.stderr.write(
    'The tests of the interface need Chromium or Chrome: install it, or name its path in WAXWING_CHROMIUM.\n',
  );
  return null;
}
