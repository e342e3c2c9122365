/** Folders of commands that cannot be made. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { report } from '../../../src/cli/errors.ts';
import { requireFolder } from '../../../src/cli/folder.ts';

const { mkdirSync } = fs;
afterEach(() => {
  fs.mkdirSync = mkdirSync;
  syncBuiltinESMExports();
});

function failureOf(work: () => void): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test.each([
  ['ENOSPC', 1, 'the disk is full.'],
  ['EDQUOT', 1, 'the disk is full.'],
  ['EIO', 1, 'EIO.'],
  ['EACCES', 2, 'your account is not allowed to write there.'],
  ['EROFS', 2, 'the disk is read-only.'],
] as const)('a folder that cannot be made by %s exits with %i', (code, exit, reason) => {
  fs.mkdirSync = vi.fn(() => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  const error = failureOf(() => requireFolder('/no-such-place/data', 'identity_folder_unusable'));
  expect(report(error, true)).toBe(exit);
  expect(error).toHaveProperty(
    'message',
    `The identity cannot be stored in /no-such-place/data: ${reason} Choose another place with --file.`,
  );
});
