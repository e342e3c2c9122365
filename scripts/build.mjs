/**
 * Builds the interface and the hosts, unless what is there was made from the same sources.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root } from './setup.mjs';

const inputs = ['src', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];
const stamp = join(root, 'out', '.built-from');

function* filesOf(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesOf(join(path, name));
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesOf(join(root, input))) hash.update(file).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Builds if need be. Exits with the build's output if it fails. */
export function build() {
  const hash = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write('Building Waxwing.\n');
  const { status, stdout, stderr } = spawnSync('electron-vite', ['build', '--logLevel', 'warn'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}\nThe build failed; what went wrong stands above.\n`);
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}
