/**
 * Packages of the real build, around a made-up Electron: contents, exclusions, and a run.
 */
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFuses } from '../../../scripts/fuses.ts';
import { readManifest, signedBytes } from '../../../src/main/updates/manifest.ts';
import { UPDATE_SERVER } from '../../../src/main/updates/release-key.ts';
import { HeadlessDesktop } from '../../support/electron/headless.ts';
import { callEngine, eventually, openChat, setUp, temporaryFolder } from '../../support/engine.ts';
import { packForLinux, unpackApp } from '../../support/packed-app.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The packages that the built app imports, by the first parts of their names. */
const importedByTheApp = new Set(
  globSync('out/{main,preload}/**/*.{js,cjs}', { cwd: root })
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /(?:\bfrom|\bimport\(|\bimport|\brequire\()\s*["']([^"'.][^"']*)["']/g,
      ),
    ])
    .map(([, path = '']) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
);

// Native modules are installed for one platform: this test is for Linux.
describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the packages for Linux', () => {
  const resources = new DisposableStack();
  let dist: string;
  beforeAll(async () => {
    dist = await packForLinux(resources.use(temporaryFolder()).path);
  });
  afterAll(() => resources.dispose());

  const packages = ['x86_64.AppImage', 'amd64.deb', 'x86_64.rpm'].map((end) => `Waxwing-${version}-${end}`);
  /** Path of a file in an unpacked package. */
  const within = (name: string, path: string) => join(dist, `${name}.contents`, path);
  const read = (name: string, path: string) => readFileSync(within(name, path), 'utf8');

  test('C20, V10: they contain the app with its runtime needs, and the fuses are set', async () => {
    const packed = join(dist, 'linux-unpacked');
    await checkFuses(join(packed, 'waxwing'));
    const files = listPackage(join(packed, 'resources', 'app.asar'), { isPack: false });
    for (const file of [
      '/package.json',
      '/out/main/index.js',
      '/out/main/engine-worker.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/build/tray/tray.png',
      '/docs/protocol.md',
      '/docs/vectors/sealing.json',
      '/docs/relay/page.html',
      '/docs/relay/page-policy.txt',
      '/docs/relay/openapi.json',
      '/node_modules/electron-updater/package.json',
      '/node_modules/better-sqlite3-multiple-ciphers/prebuilds/linux-x64.node',
      '/node_modules/sodium-native/prebuilds/linux-x64/sodium-native.node',
    ]) {
      expect(files).toContain(file);
    }
    const served =
      /^\/docs\/(?:protocol\.md|vectors(?:$|\/)|relay(?:$|\/(?:page\.html|page-policy\.txt|openapi\.json)$))/;
    const isUnwanted = (file: string) =>
      !served.test(file) &&
      ['/out/client', '/out/messaging', '/out/protocol', '/src', '/test', '/scripts', '/docs'].some((each) =>
        file.startsWith(`${each}/`),
      );
    expect(files.filter(isUnwanted)).toEqual([]);
    expect(files.filter((file) => /\/prebuilds\/.*\.\w+$/.test(file))).toHaveLength(2);
    const isPacked = (name: string) => files.includes(`/node_modules/${name}/package.json`);
    expect(Object.keys(dependencies).filter(isPacked)).toEqual(
      Object.keys(dependencies).filter((name) => importedByTheApp.has(name)),
    );
    expect(files.filter((file) => file.includes('keyring'))).toEqual([]);
    for (const name of ['electron', 'vitest', 'playwright', 'typescript', 'viem', 'react']) {
      expect(files).not.toContain(`/node_modules/${name}`);
    }
  });

  test.each(packages)('%s is opened by its menu entry and by waxwing: links', (name) => {
    const isImage = name.endsWith('.AppImage');
    const folder = isImage ? '' : 'usr/share/applications/';
    const lines = read(name, `${folder}dev.waxwing.app.desktop`).trim().split('\n');
    expect(lines[0]).toBe('[Desktop Entry]');
    const entry = Object.fromEntries(lines.slice(1).map((line) => line.split(/=(.*)/s, 2)));
    expect(entry).toMatchObject({
      Name: 'Waxwing',
      // The installed app has its sandbox; no switch disables it.
      Exec: isImage ? 'AppRun %U' : '/opt/Waxwing/waxwing %U',
      Icon: 'waxwing',
      MimeType: 'x-scheme-handler/waxwing;',
      StartupWMClass: 'dev.waxwing.app',
      Terminal: 'false',
    });
    const app = isImage ? '' : 'opt/Waxwing/';
    for (const path of [`${app}waxwing`, 'usr/share/icons/hicolor/256x256/apps/waxwing.png'])
      expect(existsSync(within(name, path)), path).toBe(true);
    // electron-updater detects the package format by this file; an AppImage has none.
    const type = `${app}resources/package-type`;
    expect(existsSync(within(name, type)) ? read(name, type) : 'AppImage').toBe(name.split('.').at(-1));
    expect(read(name, `${app}resources/app-update.yml`)).toContain(`url: ${UPDATE_SERVER}`);
  });

  test.each(packages.slice(1))(
    'C1: %s allows Chromium its sandbox, and removes that permission again',
    (name) => {
      const profile = read(name, 'opt/Waxwing/resources/apparmor-profile');
      // Ubuntu allows no other program to create user namespaces.
      expect(profile).toMatch(
        /^profile "waxwing" "\/opt\/Waxwing\/waxwing" flags=\(unconfined\) \{\n\s+userns,$/m,
      );
      const [install, remove] = ['after-install', 'after-remove'].map((script) => read(name, script));
      expect(install).toContain("chmod 4755 '/opt/Waxwing/chrome-sandbox'");
      expect(install).toContain("APPARMOR_PROFILE_SOURCE='/opt/Waxwing/resources/apparmor-profile'");
      expect(install).toContain('update-desktop-database');
      expect(remove).toContain("APPARMOR_PROFILE_DEST='/etc/apparmor.d/waxwing'");
      for (const script of ['after-install', 'after-remove'])
        expect(spawnSync('bash', ['-n', within(name, script)]).status).toBe(0);
    },
  );

  test('the manifest names the packages with their hash, in the form that the app reads', () => {
    const manifest = readFileSync(join(dist, 'latest-linux.yml'), 'utf8');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const signature = sign(null, signedBytes('latest-linux.yml', manifest), privateKey).toString('base64');
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const { files, version } = readManifest('latest-linux.yml', manifest, signature, key);
    expect(version).toBe(version);
    expect([...new Set(files.map(({ url }) => url))]).toEqual(packages);
    for (const { url, sha512 } of files) {
      const made = createHash('sha512').update(readFileSync(join(dist, url)));
      expect(sha512).toBe(made.digest('base64'));
    }
  });

  test('the packed app outside of the repository loads libsodium', () => {
    using elsewhere = temporaryFolder();
    unpackApp(join(dist, 'linux-unpacked', 'resources'), elsewhere.path);
    // Without one of the packages that load it, the app would use the curves of Node, and show nothing.
    const { status, stderr } = spawnSync(process.execPath, ['-e', "require('sodium-native')"], {
      cwd: elsewhere.path,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('the packed app outside of the repository keeps its key in the key store, talks to @echo and ends', async () => {
    using elsewhere = temporaryFolder();
    const setup = {
      main: unpackApp(join(dist, 'linux-unpacked', 'resources'), join(elsewhere.path, 'app')).href,
      userData: join(elsewhere.path, 'data'),
      keyStoreKey: randomBytes(32).toString('base64'),
      isPackaged: true,
    };
    const open = (app: HeadlessDesktop) =>
      eventually(
        () => callEngine(app, 'lock.state', {}),
        ({ phase }) => phase === 'open',
      );
    let address: string;
    {
      await using app = await HeadlessDesktop.start(setup);
      expect(app.loaded?.preload).toBe(join(elsewhere.path, 'app', 'out', 'preload', 'index.cjs'));
      const page = await app.desktop.request(app.loaded?.url ?? '', 'GET');
      expect(Buffer.from(page.body).toString()).toContain('<title>Waxwing</title>');
      await open(app);
      expect(await callEngine(app, 'host.info', {})).toMatchObject({
        kind: 'electron',
        keyProtection: { kind: 'os-key-store' },
      });
      ({ address } = await setUp(app, 'ann'));
      const { id } = await openChat(app, 'echo');
      await callEngine(app, 'messages.send', { conversationId: id, text: 'hello' });
      await eventually(
        () => callEngine(app, 'messages.list', { conversationId: id, limit: 10 }),
        ({ messages }) => messages.some(({ state, text }) => state === 'received' && text?.includes('hello')),
      );
      void app.desktop.pickFromTray('Quit Waxwing');
      expect(await app.ended()).toBe(0);
    }
    await using again = await HeadlessDesktop.start(setup);
    await open(again);
    expect(await callEngine(again, 'app.state', {})).toMatchObject({ me: { address } });
    void again.desktop.pickFromTray('Quit Waxwing');
    expect(await again.ended()).toBe(0);
  });
});
