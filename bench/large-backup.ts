/**
 * One backup of a million messages and 10 GB of files, beside one copy of the same bytes with a sync, and the automatic backup after one
 * more day beside the one of all. Nothing is restored: bench/backup.ts, which does more and several times, needs hours at this size. Run
 * by hand. The files need 35 GB on the disk of the folder for temporary files, and are deleted at the end, also of a failure.
 *
 *   nice node bench/large-backup.ts [messages] [megabytes of files] [seed]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../test/support/backups.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { openAnn } from '../test/support/history.ts';
import { copy, filesIn, fill, LATER, MEGABYTE, SECRETS, timed } from './support/backup-source.ts';
import { Report, sizeOf } from './support/report.ts';
import { LONGEST_SLICE } from './support/slices.ts';

/** Set in the process that measures. The other one only deletes its files, whatever ends it. */
const IN_FOLDER = 'WAXWING_BENCH_FOLDER';

if (process.env[IN_FOLDER] === undefined) await runInFolder();
else await measure(process.env[IN_FOLDER]);

async function runInFolder(): Promise<void> {
  using folder = temporaryFolder();
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder.path, [IN_FOLDER]: folder.path },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

async function measure(folder: string): Promise<void> {
  const count = sizeOf(0, 1_000_000, 500);
  const fileBytes = sizeOf(1, 10_000, 10) * MEGABYTE;
  const seed = sizeOf(2, 1, 1);
  await using source = backUp(openAnn(() => LATER));
  const addDay = fill(source, { count, fileBytes, seed });
  const { backups } = source;

  const [path, target] = [join(folder, 'a.waxwing-backup'), join(folder, 'copy')];
  const made = await timed(() => backups.make(path, SECRETS));
  const copied = await timed(() => copy(path, target));
  const size = statSync(path).size / MEGABYTE;
  for (const each of [path, target]) rmSync(each);

  const parent = join(folder, 'automatic');
  mkdirSync(parent);
  await backups.setFolder(parent, SECRETS);
  const whole = await timed(() => backups.makeInFolder());
  const before = filesIn(backups.state.folder?.path ?? '');
  addDay();
  const incremental = await timed(() => backups.makeInFolder());
  const { problem } = backups.state.folder ?? {};
  if (problem) throw new Error(problem.code);
  const written = [...filesIn(backups.state.folder?.path ?? '')]
    .filter(([name]) => !before.has(name))
    .reduce((sum, [, bytes]) => sum + bytes, 0);

  const report = new Report(
    `A backup of ${count} messages and ${Math.round(fileBytes / MEGABYTE)} MB of files, beside copying the same bytes with a sync`,
  );
  report.ratio('backup with verification, of the speed of copying', [copied.seconds / made.seconds], {
    atLeast: 0.5,
  });
  report.ratio('backup, of the processor time of copying', [copied.processor / made.processor]);
  report.figure('size', 'MB', [size]);
  report.figure('backup', 's', [made.seconds]);
  report.figure('copy', 's', [copied.seconds]);
  report.figure('longest wait of another call during a backup', 'ms', [made.longest]);
  report.figure('longest wait while nothing but the copy runs', 'ms', [copied.longest]);
  report.figure(
    "longest slice of the engine's thread during a backup, in processor time",
    'ms',
    [made.slice.processor],
    { atMost: LONGEST_SLICE },
  );
  report.figure(`slices over ${LONGEST_SLICE} ms during a backup`, 'slices', [made.overGoal]);
  report.figure('first automatic backup', 's', [whole.seconds]);
  report.figure('automatic backup after a change', 's', [incremental.seconds]);
  report.ratio(
    'automatic backup after a change, of one of all, in processor time',
    [incremental.processor / whole.processor],
    'less',
  );
  report.figure('written by an automatic backup after a change', 'MB', [written / MEGABYTE]);
  report.finish();
}
