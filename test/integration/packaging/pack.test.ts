/**
 * A package of the real build, around a made-up Electron: what goes in, and what does not.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPackage } from '@electron/asar';
import { Arch, build, Platform } from 'electron-builder';
import { expect, test } from 'vitest';
import { checkFuses } from '../../../scripts/fuses.ts';
import { temporaryFolder } from '../../support/engine.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What electron-builder expects of Electron for Linux, with the fuse wire of its binary. */
function makeElectron(folder: string): string {
  const electron = join(folder, 'electron');
  mkdirSync(join(electron, 'resources'), { recursive: true });
  const wire = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\t101100011');
  writeFileSync(join(electron, 'electron'), wire, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version'])
    writeFileSync(join(electron, name), '');
  return electron;
}

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

// Native modules are installed for one machine: this is about that of Linux.
test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'C20, V10: a package holds the app and what it needs at run time, and its fuses are set',
  async () => {
    using folder = temporaryFolder();
    const output = join(folder.path, 'dist');
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget('dir', Arch.x64),
      config: { electronDist: makeElectron(folder.path), directories: { output } },
      publish: 'never',
    });
    const packed = join(output, 'linux-unpacked');
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
      '/test/vectors/waxwing/sealing.json',
      '/node_modules/electron-updater/package.json',
      '/node_modules/better-sqlite3-multiple-ciphers/prebuilds/linux-x64.node',
    ]) {
      expect(files).toContain(file);
    }
    const served = /^\/docs\/protocol\.md$|^\/test\/vectors(?:$|\/waxwing)/;
    const isUnwanted = (file: string) =>
      !served.test(file) &&
      ['/out/client', '/out/messaging', '/out/protocol', '/src', '/test', '/scripts', '/docs'].some((each) =>
        file.startsWith(`${each}/`),
      );
    expect(files.filter(isUnwanted)).toEqual([]);
    expect(files.filter((file) => file.includes('/prebuilds/'))).toHaveLength(1);
    const isPacked = (name: string) => files.includes(`/node_modules/${name}/package.json`);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies).filter(isPacked)).toEqual(
      Object.keys(dependencies).filter((name) => importedByTheApp.has(name)),
    );
    expect(files.filter((file) => file.includes('keyring'))).toEqual([]);
    for (const name of ['electron', 'vitest', 'playwright', 'typescript', 'viem', 'react']) {
      expect(files).not.toContain(`/node_modules/${name}`);
    }
  },
  120_000,
);
