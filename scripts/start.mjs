/**
 * `npm start`: installs and builds what is missing, then opens the app: in Electron, or, where its binary or a
 * display is missing, as a page of the browser.
 */
import { build } from './build.mjs';
import { electronBinary, fetchElectron } from './electron.mjs';
import { run } from './run.mjs';
import { root, setUp } from './setup.mjs';

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

setUp();
build();
if (hasDisplay && electronBinary() === null) await fetchElectron();
const args = process.argv.slice(2);
const electron = hasDisplay ? electronBinary() : null;
if (electron) {
  process.exitCode = await run(electron, [root, ...args]);
} else {
  const missing = hasDisplay ? 'Electron’s binary is not installed' : 'There is no display';
  process.stderr.write(`${missing}: Waxwing opens as a page of your browser instead.\n`);
  process.exitCode = await run('node', ['src/cli/waxwing.ts', 'serve', ...args]);
}
