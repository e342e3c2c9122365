/** Steps that the quick and the slow tests of this name share. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { DataKey } from '../../../src/host/keys/data-key.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { REWRAP_PASSPHRASE } from '../../support/rewrap-process.ts';
import { runs } from '../../support/runs.ts';

export const PROGRAM = fileURLToPath(new URL('../../support/rewrap-process.ts', import.meta.url));

/** Each step is a process. The quick run tries every fourth. */
export const STRIDE = runs({ quick: 4, all: 1, nightly: 1 });

/** Kills the program at one step after the other, and opens the key after each kill. @returns the number of steps */
export async function killAtEveryStep(
  how: 'passphrase' | 'store',
  prepare: (folder: string) => Promise<Buffer>,
  reopen: (folder: string) => Promise<Buffer>,
): Promise<number> {
  using root = temporaryFolder();
  for (let step = 0; ; step += STRIDE) {
    const folder = join(root.path, String(step));
    mkdirSync(folder);
    const key = await prepare(folder);
    // With the options of this process: a key wrapped by one can be opened by the other.
    const args = [...process.execArgv, PROGRAM, folder, how, String(step)];
    const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (signal === null && status !== 0) throw new Error(stderr);
    expect(await reopen(folder), `after step ${step}`).toEqual(key);
    rmSync(folder, { recursive: true });
    if (signal === null) return step;
  }
}

export async function opened(key: DataKey): Promise<Buffer> {
  const result = await key.start();
  if (result === 'passphrase') return key.openByPassphrase(REWRAP_PASSPHRASE);
  if (typeof result === 'string') throw new Error(`asked: ${result}`);
  return result;
}
