/**
 * Envelopes a second that a relay accepts on each of several empty databases, measured in turns, such as one server beside
 * several with Citus; and the bytes of an envelope on their disks.
 *
 *   node bench/databases.ts seconds postgres://… [postgres://… …]
 */
import pg from 'pg';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { runLoad } from './support/load.ts';
import { median, startRelayProcess } from './support/process.ts';
import { requestMaker } from './support/requests.ts';

const seconds = Number(process.argv[2] ?? 5);
const databases = process.argv.slice(3);
const ROUNDS = 3;
const CONNECTIONS = 64;
const RECIPIENTS = 1_000;
/** Envelopes in a request. */
const SIZES = [1, 20];
/** Rows of mail, with their indexes, on however many servers they are. */
const BYTES = (table: string, isDistributed: boolean) =>
  `SELECT ${isDistributed ? 'citus_total_relation_size' : 'pg_total_relation_size'}('${table}')::float8 AS bytes`;
const TABLES = ['envelope', 'sealed', 'delivery', 'queue', 'queue_share'];

async function one<T>(url: string, sql: string): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows[0] as T;
}

async function mailBytes(url: string): Promise<number> {
  const { citus } = await one<{ citus: boolean }>(
    url,
    "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus",
  );
  let sum = 0;
  for (const table of TABLES) sum += (await one<{ bytes: number }>(url, BYTES(table, citus))).bytes;
  return sum;
}

using folder = temporaryFolder();
const entry = new URL('../test/support/relay-process.ts', import.meta.url);
const relays = [];
for (const [index, url] of databases.entries()) {
  await using preparing = await new TestRelay({ database: url, limits: { rates: ROOMY_RATES } }).start();
  const sender = await newPerson(preparing);
  const recipients = await Promise.all(Array.from({ length: RECIPIENTS }, () => newPerson(preparing)));
  await preparing.stop();
  const server = await startRelayProcess(entry, `${folder.path}/${index}`, '0', 'open', url);
  relays.push({ ...server, url, sender, recipients, before: await mailBytes(url), envelopes: 0 });
}

const rates = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const size of SIZES) {
    for (const [index, relay] of relays.entries()) {
      const next = requestMaker(relay.sender, relay.recipients, size, relay.port);
      const { requestsPerSecond } = await runLoad(relay.port, CONNECTIONS, seconds, next);
      const name = `${index} ${size}`;
      rates.set(name, [...(rates.get(name) ?? []), requestsPerSecond * size]);
      relay.envelopes += requestsPerSecond * size * seconds;
    }
  }
}
for (const [index, relay] of relays.entries()) {
  const lines = SIZES.map((size) => {
    const rate = median(rates.get(`${index} ${size}`) ?? []);
    const first = median(rates.get(`0 ${size}`) ?? []);
    return `${size} at a time ${Math.round(rate)}/s, ${(rate / first).toFixed(2)} of the first`;
  });
  const bytes = ((await mailBytes(relay.url)) - relay.before) / relay.envelopes;
  console.log(
    `database ${index + 1}: ${lines.join('; ')}; ${Math.round(bytes)} bytes for each envelope that waits`,
  );
  relay.child.kill();
}
process.exit();
