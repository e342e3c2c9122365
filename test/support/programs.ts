/**
 * Programs of a library user, in their own folder, with plain Node and the built package.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './engine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPESCRIPT = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** More threads take twice the processor time and are hardly faster. */
const ONE_THREAD = '--singleThreaded';

/** Builds the library, as `npm run build` does. */
export function buildLibrary(): void {
  execFileSync(process.execPath, [
    TYPESCRIPT,
    '-p',
    join(ROOT, 'src/client/tsconfig.build.json'),
    ONE_THREAD,
  ]);
}

/** A project outside the repository that has the library installed. */
export function newProject(): Disposable & { path: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(ROOT, join(folder.path, 'node_modules', 'waxwing'), 'junction');
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder.path, 'node_modules', '@types'), 'junction');
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  return folder;
}

/** Errors of the TypeScript compiler in its strictest mode for all programs of a project; empty for none. */
export function typeErrors(project: string): string {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
  try {
    execFileSync(process.execPath, [TYPESCRIPT, '-p', project, ONE_THREAD], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
}

export interface Running {
  child: ChildProcess;
  /** The whole standard output and error, after its end. */
  output: Promise<string>;
  /**
   * Waits until its standard output matches.
   * @returns the first group
   * @throws Error with its output, if it ends before
   */
  prints(pattern: RegExp): Promise<string>;
}

/** Starts a program with plain Node. */
export function start(
  file: string,
  cwd: string,
  env: Record<string, string>,
  args: string[] = [],
  node = process.execPath,
): Running {
  const child = spawn(node, [file, ...args], {
    cwd,
    env: { ...process.env, WAXWING_LOG: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const output = parts.then(([out, errors]) => out + errors);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const prints = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(printed);
        if (match) resolve(match[1] ?? '');
      };
      child.stdout.on('data', look);
      output.then((all) => reject(new Error(`${file} ended before it printed ${pattern}: ${all}`)), reject);
      look();
    });
  return { child, output, prints };
}
