/**
 * Hook of electron-builder, called when a package's files are in place, before they are signed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FUSES, setFuses } from './fuses.ts';

/** electron-builder's numbers for the architectures that we build. */
const ARCHITECTURES = { 1: 'x64', 3: 'arm64' };

/** @param {import('app-builder-lib').AfterPackContext} context */
export default function afterPack(context) {
  return prepare(context, async () => FUSES);
}

/**
 * @param {import('app-builder-lib').AfterPackContext} context
 * @param {(binary: string) => Promise<import('./fuses.ts').Fuses>} chooseFuses
 */
export async function prepare({ appOutDir, arch, electronPlatformName, packager }, chooseFuses) {
  const { productFilename } = packager.appInfo;
  const app = join(appOutDir, `${productFilename}.app`);
  const place = {
    darwin: { binary: app, resources: join(app, 'Contents', 'Resources') },
    win32: { binary: join(appOutDir, `${productFilename}.exe`), resources: join(appOutDir, 'resources') },
    linux: { binary: join(appOutDir, packager.executableName), resources: join(appOutDir, 'resources') },
  }[electronPlatformName];
  checkNativeModule(place.resources, `${electronPlatformName}-${ARCHITECTURES[arch]}`);
  await setFuses(place.binary, await chooseFuses(place.binary));
}

/**
 * The binding is not looked for until the app opens its database, and then it is too late.
 * @param {string} resources the folder with app.asar
 * @param {string} target such as `darwin-arm64`
 */
function checkNativeModule(resources, target) {
  const module = 'app.asar.unpacked/node_modules/better-sqlite3-multiple-ciphers';
  const binding = join(resources, module, 'prebuilds', `${target}.node`);
  if (!existsSync(binding)) throw new Error(`The package lacks the SQLite binding for ${target}.`);
}
