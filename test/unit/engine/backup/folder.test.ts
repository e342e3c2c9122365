/** Automatic backups in a folder: incremental, verified, and without loss when the folder is away, full or changed. */
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { blockPath } from '../../../../src/engine/archive/folder-names.ts';
import { blocksOf } from '../../../../src/engine/archive/form.ts';
import type { BackupSecrets } from '../../../../src/engine/archive/keys.ts';
import { openNewest } from '../../../../src/engine/archive/open-newest.ts';
import { AutomaticBackups } from '../../../../src/engine/backup/automatic.ts';
import { type BackedUpDevice, backUp, putFiles } from '../../../support/backups.ts';
import type { CachedDevice } from '../../../support/cached-device.ts';
import { type Act, acts, HistoryWriter, LATER, openAnn, seenIn } from '../../../support/history.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { repeated, runs } from '../../../support/runs.ts';

const PHRASE: BackupSecrets = { passphrase: null, walletKey: new Uint8Array(32).fill(7) };
const DAY = 24 * 60 * 60 * 1000;
const CASES = runs({ quick: 1, all: 50, nightly: 500 });

const folder = mkdtempSync(join(tmpdir(), 'waxwing-folders-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A computer with a folder for automatic backups, whose clock is that of the test. */
class Computer implements AsyncDisposable {
  clock = LATER;
  readonly parent = join(folder, String(++count));
  readonly device: CachedDevice;
  readonly #writer: HistoryWriter;
  readonly backed: BackedUpDevice<CachedDevice>;

  constructor(acts: readonly Act[] = []) {
    mkdirSync(this.parent);
    this.device = openAnn(() => this.clock);
    this.device.context.identity.markRegistered(this.clock);
    this.#writer = new HistoryWriter(this.device, (at) => {
      this.clock = at;
    });
    this.write(acts);
    this.backed = backUp(this.device);
  }

  write(acts: readonly Act[]): void {
    const now = this.clock;
    for (const act of acts) this.#writer.do(act);
    this.clock = Math.max(now, LATER);
    this.device.context.transaction(() => undefined);
  }

  async begin(): Promise<this> {
    await this.backed.backups.setFolder(this.parent, PHRASE);
    await this.make();
    return this;
  }

  /** @returns the failure, by its code */
  async make(): Promise<string | undefined> {
    await this.backed.backups.makeInFolder();
    return this.backed.backups.state.folder?.problem?.code;
  }

  get path(): string {
    return this.backed.backups.state.folder?.path ?? '';
  }

  manifests(): string[] {
    return readdirSync(this.path)
      .filter((name) => name.endsWith('.waxwing-backup'))
      .toSorted();
  }

  /** Paths of the blocks. */
  blocks(): string[] {
    return readdirSync(join(this.path, 'blocks'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.length > 4)
      .map((name) => join(this.path, 'blocks', name))
      .toSorted();
  }

  /** The state that a new computer restores. */
  async restored(path = this.parent): Promise<unknown> {
    await using target = backUp(openAnn(() => this.clock));
    await target.backups.restore(path, PHRASE);
    return seenIn(target.device.context);
  }

  seen(): unknown {
    return seenIn(this.device.context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.backed[Symbol.asyncDispose]();
  }
}

const text = (words: string): Act => ({ is: 'text', chat: 'ben', by: 1, text: words, expires: null });
const SOME: readonly Act[] = [
  text('Hello Ann'),
  { is: 'file', chat: 'group', by: 1, name: 'a.jpg', size: 3_000 },
  { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
];
const lasting = acts.map((all) =>
  all.filter((act) => act.is !== 'unsent' && !('expires' in act && act.expires)),
);

test('each of several backups restores its state, after random changes', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lasting, { minLength: 2, maxLength: 3 }), async (parts) => {
      await using computer = await new Computer().begin();
      const bytes = randomBytes(5_000);
      for (const part of parts) {
        computer.write(part);
        putFiles(computer.device, () => bytes);
        computer.clock += DAY;
        expect(await computer.make()).toBeUndefined();
        expect(await computer.restored()).toEqual(computer.seen());
      }
    }),
    { ...repeated, numRuns: CASES },
  );
});

test('only blocks with changes are written, and unchanged ranges are not read', async () => {
  await using computer = new Computer();
  computer.write(Array.from({ length: 700 }, (_, index) => text(`Message ${index}`)));
  await computer.begin();
  const { context } = computer.device;
  const before = new Set(computer.blocks());
  const ranges: number[] = [];
  const messages = context.historyRows.messages.bind(context.historyRows);
  context.historyRows.messages = (from, to, limit) => {
    ranges.push(Math.floor(from / 256));
    return messages(from, to, limit);
  };
  computer.write([
    { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
    { is: 'edit', chat: 'ben', by: 1, on: 1, text: 'Edited' },
    text('One more'),
  ]);
  expect(await computer.make()).toBeUndefined();
  const read = new Set(ranges);
  expect(read.size).toBeLessThan(3);
  // The account, people and settings, and each changed range.
  const added = computer.blocks().filter((path) => !before.has(path));
  expect(added.length).toBeLessThanOrEqual(2 + read.size);
  context.historyRows.messages = messages;
  expect(await computer.restored()).toEqual(computer.seen());
  ranges.length = 0;
  expect(await computer.make()).toBeUndefined();
  expect(ranges).toEqual([]);
});

test('a change during a backup belongs to the next one', async () => {
  await using computer = await new Computer(SOME).begin();
  computer.write([text('Before')]);
  const { historyRows } = computer.device.context;
  const messages = historyRows.messages.bind(historyRows);
  let isFirst = true;
  historyRows.messages = (from, to, limit) => {
    const rows = messages(from, to, limit);
    if (isFirst) {
      isFirst = false;
      computer.write([text('During')]);
    }
    return rows;
  };
  expect(await computer.make()).toBeUndefined();
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a folder that is away, refused by the system or replaced is a later try, and nothing is lost', async () => {
  await using computer = await new Computer(SOME).begin();
  const { path, parent } = computer;
  computer.write([text('Written meanwhile')]);
  // The place of the drive is there, without its contents.
  renameSync(parent, `${parent}-away`);
  mkdirSync(parent);
  expect(await computer.make()).toBe('backup_folder_away');
  expect(readdirSync(parent)).toEqual([]);
  rmSync(parent, { recursive: true });
  expect(await computer.make()).toBe('backup_folder_away');
  renameSync(`${parent}-away`, parent);
  // A link to itself: the system refuses to open it, also for an administrator.
  renameSync(join(path, 'blocks'), join(path, 'kept'));
  symlinkSync('blocks', join(path, 'blocks'));
  expect(await computer.make()).toBe('backup_folder_unwritable');
  rmSync(join(path, 'blocks'));
  renameSync(join(path, 'kept'), join(path, 'blocks'));
  // A file has the name of the folder of blocks.
  rmSync(join(path, 'blocks'), { recursive: true });
  writeFileSync(join(path, 'blocks'), 'x');
  expect(await computer.make()).toBe('backup_folder_away');
  rmSync(join(path, 'blocks'));
  mkdirSync(join(path, 'blocks'));
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a flipped bit or a missing file is refused, or the backup before it is opened', async () => {
  await using computer = await new Computer(SOME).begin();
  putFiles(computer.device, () => randomBytes(3_000));
  expect(await computer.make()).toBeUndefined();
  const older = computer.clock;
  computer.write([text('Later')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  const last = join(computer.path, computer.manifests().at(-1) ?? '');
  /** Time of the backup that a restore uses, or the code of its refusal. */
  const opened = async () => {
    try {
      const { file, manifest, skipped } = await openNewest(computer.parent, PHRASE);
      await file.verify(() => undefined).finally(() => file.close());
      return { at: manifest.at, skipped };
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  expect(await opened()).toEqual({ at: computer.clock, skipped: 0 });
  const read = await openNewest(computer.parent, PHRASE);
  await read.file.close();
  const used = new Set(blocksOf(read.manifest).map(({ name }) => blockPath(computer.path, name)));
  const step = runs({ quick: 97, all: 23, nightly: 3 });
  for (const path of [...used, last]) {
    const refused = path === last ? { at: older, skipped: 1 } : 'backup_damaged';
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += step) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, bytes);
      expect(await opened(), `a flip at ${at} of ${path}`).toEqual(refused);
    }
    for (const bytes of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('x')])]) {
      writeFileSync(path, bytes);
      expect(await opened()).toEqual(refused);
    }
    rmSync(path);
    expect(await opened()).toEqual(path === last ? { at: older, skipped: 0 } : refused);
    writeFileSync(path, whole);
  }
  // Two blocks in each other's places.
  const [one = '', other = ''] = used;
  renameSync(one, `${one}.x`);
  writeFileSync(one, readFileSync(other));
  expect(await opened()).toBe('backup_damaged');
});

test('a damaged or missing block is written again, and so is a damaged manifest', async () => {
  await using computer = await new Computer(SOME).begin();
  putFiles(computer.device, () => randomBytes(3_000));
  expect(await computer.make()).toBeUndefined();
  for (const path of computer.blocks()) {
    const bytes = readFileSync(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
  for (const path of computer.blocks()) rmSync(path);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
  const newest = join(computer.path, computer.manifests().at(-1) ?? '');
  writeFileSync(newest, readFileSync(newest).subarray(0, -10));
  computer.write([text('After the damage')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('an older copy of the folder is completed from the whole history', async () => {
  await using computer = await new Computer(SOME).begin();
  const [first = ''] = computer.manifests();
  const blocks = new Set(computer.blocks());
  computer.write([text('Two')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  // As a drive that returns an older state.
  for (const name of computer.manifests()) if (name !== first) rmSync(join(computer.path, name));
  for (const path of computer.blocks()) if (!blocks.has(path)) rmSync(path);
  computer.write([text('Three')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('the backups of another computer in the same folder stay as they are', async () => {
  await using one = await new Computer(SOME).begin();
  await using other = await new Computer([text('Elsewhere')]).begin();
  const [name = ''] = other.manifests();
  const foreign = readFileSync(join(other.path, name));
  writeFileSync(join(one.path, name.replace(/\d{8}(?=\.)/, '00000099')), foreign);
  const before = [one.manifests(), one.blocks()];
  one.write([text('More')]);
  expect(await one.make()).toBe('backup_folder_changed');
  expect([one.manifests(), one.blocks()]).toEqual(before);
});

test('old backups are removed, with the blocks that only they have', async () => {
  await using computer = await new Computer(SOME).begin();
  for (let day = 0; day < 45; day++) {
    computer.clock += DAY;
    computer.write([text(`Day ${day}`)]);
    expect(await computer.make()).toBeUndefined();
  }
  // Seven days and, before them, three or four weeks.
  expect([10, 11]).toContain(computer.manifests().length);
  // The account, people, messages and no file for each.
  expect(computer.blocks().length).toBeLessThanOrEqual(3 * 11);
  for (const name of computer.manifests()) {
    const { file } = await openNewest(join(computer.path, name), PHRASE);
    await file.verify(() => undefined).finally(() => file.close());
  }
  expect(await computer.restored()).toEqual(computer.seen());
  // Nothing is removed while a kept manifest is damaged: its blocks are unknown.
  const middle = join(computer.path, computer.manifests()[5] ?? '');
  writeFileSync(middle, readFileSync(middle).subarray(5));
  const blocks = computer.blocks();
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(computer.blocks()).toEqual(expect.arrayContaining(blocks));
});

test('the remains of a killed backup are removed, and its blocks are used', async () => {
  await using computer = await new Computer(SOME).begin();
  const [block = ''] = computer.blocks();
  const left = [
    join(computer.path, '.0123456789abcdef.partial'),
    join(block, '..', '.fedcba9876543210.partial'),
  ];
  for (const path of left) writeFileSync(path, 'x');
  expect(await computer.make()).toBeUndefined();
  for (const path of left) expect(existsSync(path)).toBe(false);
});

test('a backup is made each day, each hour after a failure, and the state has its time', async () => {
  await using computer = new Computer(SOME);
  const { backups } = computer.backed;
  await backups.setFolder(computer.parent, PHRASE);
  const made: number[] = [];
  const setBackedUp = computer.device.context.backupRows.setBackedUp.bind(computer.device.context.backupRows);
  computer.device.context.backupRows.setBackedUp = (digest, at) => {
    made.push((at - LATER) / (60 * 60 * 1000));
    setBackedUp(digest, at);
  };
  const automatic = new AutomaticBackups(computer.device.context, backups);
  const hours = async (from: number, to: number) => {
    for (let hour = from; hour < to; hour += 0.5) {
      computer.clock = LATER + hour * 60 * 60 * 1000;
      await automatic.check();
    }
  };
  await hours(0, 40);
  expect(made).toEqual([0, 24]);
  renameSync(computer.parent, `${computer.parent}-away`);
  await hours(40, 50);
  expect(backups.state).toMatchObject({ folder: { problem: { code: 'backup_folder_away' } }, problem: null });
  renameSync(`${computer.parent}-away`, computer.parent);
  await hours(50, 60);
  expect(made).toEqual([0, 24, 50]);
  expect(backups.state).toMatchObject({
    folder: { problem: null, at: LATER + 50 * 60 * 60 * 1000 },
    last: { at: LATER + 50 * 60 * 60 * 1000 },
  });
  await backups.endFolder();
  expect(backups.state.folder).toBeNull();
  await hours(60, 100);
  expect(made).toHaveLength(3);
});
