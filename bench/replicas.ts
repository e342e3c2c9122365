/**
 * Replicas on one PostgreSQL: envelopes a second that 1, 2 and 4 of them accept, beside commits of the database itself with one
 * row of the same size each, and beside the same store without HTTP, in the same run; the envelopes in a commit of one replica; and
 * the time from the start of a send at one replica to the answer of a poll at another one.
 *
 *   node bench/replicas.ts [seconds for each measurement] [polls]
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresStore } from '../src/relay/store/postgres/store.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { freePort } from '../test/support/free-port.ts';
import { newPerson } from '../test/support/person.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { runLoad } from './support/load.ts';
import { newCrowd, openPolls, wakeUps } from './support/polls.ts';
import { percentile, startRelayProcess, startServer } from './support/process.ts';
import { isSmoke, Report, ratios, sizeOf } from './support/report.ts';
import { requestMaker } from './support/requests.ts';
import { loadStore } from './support/store-load.ts';

const seconds = sizeOf(0, 3, 0.2);
const polls = sizeOf(1, 5_000, 64);
const ROUNDS = isSmoke ? 1 : 3;
const CONNECTIONS = 32;
const REPLICAS = isSmoke ? [1, 2] : [1, 2, 4];
/** Devices that share the load: few of them are written to by two replicas at the same moment. */
const RECIPIENTS = isSmoke ? 16 : 1_000;
const WAKE_UPS = Math.min(500, polls / 2);
/** About what an envelope takes in the database, in bytes. */
const ROW = 700;

/** The sizes of the log by default. With the small files of a test server it would make a checkpoint every few seconds. */
const DEFAULT_LOG = { min_wal_size: '80MB', max_wal_size: '1GB' };

/** Sizes of commits that are reported as a share of all: at most so many envelopes. */
const FLUSH_SIZES = [4, 8, 16, 32];

/** The number of commits of mail by a replica, by their size as its metrics have it, and all envelopes in them. */
async function flushesOf(port: number): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const samples = text.matchAll(/^waxwing_flush_envelopes_(?:bucket\{le="([^"]+)"\}|(sum)) (\S+)$/gm);
  return new Map([...samples].map(([, size, sum, value]) => [size ?? sum ?? '', Number(value)]));
}

/** @returns commits a second of one row each, from as many connections */
async function commits(url: string): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const row = randomBytes(ROW);
  let count = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < end; count++)
        await client.query('INSERT INTO bare (body) VALUES ($1)', [row]);
    }),
  );
  const elapsed = (performance.now() - begin) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  return count / elapsed;
}

await using server = await new TestPostgres(DEFAULT_LOG).start();
const bare = await server.database();
await server.query(bare, 'CREATE TABLE bare (id bigserial PRIMARY KEY, body bytea)');
const database = await server.database();
await using preparing = await new TestRelay({ database, limits: { rates: ROOMY_RATES } }).start();
const sender = await newPerson(preparing);
const recipients = await Promise.all(Array.from({ length: RECIPIENTS }, () => newPerson(preparing)));
const crowd = await newCrowd(preparing, polls);
await preparing.stop();

using folder = temporaryFolder();
const entry = new URL('../test/support/relay-process.ts', import.meta.url);
const startReplica = async (index: number) => {
  const metrics = await freePort();
  const args = [`${folder.path}/${index}`, '0', 'open', database, `${metrics}`];
  return { ...(await startRelayProcess(entry, ...args)), metrics };
};
type Replica = Awaited<ReturnType<typeof startReplica>>;
/** Loads replicas at the same time. @returns envelopes a second of all of them */
async function load(replicas: readonly Replica[], seconds: number): Promise<number> {
  const loads = replicas.map(({ port }) =>
    runLoad(port, CONNECTIONS, seconds, requestMaker(sender, recipients, 1, port)),
  );
  return (await Promise.all(loads)).reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
}
async function stop(replicas: readonly Replica[]): Promise<void> {
  const ended = replicas.map(({ child }) => once(child, 'exit'));
  for (const { child } of replicas) child.kill();
  await Promise.all(ended);
}

const rates = new Map<string, number[]>();
const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate]);
const echo = await startServer(new URL('./support/echo-process.ts', import.meta.url));
for (let round = 0; round < ROUNDS; round++) {
  note('database', await commits(bare));
  const { store } = await openPostgresStore({ url: database, queueBytes: 1e9, onWarning: console.warn });
  note('store', await loadStore(store, sender, recipients, CONNECTIONS, seconds));
  await store.close();
  // No more replicas than measured: they would send each other hints.
  const replicas: Replica[] = [];
  for (const count of REPLICAS) {
    while (replicas.length < count) {
      const added = await startReplica(replicas.length);
      await load([added], seconds); // Compiles its code.
      replicas.push(added);
    }
    if (count === 1) {
      const same = requestMaker(sender, recipients, 1, echo.port);
      note('echo', (await runLoad(echo.port, CONNECTIONS, seconds, same)).requestsPerSecond);
    }
    const [{ metrics }] = replicas as [Replica];
    const before = await flushesOf(metrics);
    note(`${count}`, await load(replicas, seconds));
    const after = await flushesOf(metrics);
    const rise = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    note(`${count} flush`, rise('sum') / rise('+Inf'));
    for (const size of FLUSH_SIZES) note(`${count} flush ${size}`, (100 * rise(`${size}`)) / rise('+Inf'));
  }
  await stop(replicas);
}
const valuesOf = (name: string) => rates.get(name) ?? [];
const ratiosOf = (name: string, to: string) => ratios(valuesOf(name), valuesOf(to));
const report = new Report(
  'Durable single sends of replicas on one PostgreSQL, beside a node:http server that echoes, and single commits of the database',
);
report.ratio('one replica, of the echo', ratiosOf('1', 'echo'), { atLeast: 0.22 });
// With fewer cores than servers they share what there is.
report.ratio(
  'two replicas, of one',
  ratiosOf('2', '1'),
  availableParallelism() >= 8 ? { atLeast: 1.6 } : null,
);
for (const count of REPLICAS) {
  report.ratio(`replicas: ${count}, of the commits of the database`, ratiosOf(`${count}`, 'database'));
  report.figure(`replicas: ${count}`, 'a second', valuesOf(`${count}`));
}
report.figure('one replica: envelopes in a commit', 'on average', valuesOf('1 flush'));
for (const size of FLUSH_SIZES) {
  report.figure(`one replica: commits of at most ${size} envelopes`, '%', valuesOf(`1 flush ${size}`));
}
report.ratio('one replica, of the store without HTTP', ratiosOf('1', 'store'));
report.figure('the store without HTTP', 'envelopes a second', valuesOf('store'));
report.figure('the database alone', 'commits a second', valuesOf('database'));

const [first, second] = [await startReplica(0), await startReplica(1)];
const waiting = await openPolls(first.port, crowd);
await sleep(2_000);
for (const [where, { port }] of [
  ['the replica that holds the poll', first],
  ['another replica', second],
] as const) {
  const sending = connect(port, '127.0.0.1').setNoDelay();
  await once(sending, 'connect');
  const times = await wakeUps(
    sending,
    sender,
    waiting.splice(0, Math.floor(polls / 2)),
    Math.floor(WAKE_UPS / 2),
  );
  sending.destroy();
  report.figure(
    `99th percentile of the answer to a poll, sent to ${where}`,
    'ms',
    [
      percentile(
        times.map(({ woken }) => woken),
        0.99,
      ),
    ],
    { atMost: 75 },
  );
}
report.finish();
await stop([first, second]);
echo.child.kill();
