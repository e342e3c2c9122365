/**
 * Held polls: what each costs the relay in memory, and how long after a send begins the poll that waited for it is
 * answered, while thousands of others wait. The send's own time to its 201, which includes the sync of the disk, is
 * measured beside it. Targets: 10,000 held at 25 KiB each at most; woken within 50 ms at the 99th percentile with 5,000.
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
import { holdAll, newCrowd, showTimes, wakeUps } from './support/polls.ts';
import { percentile, residentMemory, startServer } from './support/process.ts';

const polls = Number(process.argv[2] ?? 5_000);
const WAKE_UPS = Math.min(1_000, polls);

using folder = temporaryFolder();
const limits = { rates: ROOMY_RATES };
const preparing = await new TestRelay({ dataDirectory: folder.path, limits }).start();
const sender = await newPerson(preparing);
const crowd = await newCrowd(preparing, polls);
await preparing.stop();

const relay = await startServer(new URL('../test/support/relay-process.ts', import.meta.url), folder.path);
await sleep(1_000);
const before = residentMemory(relay.child);
const held = await holdAll(relay.port, crowd);
await sleep(2_000);
const after = residentMemory(relay.child);

const sending = connect(relay.port, '127.0.0.1').setNoDelay();
await once(sending, 'connect');
const times = await wakeUps(sending, sender, held, WAKE_UPS);
for (const { socket } of held) socket.destroy();
sending.destroy();
relay.child.kill();

const [sent, woken] = [times.map((time) => time.sent), times.map((time) => time.woken)];
console.log(`${held.length} polls held, each on a queue of its own`);
console.log(`memory: ${Math.round(before / 1024)} MiB before, ${Math.round(after / 1024)} MiB with them: \
${((after - before) / held.length).toFixed(1)} KiB each`);
console.log(`${times.length} sends, one after another: 201 after ${showTimes(sent)}`);
console.log(`the poll that waited for it answered after ${showTimes(woken)}`);
console.log(
  `woken beside the send's own answer: ${(percentile(woken, 0.99) / percentile(sent, 0.99)).toFixed(2)}`,
);
