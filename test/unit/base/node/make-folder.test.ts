import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../src/base/node/make-folder.ts';
import { temporaryFolder } from '../../../support/engine.ts';

test('makes a folder with its missing parents, and accepts an existing one', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a', 'b', 'c');
  makeFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  makeFolder(path);
  makeFolder('/');
});

test('refuses a path below a file, and a file', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  mkdirSync(join(folder.path, 'other'));
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('ends where the system refuses a folder as missing', () => {
  expect(() => makeFolder('/proc/x')).toThrow('ENOENT');
  expect(() => makeFolder('/proc/x/y')).toThrow('ENOENT');
});
