/**
 * Backups of a million messages and 10 GB of files, beside copies of the folder of this account with a sync, and the automatic backup
 * after one more day beside the one of all. A backup and a copy begin with the same files on the disk: the first
 * write to new memory of a virtual machine is slow. Nothing is restored: bench/backup.ts, which does more and several times, needs hours at this size. Run
 * by hand. The files need 25 GB on the disk of the folder for temporary files, and are deleted at the end, also of a failure.
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
import { copy, filesIn, fill, LATER, MEGABYTE, SECRETS, type Timed, timed } from './support/backup-source.ts';
import { Report, ratios, sizeOf } from './support/report.ts';
import { LONGEST_SLICE } from './support/slices.ts';

const ROUNDS = 3;
/** Set in the process that measures. The other one only deletes its files after any end. */
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
  const [made, copied]: [Timed[], Timed[]] = [[], []];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    made.push(await timed(() => backups.make(path, SECRETS)));
    sizes.push(statSync(path).size / MEGABYTE);
    rmSync(path);
    const all = [...filesIn(source.device.folder).keys()].map((name) => join(source.device.folder, name));
    copied.push(await timed(() => copy(all, target)));
    rmSync(target);
  }

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
    `A backup of ${count} messages and ${Math.round(fileBytes / MEGABYTE)} MB of files, beside copying the folder of the account with a sync`,
  );
  const seconds = (all: readonly Timed[]) => all.map((each) => each.seconds);
  report.ratio('backup with verification, of the speed of copying', ratios(seconds(copied), seconds(made)), {
    atLeast: 0.5,
  });
  const processor = (all: readonly Timed[]) => all.map((each) => each.processor);
  report.ratio('backup, of the processor time of copying', ratios(processor(copied), processor(made)));
  report.figure('size', 'MB', sizes);
  report.figure('backup', 's', seconds(made));
  report.figure('copy', 's', seconds(copied));
  const waits = (all: readonly Timed[]) => all.map(({ longest }) => longest);
  report.figure('longest wait of another call during a backup', 'ms', waits(made));
  report.figure('longest wait while nothing but the copy runs', 'ms', waits(copied));
  report.figure(
    "longest slice of the engine's thread during a backup, in processor time",
    'ms',
    made.map(({ slice }) => slice.processor),
    { atMost: LONGEST_SLICE },
  );
  report.figure(
    `slices over ${LONGEST_SLICE} ms during a backup`,
    'slices',
    made.map(({ overGoal }) => overGoal),
  );
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
