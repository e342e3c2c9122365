/**
 * Receiving a backlog: messages that waited at the relay while the app was closed. The engine has its own thread, and the relay its
 * own process. Measured until all are stored and acknowledged, beside opening and verifying as many copies by OpenSSL alone, and
 * with the longest wait of a draft that is saved meanwhile, as when the person types.
 *
 *   node bench/backlog.ts [messages]
 */
import { diffieHellman, generateKeyPairSync, sign, verify } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Identity } from '../src/client/identity/identity.ts';
import { RelayClient } from '../src/client/relay-client.ts';
import { callEngine, eventually, setUp, TestEngine, temporaryFolder } from '../test/support/engine.ts';
import { percentile, startRelayProcess } from './support/process.ts';
import { isSmoke, Report, ratios, sizeOf } from './support/report.ts';

const MESSAGES = sizeOf(0, 10_000, 100);
const ROUNDS = isSmoke ? 1 : 3;
/** Messages that are sent at the same time. */
const SENT_TOGETHER = 32;
/** Time between two keys of a fast writer, in milliseconds. */
const KEY_EVERY = 80;

using folder = temporaryFolder();
const relay = await startRelayProcess(new URL('./support/watched-relay.ts', import.meta.url), folder.path);
const url = `http://127.0.0.1:${relay.port}`;
await using ann = await new TestEngine(url).start();
const { address } = await setUp(ann, 'ann');
const identity = Identity.create({ file: join(folder.path, 'bot.json') });
await identity.register(url, { handle: 'robin' });
const robin = new RelayClient({ identity });
await robin.send(address, 'Hello', { asRequest: true });
const [chat] = await eventually(
  () => callEngine(ann, 'conversations.list', {}),
  ({ length }) => length === 1,
);
const { id } = await callEngine(ann, 'conversations.accept', { id: chat?.id ?? '' });

async function sendAll(): Promise<void> {
  let sent = 0;
  const sender = async () => {
    while (sent < MESSAGES) {
      sent += 1;
      await robin.send(address, `${sent}: ${'a few words of a usual length '.repeat(3)}`);
    }
  };
  await Promise.all(Array.from({ length: SENT_TOGETHER }, sender));
}

/** Starts the app and saves drafts until all is stored. */
async function receive(): Promise<{ seconds: number; processor: number; waits: number[] }> {
  const { promise: isComplete, resolve } = Promise.withResolvers<void>();
  await ann.start();
  const [began, used] = [performance.now(), process.cpuUsage()];
  let arrived = 0;
  const stop = ann.handle.onEvent((name) => {
    if (name === 'message.arrived' && ++arrived === MESSAGES) resolve();
  });
  const waits: number[] = [];
  let ended = 0;
  void isComplete.then(() => {
    ended = performance.now();
  });
  while (ended === 0) {
    const pressed = performance.now();
    await callEngine(ann, 'conversations.saveDraft', { id, text: `Draft ${waits.length}` });
    waits.push(performance.now() - pressed);
    await Promise.race([sleep(KEY_EVERY), isComplete]);
  }
  stop();
  const { user, system } = process.cpuUsage(used);
  return { seconds: (ended - began) / 1_000, processor: (user + system) / 1e6, waits };
}

const [exchange, partner] = [generateKeyPairSync('x25519'), generateKeyPairSync('x25519')];
const signing = generateKeyPairSync('ed25519');
const text = Buffer.alloc(256);
const signature = sign(null, text, signing.privateKey);

/** @returns seconds for X25519 and Ed25519 of as many copies, in one thread */
function openAlone(): number {
  const began = performance.now();
  for (let copy = 0; copy < MESSAGES; copy++) {
    diffieHellman({ privateKey: exchange.privateKey, publicKey: partner.publicKey });
    verify(null, text, signing.publicKey, signature);
  }
  return (performance.now() - began) / 1_000;
}

const seconds: number[] = [];
const processor: number[] = [];
const alone: number[] = [];
const waits: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  await ann.close();
  await sendAll();
  alone.push(openAlone());
  const received = await receive();
  seconds.push(received.seconds);
  processor.push(received.processor);
  waits.push(...received.waits);
}
relay.child.kill();

const report = new Report(`A backlog of ${MESSAGES} messages in one chat, received after a start`);
report.ratio('receiving, of X25519 and Ed25519 alone', ratios(alone, seconds));
report.figure(
  'messages a second',
  '',
  seconds.map((each) => MESSAGES / each),
  { atLeast: 2_000 },
);
report.figure(
  'processor time of the app, without the relay',
  'ms for each message',
  processor.map((each) => (1_000 * each) / MESSAGES),
);
report.figure('saving a draft meanwhile, 95th percentile', 'ms', [percentile(waits, 0.95)], { atMost: 50 });
report.figure('saving a draft meanwhile, longest', 'ms', [Math.max(...waits)]);
report.finish();
