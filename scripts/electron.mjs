/**
 * Electron on this machine. npm does not install its binary: each start fetches it where it is missing and could run.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { INSTALLER, obstacleBy, obstacleTo, routeBy, userNamespacesBy } from './electron-choice.mjs';
import { environment, root } from './project.mjs';
import { report, run, start } from './run.mjs';

const folder = join(root, 'node_modules', 'electron');
const RELEASES = 'https://github.com/electron/electron/releases/';
/** Milliseconds. */
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

/** Downloads Electron's binary, the installer's output shown. */
export async function fetchElectron() {
  process.stderr.write('Fetching Electron, about 120 MB.\n');
  const { isDirect, additions } = routeBy(environment);
  // Asked first, because a network that swallows everything would keep the installer waiting for minutes. Only the
  // installer knows its way through a proxy and to a mirror.
  if (isDirect && !(await isReachable())) {
    process.stderr.write('github.com cannot be reached.\n');
    return;
  }
  await run('node', [INSTALLER], { env: { ...environment, ...additions } });
}

const isReachable = () =>
  fetch(RELEASES, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) }).then(
    () => true,
    () => false,
  );

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

/** Reports whether a window could be shown. */
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** The obstacle to Electron on this machine, or null. */
export function obstacleToElectron() {
  const binary = electronBinary();
  const { platform } = process;
  return obstacleTo({
    platform,
    hasDisplay,
    uid: process.getuid?.() ?? null,
    binary,
    hasUserNamespaces: platform === 'linux' && userNamespacesBy(userNamespaces()),
    helper: binary === null ? null : helperBeside(binary),
  });
}

function userNamespaces() {
  const { error, status } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  return {
    max: kernelSetting('user/max_user_namespaces'),
    clone: kernelSetting('kernel/unprivileged_userns_clone'),
    apparmor: kernelSetting('kernel/apparmor_restrict_unprivileged_userns'),
    attempt: error === undefined ? status === 0 : null,
  };
}

function kernelSetting(name) {
  try {
    return readFileSync(join('/proc/sys', name), 'utf8').trim();
  } catch {
    // This kernel has no such setting.
    return null;
  }
}

function helperBeside(binary) {
  const path = join(dirname(binary), 'chrome-sandbox');
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { path, uid: found.uid, mode: found.mode };
}

/** Characters of its standard error by which a failed start is known. */
const KEPT = 16_384;
/** Milliseconds in which the rest of its standard error comes. A program that it has started may hold that open for long. */
const REST = 1_000;

/**
 * Runs the app in Electron, its output shown.
 * @param {readonly string[]} args
 * @returns {Promise<{ exitCode: number, obstacle: import('./electron-choice.mjs').Obstacle | null }>} with what has kept
 *   it from starting
 */
export async function runElectron(args) {
  const binary = electronBinary();
  const helper = helperBeside(binary);
  const began = performance.now();
  const { child, end } = start(binary, [root, ...joinValues(args)], {
    stdio: ['inherit', 'inherit', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-KEPT);
    process.stderr.write(text);
  });
  const ended = await end;
  const lasted = performance.now() - began;
  if (!child.stderr.closed) {
    await once(child.stderr, 'close', { signal: AbortSignal.timeout(REST) }).catch(() => undefined);
    child.stderr.destroy();
  }
  return { exitCode: report('Electron', ended), obstacle: obstacleBy(ended, lasted, errors, helper) };
}
