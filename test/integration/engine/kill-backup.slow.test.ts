/** A kill at each tenth of a backup and of a restore: no half file, nothing lost, and the next try completes it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';

const ENTRY = fileURLToPath(new URL('../../support/backup-process.ts', import.meta.url));
const TENTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

interface Result {
  steps: number;
  digest: string;
  isOpen: boolean;
}

const stack = new DisposableStack();
afterAll(() => stack.dispose());

class Computer {
  readonly folder = stack.use(temporaryFolder()).path;
  readonly #key = randomBytes(32).toString('hex');

  /** @returns null if it was killed */
  run(what: string, path = '', killAt = 0): Promise<Result | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Result | null>();
    const args = [ENTRY, what, this.folder, this.#key, path, String(killAt)];
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve(null);
      else if (error) reject(new Error(stderr));
      else resolve(JSON.parse(stdout) as Result);
    });
    return promise;
  }
}

const backups = stack.use(temporaryFolder()).path;
const source = new Computer();
let digest = '';
let steps = { make: 0, restore: 0, automatic: 0 };
const whole = join(backups, 'whole.waxwing-backup');
beforeAll(async () => {
  digest = (await source.run('fill'))?.digest ?? '';
  const target = new Computer();
  await target.run('create');
  const made = await source.run('make', whole);
  const restored = await target.run('restore', whole);
  expect(restored).toMatchObject({ digest, isOpen: false });
  await source.run('folder', stack.use(temporaryFolder()).path);
  const automatic = await source.run('automatic');
  steps = {
    make: made?.steps ?? 0,
    restore: restored?.steps ?? 0,
    automatic: automatic?.steps ?? 0,
  };
});

const stepAt = (all: number, tenth: number) => Math.max(1, Math.floor((all * tenth) / 10));

test.each(TENTHS)(
  'a kill after %s tenths of a backup leaves the file before, and the next one replaces it',
  async (tenth) => {
    const path = join(backups, `${tenth}.waxwing-backup`);
    expect(await source.run('make', path, stepAt(steps.make, tenth))).toBeNull();
    expect(existsSync(path)).toBe(false);
    await source.run('make', path);
    const before = readFileSync(path);
    expect(await source.run('make', path, stepAt(steps.make, tenth))).toBeNull();
    expect(readFileSync(path).equals(before)).toBe(true);
    // On another day.
    await source.run('make', join(backups, `${tenth} later.waxwing-backup`));
    expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([]);
  },
);

test.each(TENTHS)(
  'an automatic backup that is killed after %s tenths leaves the one before, and the next one completes it',
  async (tenth) => {
    const computer = new Computer();
    const filled = await computer.run('fill');
    const parent = stack.use(temporaryFolder()).path;
    await computer.run('folder', parent);
    expect(await computer.run('automatic', '', stepAt(steps.automatic, tenth))).toBeNull();
    const nothing = new Computer();
    await nothing.run('create');
    await expect(nothing.run('restore', parent)).rejects.toThrow('backup_folder_empty');
    await computer.run('automatic');
    expect(await computer.run('automatic', '', 1)).toBeNull();
    const target = new Computer();
    await target.run('create');
    expect(await target.run('restore', parent)).toMatchObject({ digest: filled?.digest, isOpen: false });
    await computer.run('automatic');
    const left = readdirSync(parent, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.partial'))).toEqual([]);
  },
);

test.each(TENTHS)(
  'a restore that is killed after %s tenths is completed by the next start',
  async (tenth) => {
    const target = new Computer();
    await target.run('create');
    expect(await target.run('restore', whole, stepAt(steps.restore, tenth))).toBeNull();
    expect(await target.run('restore', whole)).toMatchObject({ digest, isOpen: false });
  },
);
