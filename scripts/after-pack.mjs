/**
 * What electron-builder calls when a package's files are in place, before they are signed.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFuses } from './fuses.ts';

/** electron-builder's numbers for the architectures that we build. */
const ARCHITECTURES = { 1: 'x64', 3: 'arm64' };

/** @param {import('app-builder-lib').AfterPackContext} context */
export default async function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo;
  const app = join(appOutDir, `${productFilename}.app`);
  const place = {
    darwin: { binary: app, resources: join(app, 'Contents', 'Resources') },
    win32: { binary: join(appOutDir, `${productFilename}.exe`), resources: join(appOutDir, 'resources') },
    linux: { binary: join(appOutDir, packager.executableName), resources: join(appOutDir, 'resources') },
  }[electronPlatformName];
  checkNativeModules(place.resources, `${electronPlatformName}-${ARCHITECTURES[arch]}`);
  await setFuses(place.binary);
}

/**
 * npm installs native modules for the machine that it runs on, which need not be the package's.
 * @param {string} resources the folder with app.asar
 * @param {string} target such as `darwin-arm64`
 */
export function checkNativeModules(resources, target) {
  const modules = join(resources, 'app.asar.unpacked', 'node_modules');
  const sqlite = join(modules, 'better-sqlite3-multiple-ciphers', 'prebuilds', `${target}.node`);
  if (!existsSync(sqlite)) throw new Error(`The package lacks the SQLite binding for ${target}.`);
  const keyrings = existsSync(join(modules, '@napi-rs')) ? readdirSync(join(modules, '@napi-rs')) : [];
  if (!keyrings.some((name) => name.startsWith(`keyring-${target}`))) {
    throw new Error(
      `The package lacks @napi-rs/keyring for ${target}. npm run dist installs it; docs/releasing.md tells how.`,
    );
  }
}
