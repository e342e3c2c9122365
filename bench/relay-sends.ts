/**
 * Durable sends: how many envelopes a second the relay accepts, each synced to disk before its 201, beside a bare
 * node:http server that echoes the same bodies in the same run. Targets: single sends at least 0.30 of the echo's
 * requests with a 99th percentile of at most 30 ms, batches of 50 at least 2.5 times as many envelopes as single sends.
 *
 *   node bench/relay-sends.ts [seconds for each measurement]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson, type Person } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { type LoadResult, runLoad } from './support/load.ts';

const ROUNDS = 3;
const CONNECTIONS = 32;
const BATCH = 50;
/** Devices that share the load, so that no queue is full before the end. */
const RECIPIENTS = 64;
const seconds = Number(process.argv[2] ?? 3);

async function startServer(entry: string, ...args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const path = new URL(entry, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output to read');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, port: Number(port) };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Requests with fresh envelopes. The relay cannot tell random bytes from sealed ones: so they need not be sealed. */
function requestMaker(sender: Person, recipients: Person[], batch: number): () => Buffer {
  let next = 0;
  const envelope = () => {
    const to = recipients[next++ % recipients.length];
    const template = to && templates.get(to);
    return { ...template, nonce: randomBytes(12).toString('base64url') };
  };
  const templates = new Map(recipients.map((to) => [to, sender.seal(to, to.device, 'a short message')]));
  return () => {
    const envelopes = Array.from({ length: batch }, envelope);
    const body = JSON.stringify(batch === 1 ? envelopes[0] : { envelopes });
    const head = [
      'POST /api/v1/envelopes HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${sender.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

using folder = temporaryFolder();
const preparing = await new TestRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } }).start();
const sender = await newPerson(preparing);
const recipients = [];
for (let index = 0; index < RECIPIENTS; index++) recipients.push(await newPerson(preparing));
await preparing.stop();

const relay = await startServer('../test/support/relay-process.ts', folder.path);
const echo = await startServer('./support/echo-process.ts');
const results: Record<string, LoadResult[]> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const batch of [1, BATCH]) {
    const nextRequest = requestMaker(sender, recipients, batch);
    for (const [name, { port }] of [
      ['echo', echo],
      ['relay', relay],
    ] as const) {
      const measured = await runLoad(port, CONNECTIONS, seconds, nextRequest);
      results[`${name} ${batch}`] = [...(results[`${name} ${batch}`] ?? []), measured];
    }
  }
}
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
