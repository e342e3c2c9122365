/**
 * `npm start`: installs and builds missing parts, then opens the app: in Electron, or, where that cannot run, as a page
 * of the browser.
 */
import { build } from './build.mjs';
import { fetchElectron, obstacleToElectron, runElectron } from './electron.mjs';
import { fallbackText } from './electron-choice.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
await build();
if (obstacleToElectron()?.kind === 'binary') await fetchElectron();
const args = process.argv.slice(2);
let obstacle = obstacleToElectron();
if (obstacle === null) {
  const ended = await runElectron(args);
  process.exitCode = ended.exitCode;
  obstacle = ended.obstacle;
}
if (obstacle !== null) {
  process.stderr.write(fallbackText(obstacle));
  process.exitCode = await run('node', ['src/cli/waxwing.ts', 'serve', ...args]);
}
