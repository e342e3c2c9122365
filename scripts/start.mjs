/**
 * `npm start`: installs and builds what is missing, then opens the app: in Electron, or, where its binary or a
 * display is missing, as a page of the browser.
 */
import { build } from './build.mjs';
import { electronBinary, fetchElectron, joinValues, missingForElectron } from './electron.mjs';
import { run } from './run.mjs';
import { root, setUp } from './setup.mjs';

setUp();
build();
if (missingForElectron()?.includes('binary')) await fetchElectron();
const args = process.argv.slice(2);
const missing = missingForElectron();
if (missing === null) {
  process.exitCode = await run(electronBinary(), [root, ...joinValues(args)]);
} else {
  process.stderr.write(`${missing}: Waxwing opens as a page of your browser instead.\n`);
  process.exitCode = await run('node', ['src/cli/waxwing.ts', 'serve', ...args]);
}
