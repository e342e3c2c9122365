import { expect, test } from 'vitest';
import {
  fallbackText,
  obstacleBy,
  obstacleTo,
  routeBy,
  userNamespacesBy,
  // @ts-expect-error: a script of plain JavaScript
} from '../../../scripts/electron-choice.mjs';

const BINARY = '/home/ann/wax/node_modules/electron/dist/electron';
/** As installed by npm: owned by the person, and not setuid. */
const HELPER = { path: '/home/ann/wax/node_modules/electron/dist/chrome-sandbox', uid: 1000, mode: 0o100755 };
/** Ubuntu 22.04 with a desktop. */
const DESKTOP = {
  platform: 'linux',
  hasDisplay: true,
  uid: 1000,
  binary: BINARY,
  hasUserNamespaces: true,
  helper: HELPER,
};
const COMMANDS = [`sudo chown root:root '${HELPER.path}'`, `sudo chmod 4755 '${HELPER.path}'`];

test('npm start chooses Electron if nothing prevents it', () => {
  expect(obstacleTo(DESKTOP)).toBeNull();
});

test.each([
  ['display', { hasDisplay: false, uid: 0, binary: null }],
  ['root', { uid: 0 }],
  // Reported before a useless download.
  ['root', { uid: 0, binary: null, helper: null }],
  ['binary', { binary: null, helper: null }],
  ['sandbox', { hasUserNamespaces: false }],
  ['sandbox', { hasUserNamespaces: false, helper: null }],
])('npm start opens the browser: %s %j', (kind, found) => {
  expect(obstacleTo({ ...DESKTOP, ...found })).toMatchObject({ kind });
});

test('without user namespaces Chromium aborts, unless its helper is setuid root', () => {
  const restricted = { ...DESKTOP, hasUserNamespaces: false };
  const helperLike = (uid: number, mode: number) =>
    obstacleTo({ ...restricted, helper: { ...HELPER, uid, mode } });
  expect(obstacleTo(restricted)).toMatchObject({ commands: COMMANDS });
  expect(helperLike(0, 0o104755)).toBeNull();
  expect(helperLike(0, 0o100755)).toMatchObject({ kind: 'sandbox' });
  expect(helperLike(1000, 0o104755)).toMatchObject({ kind: 'sandbox' });
  expect(helperLike(0, 0o104750)).toMatchObject({ kind: 'sandbox' });
});

test.each(['darwin', 'win32'])(
  '%s has no such restriction, and an administrator may start it',
  (platform) => {
    expect(obstacleTo({ ...DESKTOP, platform, uid: 0, hasUserNamespaces: false, helper: null })).toBeNull();
  },
);

test.each([
  ['Debian 12', true, { max: '63541', clone: '1', apparmor: null, attempt: true }],
  // It may allow unshare(1), but not Electron.
  ['Ubuntu 24.04', false, { max: '63541', clone: '1', apparmor: '1', attempt: true }],
  ['Ubuntu 24.04, unrestricted', true, { max: '63541', clone: '1', apparmor: '0', attempt: true }],
  ['Debian 10', false, { max: '63541', clone: '0', apparmor: null, attempt: false }],
  ['hardened', false, { max: '0', clone: null, apparmor: null, attempt: false }],
  // A system call filter forbids it there.
  ['a container', false, { max: '63541', clone: null, apparmor: null, attempt: false }],
  ['without unshare', true, { max: '63541', clone: null, apparmor: null, attempt: null }],
])('user namespaces on %s: %s', (_name, may, found) => {
  expect(userNamespacesBy(found)).toBe(may);
});

const SUID = `[12700:0818/144933.575039:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:166] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'm aborting now.\n`;
const NO_SERVER =
  '[5:0818/144933.5:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:250] Missing X server or $DISPLAY\n';
const ended = (code: number | null, signal: string | null = null) => ({ code, signal, error: null });

test.each([
  ['a trap of Chromium', ended(null, 'SIGTRAP'), ''],
  ['a trap, reported by an exit code', ended(133), ''],
  ['a missing library', ended(127), 'electron: error while loading shared libraries: libnss3.so'],
  ['no answer from the display', ended(1), NO_SERVER],
  ['Windows: a missing DLL', ended(0xc000_0135), ''],
  ['Windows: Chromium’s own end', ended(0x8000_0003), ''],
  ['a file that is no program', { code: null, signal: null, error: new Error('spawn EACCES') }, ''],
])('Electron has failed to start: %s', (_name, end, errors) => {
  expect(obstacleBy(end, 900, errors, HELPER)).toMatchObject({ kind: 'start', commands: [] });
});

test('prints the commands after a failure of the sandbox, for any result of the probe', () => {
  expect(obstacleBy(ended(null, 'SIGTRAP'), 900, SUID, HELPER)).toMatchObject({
    kind: 'sandbox',
    commands: COMMANDS,
  });
});

test.each([
  ['the person has quit', ended(0), 900, ''],
  // The error was shown.
  ['the app has given up', ended(1), 900, 'The data folder belongs to another account.\n'],
  ['Ctrl+C', ended(null, 'SIGINT'), 900, ''],
  ['Ctrl+C on Windows', ended(0xc000_013a), 900, ''],
  ['the terminal was closed', ended(null, 'SIGHUP'), 900, ''],
  ['a crash after an hour', ended(null, 'SIGSEGV'), 3_600_000, SUID],
])('Electron had started: %s', (_name, end, lasted, errors) => {
  expect(obstacleBy(end, lasted, errors, HELPER)).toBeNull();
});

test('quotes the commands for a shell, also for a path with a space and a quote', () => {
  const helper = { ...HELPER, path: "/home/ann/a b & c's/chrome-sandbox" };
  const text: string = fallbackText(obstacleTo({ ...DESKTOP, hasUserNamespaces: false, helper }));
  expect(text).toMatch(
    /^This system does not let Electron make its sandbox: Waxwing opens as a page of your browser/,
  );
  expect(text).toContain(`\n  sudo chown root:root '/home/ann/a b & c'\\''s/chrome-sandbox'\n`);
  expect(text).toContain(`\n  sudo chmod 4755 '/home/ann/a b & c'\\''s/chrome-sandbox'\n`);
});

test.each([
  [{}, true, undefined],
  [{ HTTPS_PROXY: '' }, true, undefined],
  [{ ELECTRON_MIRROR: 'https://mirror.example/' }, false, undefined],
  [{ npm_config_electron_mirror: 'https://mirror.example/' }, false, undefined],
  [{ https_proxy: 'http://proxy.example:3128' }, false, 'http://proxy.example:3128'],
  [{ npm_config_proxy: 'http://proxy.example:3128' }, false, 'http://proxy.example:3128'],
])('github.com is asked directly only without a proxy and a mirror: %j', (environment, isDirect, proxy) => {
  const route = routeBy(environment);
  expect(route).toMatchObject({ isDirect });
  expect(route.additions.HTTPS_PROXY).toBe(proxy);
  expect(route.additions.ELECTRON_GET_USE_PROXY).toBe(proxy && 'true');
});
