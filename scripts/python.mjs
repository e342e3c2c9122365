/**
 * Finding a Python that has what examples/python-send needs, or installing Debian's.
 */
import { spawnSync } from 'node:child_process';
import { installFromDebian } from './debian.mjs';

/** Makes sure that there is one, if it may. Without it the tests of the example are skipped, with a notice. */
export function python() {
  // Debian's own comes last: another one that is first on the PATH may have the package, too.
  const has = ['python3', '/usr/bin/python3'].some(
    (name) => spawnSync(name, ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0,
  );
  if (!has) {
    installFromDebian(
      'Installing Debian’s Python for the test of an example.',
      'python3',
      'python3-cryptography',
    );
  }
}
