/**
 * Protects the data key of a folder again, and is killed with SIGKILL at one of its steps on the disk: before the step,
 * or after half of a write. Arguments: folder, `passphrase` or `store`, number of the step. Ends with 0 if there
 * are no more steps than that.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { FileKeyStore } from './file-key-store.ts';

export const REWRAP_PASSPHRASE = 'what it is rewrapped to';

const [folder = '', how = '', lastStep = ''] = process.argv.slice(2);
let steps = Number(lastStep);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal may need a moment.
  for (;;);
}

function killBefore<Name extends 'renameSync' | 'openSync' | 'fsyncSync' | 'closeSync' | 'rmSync'>(
  name: Name,
): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const killing = (...args: unknown[]) => (steps-- === 0 ? die() : original(...args));
  Object.assign(fs, { [name]: killing });
}

function arm(): void {
  const write = fs.writeFileSync;
  Object.assign(fs, {
    writeFileSync: (path: string, contents: string | Uint8Array, options: fs.WriteFileOptions) => {
      if (steps-- === 0) die();
      if (steps-- === 0) {
        write(path, contents.slice(0, contents.length / 2), options);
        die();
      }
      write(path, contents, options);
    },
  });
  for (const name of ['renameSync', 'openSync', 'fsyncSync', 'closeSync', 'rmSync'] as const)
    killBefore(name);
  syncBuiltinESMExports();
}

if (import.meta.main) {
  const { DataKey } = await import('../../src/host/keys/data-key.ts');
  const store = new FileKeyStore(`${folder}-store`);
  store.isStale = true;
  const key = new DataKey({
    folder,
    findStore: async () => (how === 'store' ? store : null),
    mayBePlain: false,
  });
  // Earlier writes of the store are not steps of the key's.
  arm();
  const opened = await key.start();
  if (how === 'passphrase') {
    if (opened !== 'choose-passphrase') throw new Error('a plain key was expected');
    await key.choosePassphrase(REWRAP_PASSPHRASE);
  }
}
