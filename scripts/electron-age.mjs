/**
 * Fails if the Electron that the app is built with is no longer one of the three major versions that get security
 * fixes. Asks the registry which is the newest, unless it is given: `node scripts/electron-age.mjs [48.0.0]`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { programOf } from './project.mjs';

const SUPPORTED_MAJORS = 3;
const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

function newest() {
  const [npm, ...before] = programOf('npm');
  return execFileSync(npm, [...before, 'view', 'electron', 'version'], { encoding: 'utf8' }).trim();
}

const own = devDependencies.electron;
const latest = process.argv[2] ?? newest();
const behind = Number.parseInt(latest, 10) - Number.parseInt(own, 10);
if (!(behind < SUPPORTED_MAJORS)) {
  console.error(`Electron ${own} gets no security fixes any more: the newest is ${latest}.`);
  process.exit(1);
}
console.log(`Electron ${own} is supported: the newest is ${latest}.`);
