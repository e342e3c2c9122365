import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { KeyFileError, readOrCreateKey } from '../../../src/browser-host/key-file.ts';
import { temporaryFolder } from '../../support/engine.ts';

const SOURCE = new URL('../../../src/browser-host/key-file.ts', import.meta.url).href;

test('a key of 32 bytes is made once, readable by its owner alone', () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'new', 'folder');
  const key = readOrCreateKey(data);
  expect(key).toHaveLength(32);
  expect(new Set(key).size).toBeGreaterThan(1);
  expect(readOrCreateKey(data)).toEqual(key);
  expect(readdirSync(data)).toEqual(['database.key']);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(join(data, 'database.key')).mode & 0o777).toBe(0o600);
});

test.each([0, 31, 33, 64])('a key file of %i bytes is refused and left as it is', (length) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database.key');
  writeFileSync(path, Buffer.alloc(length, 7));
  expect(() => readOrCreateKey(folder.path)).toThrow(KeyFileError);
  expect(() => readOrCreateKey(folder.path)).toThrow(
    `The key file ${path} is damaged. Put back a copy of it; without it the messages cannot be read.`,
  );
  expect(readFileSync(path)).toEqual(Buffer.alloc(length, 7));
  expect(readdirSync(folder.path)).toEqual(['database.key']);
});

test('a key file that cannot be read or written is a sentence', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'database.key'));
  expect(() => readOrCreateKey(folder.path)).toThrow(/^The key file .* cannot be read: EISDIR/);
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  expect(() => readOrCreateKey(join(file, 'below'))).toThrow(KeyFileError);
});

test('messages without their key are never given another key', () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'cache.db'), 'sealed');
  expect(() => readOrCreateKey(folder.path)).toThrow(/holds messages, but not database\.key/);
  expect(readdirSync(folder.path)).toEqual(['cache.db']);
});

test('what a crash left before the key had its name is no key, and is cleared away', () => {
  using folder = temporaryFolder();
  const leftover = join(folder.path, `database.key.${process.pid}`);
  writeFileSync(leftover, 'half');
  chmodSync(leftover, 0o600);
  expect(readOrCreateKey(folder.path)).toHaveLength(32);
  expect(readdirSync(folder.path)).toEqual(['database.key']);
});

test('processes that make the key at the same time get the same one', async () => {
  const program = `
    import { readOrCreateKey } from ${JSON.stringify(SOURCE)};
    process.stdin.once('data', () => {
      console.log(Buffer.from(readOrCreateKey(process.argv[1])).toString('hex'));
      process.exit();
    });
    console.error('ready');`;
  for (let race = 0; race < 3; race++) {
    using folder = temporaryFolder();
    const args = ['--input-type=module', '-e', program, folder.path];
    const racers = Array.from({ length: 4 }, () => spawn(process.execPath, args));
    await Promise.all(racers.map(({ stderr }) => once(stderr, 'data')));
    for (const { stdin } of racers) stdin.write('go\n');
    const keys = await Promise.all(racers.map(({ stdout }) => text(stdout)));
    const key = `${Buffer.from(readOrCreateKey(folder.path)).toString('hex')}\n`;
    expect(keys).toEqual([key, key, key, key]);
    expect(readdirSync(folder.path)).toEqual(['database.key']);
  }
});
