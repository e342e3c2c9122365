/**
 * `npm run dist`: the packages of this system, in dist/. What follows `--` goes to electron-builder, such as
 * `npm run dist -- --dir` for the app's folder alone.
 */
import { build } from './build.mjs';
import { electronBinary, fetchElectron } from './electron.mjs';
import { INSTALLER } from './electron-choice.mjs';
import { environment } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';
import { withoutEmptySigning } from './signing.mjs';

setUp();
if (electronBinary() === null) await fetchElectron();
if (electronBinary() === null) {
  process.stderr.write(
    `Packages cannot be made here: Electron’s binary could not be downloaded. Try again with: node ${INSTALLER}\n`,
  );
  process.exit(1);
}
await build();
const args = ['--publish', 'never', ...process.argv.slice(2)];
process.exitCode = await run('electron-builder', args, { env: withoutEmptySigning(environment) });
