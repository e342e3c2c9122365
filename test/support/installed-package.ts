/**
 * The npm package as its users have it: the real tarball, installed into an empty folder, on a Node of its own.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../scripts/project.mjs';
import { temporaryFolder } from './engine.ts';

const run = promisify(execFile);
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

/** A folder of a project that has the package. */
export interface InstalledPackage extends Disposable {
  path: string;
  /** The path of the Node that runs its programs. */
  node: string;
}

/**
 * Installs the package and, where it is not the one that runs the tests, a Node from npm.
 * @param version of the package `node`; null for the Node that runs the tests
 */
export async function installPackage(tarball: string, version: string | null): Promise<InstalledPackage> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'project');
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{"private":true,"type":"module"}');
  const node = version === null ? process.execPath : await installNode(join(folder.path, 'node'), version);
  await npm(['install', '--engine-strict', tarball], path, dirname(node));
  symlinkSync(TYPES, join(path, 'node_modules', '@types'), 'junction');
  return { path, node, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function installNode(folder: string, version: string): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  await npm(['install', `node@${version}`], folder, dirname(process.execPath));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', 'node', 'bin', name);
}

function npm(args: string[], cwd: string, nodeFolder: string): Promise<unknown> {
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: nodeFolder + delimiter + process.env.PATH };
  const [npm, ...before]: [string, ...string[]] = programOf('npm');
  return run(npm, [...before, ...args, ...quietly], { cwd, env });
}
