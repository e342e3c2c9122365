/**
 * Held polls: what each costs the relay in memory, and how long after a send begins the poll that waited for it is
 * answered, while thousands of others wait. The send's own time to its 201, which includes the sync of the disk, is
 * measured beside it. Targets: 10,000 held at 25 KiB each at most; woken within 50 ms at the 99th percentile with 5,000.
 *
 *   node bench/held-polls.ts [polls]
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson, type Person, TestDevice } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { percentile, residentMemory, startServer } from './support/process.ts';

const polls = Number(process.argv[2] ?? 5_000);
/** The most that an address may have. Each is a queue of its own. */
const DEVICES = 16;
const WAKE_UPS = Math.min(1_000, polls);
/** Between two sends, in milliseconds. */
const PACE = 5;
const HOLD_SECONDS = 30;

interface Held {
  owner: Person;
  device: TestDevice;
  socket: Socket;
}

function hold(port: number, owner: Person, device: TestDevice): Held {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const path = `/api/v1/inbox?device=${device.id}&wait=${HOLD_SECONDS}`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`,
  );
  return { owner, device, socket };
}

/** @returns milliseconds from the first byte of the send to the 201, and to the answer of the poll */
async function wakeUp(sending: Socket, sender: Person, held: Held): Promise<{ sent: number; woken: number }> {
  const body = JSON.stringify(sender.seal(held.owner, held.device, 'wake up'));
  const head = [
    'POST /api/v1/envelopes HTTP/1.1',
    `Host: 127.0.0.1:${sending.remotePort}`,
    `Authorization: Bearer ${sender.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const answered = (socket: Socket) =>
    once(socket, 'data').then(([data]) => {
      if (!String(data).startsWith('HTTP/1.1 20')) throw new Error(String(data));
      return performance.now();
    });
  const begin = performance.now();
  const both = [answered(sending), answered(held.socket)] as const;
  sending.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [sent, woken] = await Promise.all(both);
  return { sent: sent - begin, woken: woken - begin };
}

using folder = temporaryFolder();
const limits = { rates: ROOMY_RATES };
const preparing = await new TestRelay({ dataDirectory: folder.path, limits }).start();
const sender = await newPerson(preparing);
const people: Person[] = [];
const devices = new Map<Person, TestDevice[]>();
while (people.length * DEVICES < polls) {
  const person = await newPerson(preparing);
  const all = [person.device, ...Array.from({ length: DEVICES - 1 }, () => new TestDevice())];
  await person.publishDevices(all);
  people.push(person);
  devices.set(person, all);
}
await preparing.stop();

const relay = await startServer(new URL('../test/support/relay-process.ts', import.meta.url), folder.path);
await sleep(1_000);
const before = residentMemory(relay.child);
const held: Held[] = [];
for (const person of people) {
  for (const device of devices.get(person) ?? []) {
    if (held.length === polls) break;
    const one = hold(relay.port, person, device);
    held.push(one);
    // A connection at a time is accepted sooner than a crowd that waits in line.
    if (held.length % 100 === 0) await once(one.socket, 'connect');
  }
}
await sleep(2_000);
const after = residentMemory(relay.child);

const sending = connect(relay.port, '127.0.0.1').setNoDelay();
await once(sending, 'connect');
const times: { sent: number; woken: number }[] = [];
const step = Math.floor(polls / WAKE_UPS);
for (let index = 0; index < WAKE_UPS; index++) {
  const target = held[index * step];
  if (target) times.push(await wakeUp(sending, sender, target));
  await sleep(PACE);
}
for (const { socket } of held) socket.destroy();
sending.destroy();
relay.child.kill();

const [sent, woken] = [times.map((time) => time.sent), times.map((time) => time.woken)];
const show = (values: number[]) =>
  `median ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;
console.log(`${held.length} polls held, each on a queue of its own`);
console.log(`memory: ${Math.round(before / 1024)} MiB before, ${Math.round(after / 1024)} MiB with them: \
${((after - before) / held.length).toFixed(1)} KiB each`);
console.log(`${times.length} sends, one after another: 201 after ${show(sent)}`);
console.log(`the poll that waited for it answered after ${show(woken)}`);
console.log(
  `woken beside the send's own answer: ${(percentile(woken, 0.99) / percentile(sent, 0.99)).toFixed(2)}`,
);
