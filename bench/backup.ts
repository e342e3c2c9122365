/**
 * Backup and restore of a generated history of three sizes, with files: time beside copying the same bytes with a sync, and beside a copy
 * that is then read again, as a backup is; the longest wait during a backup, beside that of an idle thread during the copy, and the
 * longest slice of the engine's thread. A restore runs alone in a process. Then an automatic backup of all, and one after 100
 * new messages and 10 reactions to old ones: the written bytes depend on the change, not on the size. At last the two parts of the
 * largest backup alone: messages, and files.
 *
 *   node bench/backup.ts [messages] [megabytes of files] [seed]
 */

import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BackedUpDevice, backUp } from '../test/support/backups.ts';
import type { CachedDevice } from '../test/support/cached-device.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { openAnn } from '../test/support/history.ts';
import {
  copy,
  fileCount,
  filesIn,
  fill,
  LATER,
  MEGABYTE,
  readAgain,
  SECRETS,
  type Timed,
  timed,
} from './support/backup-source.ts';
import { type Goal, isSmoke, Report, ratios, sizeOf } from './support/report.ts';
import type { MeasuredRestore } from './support/restored-backup.ts';
import { LONGEST_SLICE } from './support/slices.ts';

const most = sizeOf(0, 100_000, 500);
/** 10 GB for a million messages. */
const megabytes = sizeOf(1, most / 100, 10);
const seed = sizeOf(2, 1, 1);
const report = new Report(
  'Backup and restore of a history with files, beside copying the same bytes with a sync',
);
/** As in the thread of the engine (src/engine/start.ts), which has three times this. */
const MEMORY = '--max-semi-space-size=16';
const RESTORED = fileURLToPath(new URL('./support/restored-backup.ts', import.meta.url));
const ROUNDS = isSmoke ? 1 : 3;
const NO_TIME = { seconds: Number.NaN, processor: Number.NaN };

/** Makes a backup several times, and copies it each time. The last one stays. */
async function madeAndCopied({ backups }: BackedUpDevice<CachedDevice>, folder: string) {
  const [path, target] = [join(folder, 'a.waxwing-backup'), join(folder, 'copy')];
  const [made, copied, read]: [Timed[], Timed[], Timed[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(path, { force: true });
    made.push(await timed(() => backups.make(path, SECRETS)));
    copied.push(await timed(() => copy([path], target)));
    read.push(await timed(() => readAgain(target)));
    rmSync(target);
  }
  return { path, size: statSync(path).size / MEGABYTE, made, copied, read };
}

/** Adds the ratios to copying. @param goal of the first one */
function reportRatios(
  name: string,
  { made, copied, read }: Awaited<ReturnType<typeof madeAndCopied>>,
  goal: Goal | null,
): void {
  const ratiosOf = (of: (each: Pick<Timed, 'seconds' | 'processor'>) => number) => {
    const copying = copied.map(of);
    const reading = copying.map((each, round) => each + of(read[round] ?? NO_TIME));
    return [ratios(copying, made.map(of)), ratios(reading, made.map(of))] as const;
  };
  const [beside, besideReading] = ratiosOf(({ seconds }) => seconds);
  report.ratio(`${name}: backup with verification, of the speed of copying`, beside, goal);
  report.ratio(`${name}: backup with verification, of the speed of copying and reading again`, besideReading);
  const [processor, processorReading] = ratiosOf((each) => each.processor);
  report.ratio(`${name}: backup, of the processor time of copying`, processor);
  report.ratio(`${name}: backup, of the processor time of copying and reading again`, processorReading);
}

/** Restores a backup in a new process. */
function restoredAlone(path: string): MeasuredRestore {
  const options = [MEMORY, RESTORED, path, SECRETS.walletKey.toString('hex'), String(LATER)];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as MeasuredRestore;
}

/** Restores a backup on a new computer. Adds the ratios to copying it, and the rest of its figures. */
async function restoreAndReport(
  name: string,
  backup: Awaited<ReturnType<typeof madeAndCopied>>,
  count: number,
  fileBytes: number,
) {
  const restored = restoredAlone(backup.path);
  if (restored.files !== fileCount(fileBytes)) throw new Error(`${restored.files} files are restored`);
  const beside = (of: (each: Pick<Timed, 'seconds' | 'processor'>) => number) =>
    ratios(
      backup.copied.map(of),
      backup.copied.map(() => of(restored)),
    );
  report.ratio(
    `${name}: restore with verification, of the speed of copying`,
    beside(({ seconds }) => seconds),
  );
  report.ratio(
    `${name}: restore, of the processor time of copying`,
    beside(({ processor }) => processor),
  );
  if (count > 1) {
    report.figure(`${name}: restore`, 'messages a second', [count / restored.seconds]);
    report.figure(`${name}: restore until all messages are found by search`, 'messages a second', [
      count / restored.searchable,
    ]);
    report.figure(`${name}: engine's thread during a restore, in processor time`, 'ms for each message', [
      (1000 * restored.engine) / count,
    ]);
  }
  report.figure(`${name}: restore`, 'MB a second', [backup.size / restored.seconds]);
  report.figure(`${name}: processor time of a restore`, 'ms for each MB', [
    (1000 * restored.processor) / backup.size,
  ]);
  report.figure(`${name}: longest wait of another call during a restore`, 'ms', [restored.longestWait]);
  const { longestSlice: slice } = restored;
  report.figure(
    `${name}: longest slice of the engine's thread during a restore, in processor time`,
    'ms',
    [slice.processor],
    { atMost: LONGEST_SLICE },
  );
  report.figure(`${name}: collection of garbage in it`, 'ms', [slice.gc]);
  report.figure(`${name}: slices over ${LONGEST_SLICE} ms during a restore`, 'slices', [restored.overGoal]);
}

const secondsOf = ({ made }: { made: readonly Timed[] }) => made.map(({ seconds }) => seconds);

async function measure(count: number, fileBytes: number): Promise<void> {
  using folder = temporaryFolder();
  await using source = backUp(openAnn(() => LATER));
  const addDay = fill(source, { count, fileBytes, seed });
  const backup = await madeAndCopied(source, folder.path);
  await source.backups.setFolder(folder.path, SECRETS);
  const inFolder = () => source.backups.makeInFolder();
  const whole = await timed(inFolder);
  const before = filesIn(source.backups.state.folder?.path ?? '');
  addDay();
  const incremental = await timed(inFolder);
  const { problem } = source.backups.state.folder ?? {};
  if (problem) throw new Error(problem.code);
  // Blocks that only the backup before had are removed: it was made on the same day.
  const written = [...filesIn(source.backups.state.folder?.path ?? '')]
    .filter(([name]) => !before.has(name))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
  const name = `${count} messages and ${Math.round(fileBytes / MEGABYTE)} MB of files`;
  reportRatios(name, backup, { atLeast: 0.5 });
  report.figure(`${name}: size`, 'MB', [backup.size]);
  report.figure(`${name}: backup`, 's', secondsOf(backup));
  report.figure(
    `${name}: longest wait of another call during a backup`,
    'ms',
    backup.made.map(({ longest }) => longest),
  );
  report.figure(
    `${name}: longest wait while nothing but the copy runs`,
    'ms',
    backup.copied.map(({ longest }) => longest),
  );
  report.figure(
    `${name}: longest slice of the engine's thread during a backup, in processor time`,
    'ms',
    backup.made.map(({ slice }) => slice.processor),
    { atMost: LONGEST_SLICE },
  );
  report.ratio(
    `${name}: automatic backup after a change, of one of all`,
    [incremental.processor / whole.processor],
    'less',
  );
  report.figure(`${name}: written by an automatic backup after a change`, 'MB', [written / MEGABYTE]);
  await restoreAndReport(name, backup, count, fileBytes);
}

/** Reports a backup with one of its parts only. */
async function measurePart(name: string, count: number, fileBytes: number): Promise<void> {
  using folder = temporaryFolder();
  await using source = backUp(openAnn(() => LATER));
  fill(source, { count, fileBytes, seed });
  const backup = await madeAndCopied(source, folder.path);
  reportRatios(name, backup, null);
  report.figure(
    `${name}: backup`,
    'MB a second',
    secondsOf(backup).map((seconds) => backup.size / seconds),
  );
  report.figure(
    `${name}: processor time of a backup`,
    'ms for each MB',
    backup.made.map(({ processor }) => (1000 * processor) / backup.size),
  );
  await restoreAndReport(name, backup, count, fileBytes);
}

for (const part of [100, 10, 1])
  await measure(Math.max(isSmoke ? 50 : 500, Math.floor(most / part)), (megabytes * MEGABYTE) / part);
await measurePart(`${most} messages alone`, most, 0);
await measurePart(`${megabytes} MB of files alone`, 1, megabytes * MEGABYTE);
report.finish();
