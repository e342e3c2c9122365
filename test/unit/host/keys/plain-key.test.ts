import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainKey, removePlainKey, writePlainKey } from '../../../../src/host/keys/plain-key.ts';
import { temporaryFolder } from '../../../support/engine.ts';

test('a key is readable only by its owner, and is deleted when removed', () => {
  using folder = temporaryFolder();
  expect(readPlainKey(folder.path)).toBeNull();
  writePlainKey(folder.path, Buffer.alloc(32, 7));
  expect(readPlainKey(folder.path)).toEqual(Buffer.alloc(32, 7));
  expect(readdirSync(folder.path)).toEqual(['database.key']);
  expect(statSync(join(folder.path, 'database.key')).mode & 0o777).toBe(0o600);
  removePlainKey(folder.path, Buffer.alloc(32, 8));
  expect(readPlainKey(folder.path), 'another key stays').not.toBeNull();
  removePlainKey(folder.path, Buffer.alloc(32, 7));
  expect(readPlainKey(folder.path)).toBeNull();
});

test('a temporary file of a killed process is deleted with the key, and no other file', () => {
  using folder = temporaryFolder();
  writePlainKey(folder.path, Buffer.alloc(32, 7));
  for (const name of ['database.key.4711.tmp', 'database.key.old', 'keys.json.4711.tmp'])
    writeFileSync(join(folder.path, name), Buffer.alloc(32, 7));
  removePlainKey(folder.path, Buffer.alloc(32, 7));
  expect(readdirSync(folder.path)).toEqual(['database.key.old', 'keys.json.4711.tmp']);
});

test.each([0, 31, 33, 64])('refuses a key file of %i bytes and leaves it unchanged', (length) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database.key');
  writeFileSync(path, Buffer.alloc(length, 7));
  expect(() => readPlainKey(folder.path)).toThrow(
    `The key file ${path} is damaged, or a newer version of Waxwing wrote it. Restore it from a copy; without it the messages cannot be read. Nothing was changed.`,
  );
  expect(readFileSync(path)).toEqual(Buffer.alloc(length, 7));
});

test('reports an unreadable or unwritable key file', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'database.key'));
  expect(() => readPlainKey(folder.path)).toThrow(/^The key file .* cannot be read: EISDIR/);
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  expect(() => writePlainKey(join(file, 'below'), Buffer.alloc(32))).toThrow(
    expect.objectContaining({ code: 'key_unwritable' }),
  );
});
