/**
 * The npm package as users have it: the real tarball, installed into an empty folder, and the supported
 * versions of Node.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../scripts/project.mjs';
import { temporaryFolder } from './engine.ts';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

/** The folder of a project with the installed package. */
export interface InstalledPackage extends Disposable {
  path: string;
}

/**
 * Installs the package into an empty folder.
 * @param nodes that are to run it: npm judges for each whether it may
 */
export async function installPackage(tarball: string, nodes: readonly string[]): Promise<InstalledPackage> {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'package.json'), '{"private":true,"type":"module"}');
  for (const node of nodes) await npm(['install', '--engine-strict', tarball], folder.path, dirname(node));
  // Afterwards: npm would remove its contents.
  symlinkSync(TYPES, join(folder.path, 'node_modules', '@types'), 'junction');
  return folder;
}

/** The path of a Node from npm, which is fetched once: it is 180 MB. */
export async function nodeOfVersion(version: string): Promise<string> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folder = join(CACHE, `node-${version}`);
  const node = join(folder, 'node_modules', 'node', 'bin', name);
  if (!existsSync(node)) {
    mkdirSync(CACHE, { recursive: true });
    const made = mkdtempSync(`${folder}-`);
    try {
      writeFileSync(join(made, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
      await npm(['install', `node@${version}`], made, dirname(process.execPath));
      // Renamed to its final place when it is complete.
      rmSync(folder, { recursive: true, force: true });
      renameSync(made, folder);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  return node;
}

function npm(args: string[], cwd: string, nodeFolder: string): Promise<unknown> {
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: nodeFolder + delimiter + process.env.PATH };
  const [npm, ...before]: [string, ...string[]] = programOf('npm');
  return run(npm, [...before, ...args, ...quietly], { cwd, env });
}
