/**
 * `npm start`: installs and builds what is missing, then opens the app: in Electron, or, where its binary or a
 * display is missing, as a page of the browser.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { run } from './run.mjs';
import { root, setUp } from './setup.mjs';

/** Electron's executable, or null if its download has not happened. */
function electronBinary() {
  const folder = join(root, 'node_modules', 'electron');
  const pointer = join(folder, 'path.txt');
  if (!existsSync(pointer)) return null;
  const binary = join(folder, 'dist', readFileSync(pointer, 'utf8'));
  return existsSync(binary) ? binary : null;
}

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

setUp();
build();
const args = process.argv.slice(2);
const electron = hasDisplay ? electronBinary() : null;
if (electron) {
  process.exitCode = await run(electron, [root, ...args]);
} else {
  const missing = hasDisplay ? 'Electron’s binary is not installed' : 'There is no display';
  process.stderr.write(`${missing}: Waxwing opens as a page of your browser instead.\n`);
  process.exitCode = await run('node', ['src/cli/waxwing.ts', 'serve', ...args]);
}
