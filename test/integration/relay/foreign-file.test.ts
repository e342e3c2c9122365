/**
 * A database file that the relay did not write as it is: of another user, such as a backup that root has put back,
 * damaged, empty or missing.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRelay } from '../../../src/relay/index.ts';
import { OperatorFailure } from '../../../src/relay/operator/failure.ts';
import { openForWriting } from '../../../src/relay/store/sqlite/database.ts';
import { temporaryFolder } from '../../support/engine.ts';

const MODULE = new URL('../../../src/relay/store/sqlite/database.ts', import.meta.url).href;
/** Debian's `nobody`, and an account without a name, as in a container. */
const OTHER_USERS = [
  [65_534, 'nobody'],
  [54_321, '54321'],
] as const;

/** Opens the file as another user, whose first act after loading is to give up root. */
const PROGRAM = `
  const { openForWriting } = await import(${JSON.stringify(MODULE)});
  process.setuid(Number(process.argv[2]));
  try { openForWriting(process.argv[1]); } catch (error) { console.log(error.reason, error.message); }
`;

test.runIf(process.getuid?.() === 0).each(OTHER_USERS)(
  'a database file of another user than %i is refused with the command that corrects its owner',
  (user, name) => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
    const file = join(folder.path, 'relay.db');
    openForWriting(file).close();
    const args = ['--input-type=module', '--eval', PROGRAM, file, String(user)];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stdout).toBe(
      `database_forbidden The relay runs as ${name} and is not allowed to write ${file}, which belongs to root. Change the owner: chown ${name} ${file}*\n`,
    );
  },
);

test('an own file is opened', () => {
  using folder = temporaryFolder();
  expect(() => openForWriting(join(folder.path, 'relay.db')).close()).not.toThrow(OperatorFailure);
});

test('a damaged database is refused with the way to restore it', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  writeFileSync(file, 'not a database'.repeat(1_000));
  await expect(startRelay({ dataDirectory: folder.path })).rejects.toThrow(
    `${file} is damaged (file is not a database). Stop all programs that use it,`,
  );
});

test('an empty database is refused and stays as it is', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  writeFileSync(file, '');
  await expect(startRelay({ dataDirectory: folder.path })).rejects.toThrow(
    `${file} is empty. Restore a backup`,
  );
  expect(readdirSync(folder.path)).toEqual(['relay.db']);
});

test('a folder in place of the database is refused with a remedy, and stays as it is', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  mkdirSync(file);
  await expect(startRelay({ dataDirectory: folder.path })).rejects.toThrow(
    `${file} is a folder, and the relay needs a file there. Move the folder away`,
  );
  expect(readdirSync(folder.path)).toEqual(['relay.db']);
  expect(readdirSync(file)).toEqual([]);
});

test('a lost database is refused, and the log beside it stays as it is', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  const database = openForWriting(file);
  const log = readFileSync(`${file}-wal`);
  database.close();
  rmSync(file);
  writeFileSync(`${file}-wal`, log);
  await expect(startRelay({ dataDirectory: folder.path })).rejects.toThrow(
    `${file} is missing, but its log ${file}-wal is there. Restore a backup`,
  );
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
});

test('a database that was removed with its log is not replaced by an empty one, unless its note is deleted', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  const restart = async () => (await startRelay({ dataDirectory: folder.path })).close();
  await restart();
  const backup = readFileSync(file);
  for (const name of readdirSync(folder.path))
    if (/^relay\.db(?:-\w+)?$/.test(name)) rmSync(join(folder.path, name));
  await expect(restart()).rejects.toThrow(
    `${file} is missing, and a relay has used it before. Mount its disk or restore a backup. To start a new, empty relay in its place, delete ${file}.started.`,
  );
  expect(readdirSync(folder.path)).not.toContain('relay.db');
  // A restored backup needs no further step.
  writeFileSync(file, backup);
  await restart();
  rmSync(file);
  rmSync(`${file}.started`);
  await restart();
  expect(readdirSync(folder.path)).toEqual(expect.arrayContaining(['relay.db', 'relay.db.started']));
});

test('a link to a database on a disk that is not mounted is refused and stays as it is', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'relay.db');
  const target = join(folder.path, 'mount', 'relay.db');
  symlinkSync(target, file);
  await expect(startRelay({ dataDirectory: folder.path })).rejects.toThrow(
    `${file} is a link to a file that is missing. Mount the disk of that file`,
  );
  expect(readlinkSync(file)).toBe(target);
  expect(readdirSync(folder.path)).toEqual(['relay.db']);
});

/** Opens the file in a process that is killed before SQLite's call that contains the text. */
const KILLED = `
  const { default: Database } = await import('better-sqlite3-multiple-ciphers');
  for (const name of ['pragma', 'exec']) {
    const original = Database.prototype[name];
    Database.prototype[name] = function (text, ...rest) {
      if (text.includes(process.argv[2])) process.kill(process.pid, 'SIGKILL');
      return original.call(this, text, ...rest);
    };
  }
  const { openForWriting } = await import(${JSON.stringify(MODULE)});
  openForWriting(process.argv[1]);
`;

test.each(['journal_mode = WAL', 'temp_store', 'CREATE TABLE', 'user_version = '])(
  'a first start that is killed before %s can be repeated',
  (text) => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'relay.db');
    const args = ['--input-type=module', '--eval', KILLED, file, text];
    const cwd = import.meta.dirname;
    expect(spawnSync(process.execPath, args, { encoding: 'utf8', cwd })).toMatchObject({ signal: 'SIGKILL' });
    openForWriting(file).close();
    expect(readdirSync(folder.path)).toEqual(['relay.db']);
  },
);
