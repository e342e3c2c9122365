/**
 * The place of the project, and the runner of its tools. Runs on any Node from 20, with nothing installed.
 *
 * No shell is between a script and what it runs. On Windows that would be cmd.exe, which takes a path or an argument
 * with a space apart and acts on & and |. Without it Windows starts only .exe files, and what npm puts into
 * node_modules/.bin are .cmd files: so each tool is started as Node with the tool's own file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const modules = join(root, 'node_modules');

/** The environment with the project's own Node and tools first. */
export const environment = { ...process.env, PATH: join(modules, '.bin') + delimiter + process.env.PATH };

/** The packages that bring the tools. */
const TOOLS = {
  biome: '@biomejs/biome',
  'electron-builder': 'electron-builder',
  'electron-vite': 'electron-vite',
  playwright: '@playwright/test',
  knip: 'knip',
  tsc: 'typescript',
  vite: 'vite',
  vitest: 'vitest',
};

/**
 * The program for a command: an executable file, and the arguments before the command's own.
 * @param {string} name `node` for the project's own Node, `npm`, or the name of a tool
 * @returns {[file: string, ...args: string[]]}
 */
export function programOf(name) {
  if (name === 'node') return [projectNode()];
  if (name === 'npm') return npm();
  const owner = TOOLS[name];
  if (owner === undefined) throw new Error(`${name} is not a tool of the project`);
  const folder = join(modules, owner);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [projectNode(), join(folder, typeof bin === 'string' ? bin : bin[name])];
}

/** The binary of the npm package `node`. */
function projectNode() {
  return join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** On Windows the command npm is a .cmd file, too. Its code lies beside it, as Node's installer puts it there. */
function npm() {
  if (process.platform !== 'win32') return ['npm'];
  const { npm_execpath: running = '', PATH = '' } = process.env;
  const folders = [dirname(process.execPath), ...PATH.split(delimiter)];
  const places = folders.map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'));
  // Under another package manager, npm_execpath is that one.
  if (running.endsWith('npm-cli.js')) places.unshift(running);
  const found = places.find((place) => existsSync(place));
  // A manager of versions may have put an npm.exe on the PATH.
  return found === undefined ? ['npm'] : [process.execPath, found];
}
