/**
 * The scripts of package.json as processes, in a folder whose name has special characters for every shell.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StandInCheckout } from '../../support/stand-in-checkout.ts';

/** Characters that a shell would split, run or expand. */
const ARGUMENTS = [
  '@ann',
  'The build is green.',
  'a & b | c > d',
  'say "hi"',
  "it's",
  '%PATH% ^ $HOME `id`',
  '',
];

/** Windows is simulated on other systems, too: the scripts then start no .cmd file and use no shell. */
const platforms = [...new Set([process.platform, 'win32' as const])];

test.each(platforms)('the packages are installed from a hostile path, on %s', (platform) => {
  using checkout = new StandInCheckout();
  const { status, calls } = checkout.run('setup.mjs', [], {}, { platform });
  expect(status).toBe(0);
  expect(calls).toMatchObject([{ name: 'npm', args: expect.arrayContaining(['ci']), cwd: checkout.path }]);
  expect(checkout.run('setup.mjs', [], {}, { platform }).calls).toEqual([]);
});

describe.each(platforms)('on %s, from a hostile path', (platform) => {
  let checkout: StandInCheckout;
  beforeAll(() => {
    checkout = new StandInCheckout().install();
    checkout.run('setup.mjs', []);
  });
  afterAll(() => checkout[Symbol.dispose]());

  test('the command gets its arguments unchanged', () => {
    const { status, calls } = checkout.run('waxwing.mjs', ['send', ...ARGUMENTS], {}, { platform });
    expect(calls).toMatchObject([{ name: 'waxwing', args: ['send', ...ARGUMENTS] }]);
    expect(status).toBe(0);
  });

  test('the tools run, and a failure is counted', () => {
    const { stdout, status, calls } = checkout.run('test.mjs', ['typecheck', 'lint'], {}, { platform });
    expect(calls.map(({ name }) => name).sort()).toEqual(['biome', 'knip', ...Array(3).fill('tsc')]);
    expect(calls.slice(-2)).toMatchObject([
      { name: 'biome', args: ['check', '--error-on-warnings'], cwd: checkout.path },
      { name: 'knip', args: ['--production'], cwd: checkout.path },
    ]);
    expect(stdout).toMatch(/\n5 passed, 0 failed\n$/);
    expect(status).toBe(0);
  });
});

// A script with a shebang replaces Electron.
describe.skipIf(process.platform === 'win32')('with an Electron', () => {
  const RELAY = ['--relay', 'https://relay.example/?a=1&b=2'];
  const SERVE = { name: 'waxwing', args: ['serve', ...RELAY] };
  /** A system on which Electron starts without any preparation. */
  const MAC = { platform: 'darwin' } as const;
  let checkout: StandInCheckout;
  beforeAll(() => {
    checkout = new StandInCheckout().install();
    checkout.run('setup.mjs', []);
  });
  afterAll(() => checkout[Symbol.dispose]());

  test('a failed fetch of Electron names its command, and the next start tries again', () => {
    using fresh = new StandInCheckout().install();
    fresh.run('setup.mjs', []);
    const start = () => fresh.run('start.mjs', RELAY, { ELECTRON_MIRROR: 'https://mirror.example/' }, MAC);
    const opened = fresh.addElectronInstaller('console.error("403 Forbidden"); process.exit(1);');
    const first = start();
    expect(first.calls).toMatchObject([{ name: 'electron-vite' }, { name: 'install' }, SERVE]);
    expect(first.stderr).toContain('403 Forbidden');
    expect(first.stderr).toContain('Electron’s binary is not installed: Waxwing opens as a page');
    expect(first.stderr).toContain('\n  node node_modules/electron/install.js\n');
    expect(start().calls).toMatchObject([{ name: 'install' }, SERVE]);
    opened.addElectron('exit 0');
    expect(start().calls).toMatchObject([{ name: 'electron' }]);
  });

  test('npm start opens it, with its arguments', () => {
    const { calls, status } = checkout.addElectron('exit 0').run('start.mjs', RELAY, {}, MAC);
    expect(calls.map(({ name }) => name)).toEqual(['electron-vite', 'electron']);
    expect(calls[1]?.args).toEqual([`${checkout.path}/`, `--relay=${RELAY[1]}`]);
    expect(status).toBe(0);
  });

  test('npm start opens the browser if Electron ends at once with a fatal error', () => {
    checkout.addElectron(`echo '[7:FATAL:sandbox.cc:9] It cannot be.' >&2; kill -TRAP $$`);
    const { calls, stderr, status } = checkout.run('start.mjs', RELAY, {}, MAC);
    expect(calls).toMatchObject([{ name: 'electron' }, SERVE]);
    expect(stderr).toContain('It cannot be.');
    expect(stderr).toContain('Electron could not start: Waxwing opens as a page of your browser instead.');
    expect(status).toBe(0);
  });

  test('npm start ends if the app has already printed the reason', () => {
    const { calls, status } = checkout.addElectron('exit 1').run('start.mjs', RELAY, {}, MAC);
    expect(calls.map(({ name }) => name)).toEqual(['electron']);
    expect(status).toBe(1);
  });

  const linux = (uid: number) =>
    checkout
      .addProgram('unshare', 'exit 1')
      .run('start.mjs', RELAY, { DISPLAY: ':7' }, { platform: 'linux', uid });

  test('npm start opens the browser if user namespaces are restricted, and prints two commands', () => {
    const { calls, stderr } = linux(1000);
    expect(calls).toMatchObject([SERVE]);
    expect(stderr).toContain('This system does not let Electron make its sandbox: Waxwing opens');
    expect(stderr.match(/^ {2}sudo ch(?:own root:root|mod 4755) '.*\/chrome-sandbox'$/gm)).toHaveLength(2);
  });

  test('npm start opens the browser for root', () => {
    const { calls, stderr } = linux(0);
    expect(calls).toMatchObject([SERVE]);
    expect(stderr).toContain('Electron does not start as root: Waxwing opens as a page');
  });

  test('packages are built without the certificates that a workflow names but has not stored', () => {
    const secrets = { CSC_LINK: '', CSC_KEY_PASSWORD: '', APPLE_ID: '', WIN_CSC_LINK: 'D:/code signing.pfx' };
    const { calls, status } = checkout.addElectron('').run('dist.mjs', ['--dir'], secrets);
    expect(calls).toMatchObject([{ name: 'electron-builder', args: ['--publish', 'never', '--dir'] }]);
    const env = calls[0]?.env ?? {};
    expect(Object.keys(env).filter((name) => name in secrets)).toEqual(['WIN_CSC_LINK']);
    expect(env.WIN_CSC_LINK).toBe(secrets.WIN_CSC_LINK);
    expect(status).toBe(0);
  });

  test('the tests of a packaged app fail without one', () => {
    const { stdout, status } = checkout.run('test.mjs', ['electron'], { WAXWING_ELECTRON: 'dist/none' });
    expect(stdout).toMatch(
      /\nFailed: electron\nThere is no app at dist\/none, which WAXWING_ELECTRON names.\n\n0 passed, 1 failed\n$/,
    );
    expect(status).toBe(1);
  });

  test('the tests of the real app fail if they are required and Electron cannot run', () => {
    const needed = { WAXWING_NEEDS_ELECTRON: '1', WAXWING_ELECTRON: '', DISPLAY: '', WAYLAND_DISPLAY: '' };
    const { stdout, status } = checkout.run('test.mjs', ['electron'], needed, { platform: 'linux' });
    expect(stdout).toContain('Failed: electron\nThere is no display, and these tests need it');
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
    expect(status).toBe(1);
  });
});
