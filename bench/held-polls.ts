/**
 * Held polls: the memory of the relay for each, and the time from the start of a send to the answer of the poll that waits for
 * it, while thousands of others wait; beside the time to the answer of the send itself, which includes a sync of the disk.
 *
 *   node bench/held-polls.ts [polls]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { newCrowd, openPolls, wakeUps } from './support/polls.ts';
import { percentile, residentMemory, startRelayProcess } from './support/process.ts';
import { Report, sizeOf } from './support/report.ts';

const polls = sizeOf(0, 10_000, 64);
const WAKE_UPS = Math.min(1_000, polls / 2);

using folder = temporaryFolder();
const limits = { rates: ROOMY_RATES };
const preparing = await new TestRelay({ dataDirectory: folder.path, limits }).start();
const sender = await newPerson(preparing);
const crowd = await newCrowd(preparing, polls);
await preparing.stop();

const relay = await startRelayProcess(
  new URL('../test/support/relay-process.ts', import.meta.url),
  folder.path,
);
await sleep(1_000);
const before = residentMemory(relay.child);
const waiting = await openPolls(relay.port, crowd);
await sleep(2_000);
const after = residentMemory(relay.child);

const sending = connect(relay.port, '127.0.0.1').setNoDelay();
await once(sending, 'connect');
const times = await wakeUps(sending, sender, waiting, WAKE_UPS);
for (const { socket } of waiting) socket.destroy();
sending.destroy();
relay.child.kill();

const report = new Report(`${waiting.length} open polls, each on a queue of its own`);
report.figure('memory of each', 'KiB', [(after - before) / waiting.length], { atMost: 22 });
report.figure('memory of the relay before', 'MiB', [before / 1024]);
const shares = (of: 'sent' | 'woken') => times.map((time) => time[of]);
report.ratio(
  '99th percentile of the answer to a poll, of that of the send',
  [percentile(shares('woken'), 0.99) / percentile(shares('sent'), 0.99)],
  'less',
);
report.figure('answer to the poll, 99th percentile', 'ms', [percentile(shares('woken'), 0.99)], {
  atMost: 50,
});
report.figure('answer to the send, 99th percentile', 'ms', [percentile(shares('sent'), 0.99)]);
report.finish();
