/**
 * Restores a backup into an empty cache, alone in its process: garbage of the source and waits for its disk would count as those of the
 * restore. Prints a {@link MeasuredRestore} as JSON.
 *
 *   node --max-semi-space-size=16 bench/support/restored-backup.ts FILE KEY NOW
 *
 * KEY: of the wallet, in hexadecimal digits. NOW: time of the restore, in milliseconds since 1970.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Indexer } from '../../src/engine/search/indexer.ts';
import { backUp } from '../../test/support/backups.ts';
import { openAnn } from '../../test/support/history.ts';
import { type Slice, SliceWatch } from './slices.ts';

export interface MeasuredRestore {
  seconds: number;
  /** Until all messages are indexed. */
  searchable: number;
  /** Processor time of all threads, in seconds. */
  processor: number;
  /** Of them, that of the engine's thread. */
  engine: number;
  /** The longest wait of another call meanwhile, in milliseconds. */
  longestWait: number;
  longestSlice: Slice;
  /** Number of slices over the goal. */
  overGoal: number;
  /** Number of files whose bytes are restored. */
  files: number;
}

const [, , path = '', key = '', time = ''] = process.argv;
await using target = backUp(openAnn(() => Number(time)));
const { context } = target.device;
const indexer = new Indexer(context);
indexer.start();
// The start of the process is no part of the restore.
await setTimeout(100);
const before = { process: process.cpuUsage(), thread: process.threadCpuUsage() };
const delay = monitorEventLoopDelay({ resolution: 1 });
const watch = new SliceWatch();
delay.enable();
const begin = performance.now();
await target.backups.restore(path, { passphrase: null, walletKey: Buffer.from(key, 'hex') });
const seconds = (performance.now() - begin) / 1000;
while (!context.searchIndex.isComplete) await setTimeout(1);
const searchable = (performance.now() - begin) / 1000;
indexer.close();
delay.disable();
const { longest, overGoal } = await watch.end();
const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
const measured: MeasuredRestore = {
  seconds,
  searchable,
  processor: secondsOf(process.cpuUsage(before.process)),
  engine: secondsOf(process.threadCpuUsage(before.thread)),
  longestWait: delay.max / 1e6,
  longestSlice: longest,
  overGoal,
  files: context.files.ids().filter((id) => context.files.get(id)?.isHere).length,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
