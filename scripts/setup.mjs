/**
 * Installs what the project needs, if that has not been done for this lock file. Runs on any Node from 20, with
 * nothing installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOf, root } from './project.mjs';

const stamp = join(root, 'node_modules', '.waxwing-installed');

/** SHA-256 of what decides which packages are installed. */
function wanted() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'package.json']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Installs the packages of the lock file, unless they are there. Exits with a sentence if that fails. */
export function setUp() {
  const hash = wanted();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write('Installing the packages that Waxwing is built from. This is done once.\n');
  const [npm, ...before] = programOf('npm');
  const { status } = spawnSync(npm, [...before, 'ci', '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write('The packages could not be installed. Is there a network? Try again with: npm ci\n');
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
