/**
 * Durable sends: envelopes a second that the relay accepts, each synced to the disk before its 201, beside a bare node:http
 * server that echoes the same bodies, and beside the same store without HTTP, in the same run.
 *
 *   node bench/relay-sends.ts [seconds for each measurement]
 */
import { cpSync } from 'node:fs';
import { openSqliteStore } from '../src/relay/store/sqlite/store.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson, type Person } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { untilIdle } from './support/idle.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { median, processorTimeOf, startRelayProcess, startServer } from './support/process.ts';
import { isSmoke, Report, ratios, sizeOf } from './support/report.ts';
import { requestMaker } from './support/requests.ts';
import { loadStore } from './support/store-load.ts';

/** Connections of single sends. Batches are measured with the usual number. */
const CONNECTIONS = isSmoke ? [2] : [2, 8, 32, 256, 1_024];
const USUAL = isSmoke ? 2 : 32;
const BATCH = 50;
/** Devices that share the load, so that no queue is full before the end. */
const RECIPIENTS = 64;
const ROUNDS = isSmoke ? 1 : 3;
const seconds = sizeOf(0, 3, 0.2);

using folder = temporaryFolder();
const preparing = await new TestRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } }).start();
const sender = await newPerson(preparing);
const recipients: Person[] = [];
for (let index = 0; index < RECIPIENTS; index++) recipients.push(await newPerson(preparing));
await preparing.stop();
using copy = temporaryFolder();
cpSync(folder.path, copy.path, { recursive: true });
const store = await openSqliteStore({
  dataDirectory: copy.path,
  queueBytes: 1e9,
  onBroken: (reason) => {
    throw new Error(reason);
  },
});
const storeRates: number[] = [];

const relay = await startRelayProcess(
  new URL('../test/support/relay-process.ts', import.meta.url),
  folder.path,
);
const echo = await startServer(new URL('./support/echo-process.ts', import.meta.url));
const results = new Map<string, LoadResult[]>();
/** Measurements that began while the relay was still busy. */
let busyStarts = 0;
async function measure(connections: number, batch: number): Promise<void> {
  const next = requestMaker(sender, recipients, batch, relay.port);
  for (const [name, { port }] of [
    ['echo', echo],
    ['relay', relay],
  ] as const) {
    const key = `${name} ${connections} ${batch}`;
    // The relay moves its log and collects garbage after a load: that would delay the echo.
    if (!(await untilIdle(() => processorTimeOf(relay.child)))) busyStarts++;
    const measured = await runLoad(port, connections, seconds, next);
    results.set(key, [...(results.get(key) ?? []), measured]);
  }
}
for (let round = 0; round < ROUNDS; round++) {
  for (const connections of CONNECTIONS) await measure(connections, 1);
  await measure(USUAL, BATCH);
  storeRates.push(await loadStore(store, sender, recipients, USUAL, seconds));
}
await store.close();
/** Fetches and acknowledges the queue of a person, page by page. @returns number of acknowledged envelopes */
async function drain(person: Person, end: number): Promise<number> {
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
    const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(`http://127.0.0.1:${relay.port}/api/v1${path}`, options)).json();
  };
  let stored = 0;
  while (performance.now() < end) {
    const { envelopes } = (await call(`/inbox?device=${person.device.id}&limit=500`)) as {
      envelopes: { id: string }[];
    };
    if (envelopes.length === 0) break;
    await call('/inbox/ack', { device: person.device.id, ids: envelopes.map(({ id }) => id) });
    stored += envelopes.length;
  }
  return stored;
}

const drainBegin = performance.now();
const drained = await Promise.all(
  recipients.map((person) => drain(person, drainBegin + seconds * ROUNDS * 1000)),
);
const drainSeconds = (performance.now() - drainBegin) / 1000;
const drainRate = drained.reduce((sum, count) => sum + count, 0) / drainSeconds;
relay.child.kill();
echo.child.kill();

const ratesOf = (name: string, connections: number, batch: number) =>
  (results.get(`${name} ${connections} ${batch}`) ?? []).map(({ requestsPerSecond }) => requestsPerSecond);
const report = new Report(
  'Durable sends, each synced to disk before its 201, beside a node:http server that echoes the same bodies',
);
for (const connections of CONNECTIONS) {
  report.ratio(
    `single sends of the echo, ${connections} connections`,
    ratios(ratesOf('relay', connections, 1), ratesOf('echo', connections, 1)),
    connections === USUAL ? { atLeast: 0.3 } : null,
  );
}
const single = ratesOf('relay', USUAL, 1);
const batched = ratesOf('relay', USUAL, BATCH).map((rate) => rate * BATCH);
report.ratio('single sends of the store without HTTP', ratios(ratesOf('relay', USUAL, 1), storeRates));
report.ratio(`envelopes in batches of ${BATCH}, of single sends`, ratios(batched, single), { atLeast: 2.5 });
report.ratio('fetched and acknowledged, of single sends', [drainRate / median(single)], { atLeast: 1.5 });
for (const connections of CONNECTIONS) {
  const each = results.get(`relay ${connections} 1`) ?? [];
  report.figure(`single sends, ${connections} connections`, 'a second', ratesOf('relay', connections, 1));
  report.figure(
    `99th percentile, ${connections} connections`,
    'ms',
    each.map(({ p99 }) => p99),
    connections === USUAL ? { atMost: 30 } : null,
  );
}
report.figure('the store without HTTP', 'envelopes a second', storeRates);
report.figure(`echo, ${USUAL} connections`, 'a second', ratesOf('echo', USUAL, 1));
if (busyStarts > 0) report.note(`${busyStarts} measurements began while the relay was still busy.`);
report.finish();
