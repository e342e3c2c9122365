/** Automatic backups in a folder: incremental, verified, and without loss when the folder is away, full or changed. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { blockPath } from '../../../../src/engine/archive/folder-names.ts';
import { blocksOf } from '../../../../src/engine/archive/form.ts';
import type { BackupSecrets } from '../../../../src/engine/archive/keys.ts';
import { openNewest } from '../../../../src/engine/archive/open-newest.ts';
import { AutomaticBackups } from '../../../../src/engine/backup/automatic.ts';
import { type BackedUpDevice, backUp, putFiles } from '../../../support/backups.ts';
import { type CachedDevice, openDevice } from '../../../support/cached-device.ts';
import { setFull } from '../../../support/full-disk.ts';
import {
  type Act,
  acts,
  ben,
  chain,
  HistoryWriter,
  LATER,
  openAnn,
  seenIn,
} from '../../../support/history.ts';
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

  /** @param thread of files */
  constructor(acts: readonly Act[] = [], thread?: URL) {
    mkdirSync(this.parent);
    this.device = openAnn(() => this.clock);
    this.device.context.identity.markRegistered(this.clock);
    this.#writer = new HistoryWriter(this.device, (at) => {
      this.clock = at;
    });
    this.write(acts);
    this.backed = backUp(this.device, thread);
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

  /** What a new computer restores. */
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

test('each of some backups restores what was there, after random changes', {
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
  expect(await computer.make()).toBeUndefined();
  // Folders in the places of blocks: the system refuses to replace them, also for an administrator.
  const [block = ''] = computer.blocks();
  for (const each of computer.blocks()) {
    rmSync(each);
    mkdirSync(each);
  }
  expect(await computer.make()).toBe('backup_folder_unwritable');
  for (const each of readdirSync(dirname(block))) rmSync(join(dirname(block), each), { recursive: true });
  // The place of the blocks is taken by something else.
  rmSync(join(path, 'blocks'), { recursive: true });
  writeFileSync(join(path, 'blocks'), 'x');
  expect(await computer.make()).toBe('backup_folder_changed');
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
      const { file, manifest, skipped } = await openNewest(computer.parent, PHRASE, computer.device.own);
      await file.verify(() => undefined).finally(() => file.close());
      return { at: manifest.at, skipped };
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  expect(await opened()).toEqual({ at: computer.clock, skipped: 0 });
  const read = await openNewest(computer.parent, PHRASE, computer.device.own);
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

/** Texts of messages in the order of their timelines. Their places differ after a merge of two histories. */
function textsIn(seen: unknown): (string | undefined)[] {
  const { chats } = seen as { chats: { timeline: { body: { text?: string } }[] }[] };
  return chats.flatMap(({ timeline }) => timeline.map(({ body }) => body.text));
}

test('a restore that was stopped begins anew with a newer backup of the same folder', async () => {
  await using computer = await new Computer(
    Array.from({ length: 300 }, (_, index) => text(`Message ${index}`)),
  ).begin();
  await using target = backUp(openAnn(() => computer.clock));
  const { backups, device } = target;
  let stopping = Promise.resolve();
  const setRestored = device.context.backupRows.setRestored.bind(device.context.backupRows);
  device.context.backupRows.setRestored = (done) => {
    setRestored(done);
    if (done === 3) stopping = backups.stop();
  };
  const stopped = { code: 'backup_stopped' };
  await expect(backups.restore(computer.parent, PHRASE)).rejects.toMatchObject(stopped);
  await stopping;
  device.context.backupRows.setRestored = setRestored;
  expect(textsIn(seenIn(device.context))).not.toContain('Message 0');
  computer.write(Array.from({ length: 300 }, (_, index) => text(`Newer ${index}`)));
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  await backups.restore(computer.parent, PHRASE);
  expect(textsIn(seenIn(device.context))).toEqual(textsIn(computer.seen()));
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
  // Also an older one.
  rmSync(join(one.path, one.manifests().at(-1) ?? ''));
  writeFileSync(join(one.path, name.replace(/\d{8}(?=\.)/, '00000000')), foreign);
  expect(await one.make()).toBe('backup_folder_changed');
});

test.skipIf(process.platform === 'win32')(
  'links, pipes and folders that another person puts into the folder lead nowhere',
  async () => {
    await using computer = await new Computer(SOME).begin();
    const { path, parent } = computer;
    const [block = ''] = computer.blocks();
    // As the data of a program that names files by their digests.
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    const theirs = join(elsewhere, `${basename(dirname(block))}${'0'.repeat(62)}`);
    writeFileSync(theirs, 'x'.repeat(100));
    writeFileSync(join(elsewhere, '.download.partial'), 'x');
    const before = readdirSync(elsewhere);
    for (const place of [path, join(path, 'blocks'), dirname(block)]) {
      renameSync(place, `${place}-kept`);
      symlinkSync(elsewhere, place);
      expect(await computer.make()).toBe('backup_folder_changed');
      rmSync(place);
      renameSync(`${place}-kept`, place);
    }
    expect(readdirSync(elsewhere)).toEqual(before);
    copyFileSync(theirs, join(dirname(block), basename(theirs)));
    const name = (number: number) => join(path, `2026-01-0${number}T000000Z-0000009${number}.waxwing-backup`);
    mkdirSync(name(1));
    execFileSync('mkfifo', [name(2), join(dirname(block), 'f'.repeat(64))]);
    symlinkSync(join(path, computer.manifests()[0] ?? ''), name(3));
    computer.write([text('Later')]);
    expect(await computer.make()).toBeUndefined();
    expect(existsSync(join(dirname(block), basename(theirs)))).toBe(true);
    expect(await computer.restored()).toEqual(computer.seen());
    // A pipe in the place of a block that a restore reads.
    for (const each of computer.blocks().filter((found) => statSync(found).isFile())) rmSync(each);
    execFileSync('mkfifo', [block]);
    await expect(computer.restored(parent)).rejects.toMatchObject({ code: 'backup_damaged' });
  },
);

test('a damaged block of a backup that did not end is written again', async () => {
  await using computer = await new Computer(SOME).begin();
  const [manifest = ''] = computer.manifests();
  // Without its manifest, nothing has verified the blocks.
  rmSync(join(computer.path, manifest));
  for (const path of computer.blocks()) writeFileSync(path, readFileSync(path).subarray(0, -1));
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a full disk of the folder or of a file is not taken for that of this computer', async () => {
  const thread = new URL('../../../support/full-disk-thread.ts', import.meta.url);
  await using computer = await new Computer(SOME, thread).begin();
  const before = computer.manifests();
  computer.write([text('Later')]);
  await setFull(true, 1);
  expect(await computer.make()).toBe('backup_no_room');
  const file = join(computer.parent, 'one.waxwing-backup');
  await expect(computer.backed.backups.make(file, PHRASE)).rejects.toMatchObject({ code: 'backup_no_room' });
  expect(existsSync(file)).toBe(false);
  expect(computer.manifests()).toEqual(before);
  await setFull(false, 1);
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a disk that returns other bytes than were written is reported, and the next backup is complete', async () => {
  await using computer = await new Computer(SOME).begin();
  computer.write([text('Later')]);
  const { backups, device } = computer.backed;
  const before = new Set(computer.blocks());
  const { emit } = device.context;
  Object.assign(device.context, {
    emit: (...event: Parameters<typeof emit>) => {
      emit(...event);
      if (backups.state.progress?.is !== 'verifying') return;
      for (const path of computer.blocks()) if (!before.has(path)) writeFileSync(path, 'x');
    },
  });
  expect(await computer.make()).toBe('backup_folder_faulty');
  Object.assign(device.context, { emit });
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a folder that is chosen while other work runs gets its first backup after it', async () => {
  await using computer = new Computer(SOME);
  const { backups } = computer.backed;
  const automatic = new AutomaticBackups(computer.device.context, backups);
  const other = backups.make(join(computer.parent, 'one.waxwing-backup'), PHRASE);
  await backups.setFolder(computer.parent, PHRASE);
  await automatic.makeNow();
  await other;
  expect(backups.state.folder?.at).toBeNull();
  await automatic.check();
  expect(backups.state.folder?.at).toBe(computer.clock);
});

test('a restore from a folder passes over newer backups of another account with the same secret', async () => {
  await using computer = await new Computer(SOME).begin();
  await using other = backUp(openDevice(ben.address, chain, () => LATER + DAY));
  other.device.context.identity.markRegistered(LATER);
  await other.backups.setFolder(computer.parent, PHRASE);
  await other.backups.makeInFolder();
  expect(other.backups.state.folder).toMatchObject({ at: LATER + DAY, problem: null });
  expect(await computer.restored()).toEqual(computer.seen());
  const { file, skipped } = await openNewest(computer.parent, PHRASE, computer.device.own);
  await file.close();
  expect(skipped).toBe(0);
  const refused = { code: 'backup_of_other' };
  await expect(openNewest(computer.path, PHRASE, ben.address)).rejects.toMatchObject(refused);
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
    const { file } = await openNewest(join(computer.path, name), PHRASE, computer.device.own);
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

test('what a killed backup leaves is removed, and its blocks are used', async () => {
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
