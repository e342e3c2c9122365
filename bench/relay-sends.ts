/**
 * Durable sends: how many envelopes a second the relay accepts, each synced to disk before its 201, beside a bare
 * node:http server that echoes the same bodies in the same run. Targets: single sends at least 0.30 of the echo's
 * requests with a 99th percentile of at most 30 ms, batches of 50 at least 2.5 times as many envelopes as single sends, fetching and
 * acknowledging a backlog at least 1.5 times.
 *
 *   node bench/relay-sends.ts [seconds for each measurement]
 */
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson, type Person } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { median, startServer } from './support/process.ts';
import { requestMaker } from './support/requests.ts';

const ROUNDS = 3;
const CONNECTIONS = 32;
const BATCH = 50;
/** Devices that share the load, so that no queue is full before the end. */
const RECIPIENTS = 64;
const seconds = Number(process.argv[2] ?? 3);

using folder = temporaryFolder();
const preparing = await new TestRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } }).start();
const sender = await newPerson(preparing);
const recipients = [];
for (let index = 0; index < RECIPIENTS; index++) recipients.push(await newPerson(preparing));
await preparing.stop();

const relay = await startServer(new URL('../test/support/relay-process.ts', import.meta.url), folder.path);
const echo = await startServer(new URL('./support/echo-process.ts', import.meta.url));
const results: Record<string, LoadResult[]> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const batch of [1, BATCH]) {
    const nextRequest = requestMaker(sender, recipients, batch, relay.port);
    for (const [name, { port }] of [
      ['echo', echo],
      ['relay', relay],
    ] as const) {
      const measured = await runLoad(port, CONNECTIONS, seconds, nextRequest);
      results[`${name} ${batch}`] = [...(results[`${name} ${batch}`] ?? []), measured];
    }
  }
}
/** Takes what waits for a person, page by page. @returns how many envelopes left the queue */
async function drain(person: Person, end: number): Promise<number> {
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
    const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(`http://127.0.0.1:${relay.port}/api/v1${path}`, options)).json();
  };
  let taken = 0;
  while (performance.now() < end) {
    const { envelopes } = (await call(`/inbox?device=${person.device.id}&limit=500`)) as {
      envelopes: { id: string }[];
    };
    if (envelopes.length === 0) break;
    await call('/inbox/ack', { device: person.device.id, ids: envelopes.map(({ id }) => id) });
    taken += envelopes.length;
  }
  return taken;
}

const drainBegin = performance.now();
const drained = await Promise.all(
  recipients.map((person) => drain(person, drainBegin + seconds * ROUNDS * 1000)),
);
const drainSeconds = (performance.now() - drainBegin) / 1000;
const drainRate = drained.reduce((sum, count) => sum + count, 0) / drainSeconds;
relay.child.kill();
echo.child.kill();

const rate = (name: string) =>
  median((results[name] ?? []).map(({ requestsPerSecond }) => requestsPerSecond));
console.log(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${seconds} s, medians (least to most)`);
for (const [name, measured] of Object.entries(results)) {
  const [server, batch] = name.split(' ');
  const rates = measured.map(({ requestsPerSecond }) => requestsPerSecond * Number(batch));
  const spread = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`;
  const p99 = median(measured.map((result) => result.p99)).toFixed(1);
  console.log(
    `${server}, ${batch} a request: ${Math.round(median(rates))} envelopes/s (${spread}), p99 ${p99} ms`,
  );
}
console.log(`single sends beside the echo: ${(rate('relay 1') / rate('echo 1')).toFixed(2)}`);
console.log(
  `batches of ${BATCH} beside single sends: ${((rate(`relay ${BATCH}`) * BATCH) / rate('relay 1')).toFixed(2)}`,
);
console.log(
  `backlog: ${Math.round(drainRate)} envelopes/s fetched and acknowledged, ${(drainRate / rate('relay 1')).toFixed(2)} of single sends`,
);
