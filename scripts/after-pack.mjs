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
  checkNativeModules(place.resources, `${electronPlatformName}-${ARCHITECTURES[arch]}`);
  await setFuses(place.binary, await chooseFuses(place.binary));
}

/**
 * The app loads the binding of SQLite when it opens its database, and that is too late. Without the one of libsodium it is slower.
 * @param {string} resources the folder with app.asar
 * @param {string} target such as `darwin-arm64`
 */
function checkNativeModules(resources, target) {
  const modules = join(resources, 'app.asar.unpacked/node_modules');
  const bindings = {
    SQLite: `better-sqlite3-multiple-ciphers/prebuilds/${target}.node`,
    libsodium: `sodium-native/prebuilds/${target}/sodium-native.node`,
  };
  for (const [library, binding] of Object.entries(bindings)) {
    if (!existsSync(join(modules, binding)))
      throw new Error(`The package lacks the ${library} binding for ${target}.`);
  }
}
