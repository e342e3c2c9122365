/**
 * `npm run dist`: the packages of this system, in dist/. What follows `--` goes to electron-builder, such as
 * `npm run dist -- --dir` for the app's folder alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { electronBinary, fetchElectron } from './electron.mjs';
import { run } from './run.mjs';
import { root, setUp } from './setup.mjs';

/** Native modules for the other architecture that this system's packages are for. npm installs only its own. */
const KEYRINGS = {
  darwin: ['darwin-arm64', 'darwin-x64'],
  win32: ['win32-x64-msvc', 'win32-arm64-msvc'],
  linux: ['linux-x64-gnu'],
};

async function installKeyrings() {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/@napi-rs/keyring/package.json'), 'utf8'),
  );
  const missing = (KEYRINGS[process.platform] ?? [])
    .map((target) => `@napi-rs/keyring-${target}`)
    .filter((name) => !existsSync(join(root, 'node_modules', name)));
  if (missing.length === 0) return true;
  const packages = missing.map((name) => `${name}@${version}`);
  // Forced, because npm refuses what is for another machine.
  const options = ['--no-save', '--force', '--ignore-scripts', '--no-audit', '--no-fund'];
  return (await run('npm', ['install', ...options, ...packages])) === 0;
}

setUp();
if (electronBinary() === null) await fetchElectron();
if (electronBinary() === null) {
  process.stderr.write(
    'Packages cannot be made here: Electron’s binary could not be downloaded. Try again with: node node_modules/electron/install.js\n',
  );
  process.exit(1);
}
build();
if (await installKeyrings()) {
  process.exitCode = await run('electron-builder', ['--publish', 'never', ...process.argv.slice(2)]);
} else {
  process.stderr.write('The native modules for the other architecture could not be installed.\n');
  process.exitCode = 1;
}
