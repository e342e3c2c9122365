import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { FailureData } from '../../../src/base/failure.ts';
import { lockDataFolder } from '../../../src/host/data-folder.ts';
import { defaultDataFolder } from '../../../src/host/default-folder.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { firstWords, SOURCE } from './data-folder.ts';

/** A process that locks the folder, reports this, and keeps the lock until it is killed. */
function holderOf(folder: string): ChildProcessWithoutNullStreams {
  const program = `
    import { lockDataFolder } from ${JSON.stringify(SOURCE)};
    try {
      lockDataFolder(process.argv[1], console.error);
      console.log('held');
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.message);
    }`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
}

const unexpected = ({ message }: Error) => expect.unreachable(message);

const inUse = (folder: string) =>
  `Waxwing is already running with the data in ${folder}. Close it first, or choose another folder with --data.`;

test('C10: creates the folder for its owner only, and can release it', () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'a', 'b');
  const giveBack = lockDataFolder(data, unexpected);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(() => lockDataFolder(data, unexpected)).toThrow(expect.objectContaining({ code: 'folder_busy' }));
  giveBack();
  lockDataFolder(data, unexpected)();
});

test('C10: closes a folder open to other accounts, with all its contents', () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const files = [
    'keys.json',
    'database.key',
    'relay.db',
    'engine/cache.db',
    'embedded/relay.db',
    'Cache/part',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(data, file)), { recursive: true });
    writeFileSync(join(data, file), 'mine');
  }
  symlinkSync(join(folder.path, 'elsewhere'), join(data, 'link'));
  writeFileSync(join(folder.path, 'elsewhere'), 'not ours');
  const others = ['elsewhere', 'data/Cache/part'];
  for (const path of ['data', 'data/engine', 'data/embedded', 'data/Cache', ...others])
    chmodSync(join(folder.path, path), 0o755);
  for (const file of files) chmodSync(join(data, file), 0o644);

  lockDataFolder(data, unexpected)();

  const modeOf = (path: string) => statSync(join(folder.path, path)).mode & 0o777;
  for (const path of ['data', 'data/engine', 'data/embedded', 'data/Cache'])
    expect(modeOf(path), path).toBe(0o700);
  for (const file of [
    'keys.json',
    'database.key',
    'relay.db',
    'engine/cache.db',
    'embedded/relay.db',
    'lock',
  ])
    expect(modeOf(`data/${file}`), file).toBe(0o600);
  expect(modeOf('elsewhere'), 'behind a link nothing changes').toBe(0o755);
});

test('C10: later files in the folder are only its owner’s, with any umask', () => {
  using folder = temporaryFolder();
  process.umask(0o022);
  lockDataFolder(folder.path, unexpected)();
  writeFileSync(join(folder.path, 'later'), 'mine');
  expect(statSync(join(folder.path, 'later')).mode & 0o777).toBe(0o600);
});

test('C10: leaves a shared folder unchanged, and reports it', () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o1777);
  const reported: FailureData[] = [];
  lockDataFolder(folder.path, ({ data }) => reported.push(data))();
  expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
  expect(reported).toEqual([{ code: 'folder_shared', parameters: { path: folder.path } }]);
});

test('C19: refuses a second process with a sentence until the first has ended, even by kill -9', async () => {
  using folder = temporaryFolder();
  const holder = holderOf(folder.path);
  try {
    expect(await firstWords(holder)).toBe('held');
    expect(() => lockDataFolder(folder.path, unexpected)).toThrow(inUse(folder.path));
    const second = holderOf(folder.path);
    expect(await text(second.stdout)).toBe(`${inUse(folder.path)}\n`);
  } finally {
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
  }
  lockDataFolder(folder.path, unexpected)();
});

test('C19: a process without a reference to its lock still keeps the folder', async () => {
  using folder = temporaryFolder();
  const program = `
    import { lockDataFolder } from ${JSON.stringify(SOURCE)};
    lockDataFolder(process.argv[1], console.error);
    // The second of two unreferenced objects is reported after the collector has released the first.
    globalThis.collected = new FinalizationRegistry(() => console.log('collected'));
    collected.register({}, null);
    setInterval(() => {}, 1000);
    gc();`;
  const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, folder.path]);
  try {
    expect(await firstWords(holder)).toBe('collected');
    expect(() => lockDataFolder(folder.path, unexpected)).toThrow(inUse(folder.path));
  } finally {
    holder.kill('SIGKILL');
  }
});

test('C19: one of the processes that start together gets the folder', async () => {
  using folder = temporaryFolder();
  const racers = Array.from({ length: 4 }, () => holderOf(folder.path));
  try {
    const words = await Promise.all(racers.map(firstWords));
    expect(words.filter((reported) => reported === 'held')).toHaveLength(1);
    expect(words.filter((reported) => reported === inUse(folder.path))).toHaveLength(3);
  } finally {
    for (const racer of racers) racer.kill('SIGKILL');
  }
});

test('reports a folder that cannot be created, or is a file', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, 'mine');
  const below = join(file, 'below');
  expect(() => lockDataFolder(below, unexpected)).toThrow(
    `The folder ${below} cannot be used: a part of its path is a file.`,
  );
  expect(() => lockDataFolder(file, unexpected)).toThrow(`The folder ${file} cannot be used: it is a file.`);
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['linux', {}, join(homedir(), '.local', 'share', 'waxwing')],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/waxwing'],
  ['linux', { XDG_DATA_HOME: '' }, join(homedir(), '.local', 'share', 'waxwing')],
  ['linux', { XDG_DATA_HOME: 'here' }, join(homedir(), '.local', 'share', 'waxwing')],
  ['darwin', { XDG_DATA_HOME: '/data' }, join(homedir(), 'Library', 'Application Support', 'Waxwing')],
  ['win32', { APPDATA: '/roaming' }, join('/roaming', 'Waxwing')],
  ['win32', {}, join(homedir(), 'AppData', 'Roaming', 'Waxwing')],
  ['win32', { APPDATA: '' }, join(homedir(), 'AppData', 'Roaming', 'Waxwing')],
])('on %s with %j the data is in %s', (platform, environment, expected) => {
  expect(defaultDataFolder('installed', platform, environment)).toBe(expected);
});

test.each(['darwin', 'win32', 'linux'] as const)(
  'each host of a checkout on %s has its own folder',
  (platform) => {
    const folder = defaultDataFolder('checkout', platform, {});
    expect(basename(folder)).toBe(platform === 'linux' ? 'waxwing-dev' : 'Waxwing Dev');
    expect(dirname(folder)).toBe(dirname(defaultDataFolder('installed', platform, {})));
  },
);
