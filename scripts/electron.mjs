/**
 * Electron's binary, which npm does not install: fetching it is tried once, where there is a display to use it on.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root } from './setup.mjs';

const folder = join(root, 'node_modules', 'electron');
const installer = join('node_modules', 'electron', 'install.js');
// Gone when the packages are installed again: then it is tried again.
const tried = join(folder, '.waxwing-tried');
const PATIENCE = 5_000;
/** Switches of the app that are followed by a value: src/main/app.ts. */
const VALUED = new Set(['--relay', '--data']);

/** Path of Electron's executable, or null if its download has not happened. */
export function electronBinary() {
  const pointer = join(folder, 'path.txt');
  if (!existsSync(pointer)) return null;
  const binary = join(folder, 'dist', readFileSync(pointer, 'utf8'));
  return existsSync(binary) ? binary : null;
}

/** Downloads Electron's binary, unless that was tried before. Says in a line what happens. */
export async function fetchElectron() {
  if (existsSync(tried)) return;
  process.stderr.write('Fetching Electron, about 120 MB. This is tried once.\n');
  // Asked first, because a network that swallows everything would keep the installer waiting for minutes.
  const isReachable = await fetch(source(), { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) }).then(
    () => true,
    () => false,
  );
  const fetched = isReachable && spawnSync('node', [installer], { cwd: root, env: environment }).status === 0;
  if (!fetched) {
    writeFileSync(tried, '');
    process.stderr.write(`Electron could not be fetched. To try again: node ${installer}\n`);
  }
}

/** Where Electron's installer fetches from, by the names that its own documentation gives. */
function source() {
  const { npm_config_electron_mirror, ELECTRON_MIRROR } = process.env;
  return npm_config_electron_mirror || ELECTRON_MIRROR || 'https://github.com/electron/electron/releases/';
}

/**
 * `--relay URL` as `--relay=URL`: on Windows Electron ends at once, without a word, if anything stands behind an address,
 * and it counts what belongs to a switch as standing behind all switches.
 * @param {readonly string[]} args
 */
export function joinValues(args) {
  return args.flatMap((arg, place) => {
    const value = args[place + 1];
    if (VALUED.has(arg) && value !== undefined && !value.startsWith('-')) return [`${arg}=${value}`];
    const isTaken = VALUED.has(args[place - 1]) && !arg.startsWith('-');
    return isTaken ? [] : [arg];
  });
}

/** Whether a window could be shown at all. */
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** What Electron lacks on this machine, as the beginning of a sentence, or null if it can run. */
export function missingForElectron() {
  if (!hasDisplay) return 'There is no display';
  return electronBinary() === null ? 'Electron’s binary is not installed' : null;
}
