/**
 * Rates of sealing and opening copies, beside those of comparable operations: `node bench/sealing.ts [rounds] [copies]`.
 *
 * Each round measures everything once, one after the other, so that a machine that slows down slows all of them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { diffieHellman, generateKeyPairSync, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { THREAD_LIMITS } from '../src/engine/sealing/pool.ts';
import { generateX25519, importEd25519, importX25519, randomBytes } from '../src/protocol/crypto.ts';
import { encodeBase64Url } from '../src/protocol/encoding.ts';
import {
  newRandomness,
  type OpeningKey,
  openCopy,
  type RecipientKey,
  sealCopy,
} from '../src/protocol/envelope.ts';
import { mlKem } from '../src/protocol/ml-kem/chosen.ts';
import type { MlKem } from '../src/protocol/ml-kem/ml-kem.ts';
import { nativeMlKem } from '../src/protocol/ml-kem/native.ts';
import { nobleMlKem } from '../src/protocol/ml-kem/noble.ts';
import { decodePayload, encodePayload } from '../src/protocol/payload.ts';
import { hybridPublicKey, importHybrid } from '../src/protocol/x-wing.ts';
import { collectGarbage } from '../test/support/memory.ts';
import { processorTime, untilIdle } from './support/idle.ts';
import { Report, ratios, sizeOf } from './support/report.ts';

const ROUNDS = sizeOf(0, 9, 1);
const COPIES = sizeOf(1, 2_000, 20);
const PAYLOAD_BYTES = 256;
/** Copies for the slower ones, so that a round takes seconds. */
const SLOW_COPIES = Math.ceil(COPIES / 10);
/** Copies of a thread: a second of work, beside which its start does not count. */
const THREAD_COPIES = 10 * COPIES;
/** Hybrid keys whose imported form stays in memory: those of 500 devices, written to again and again. */
const KNOWN_HYBRID = 500;

const route = { from: `0x${'1a'.repeat(20)}`, to: `0x${'2b'.repeat(20)}` };
const header = { asRequest: false, automated: false, senderListSequence: 1, recipientListSequence: 1 };
const payload = randomBytes(PAYLOAD_BYTES);

/** Seal keys of devices. */
const devices = Array.from({ length: COPIES }, () => generateX25519().publicKey);
const hybridDevices = devices.map((x25519) => ({
  x25519,
  mlKem: nativeMlKem.importKey(randomBytes(64)).publicKey,
}));
/** Devices that are written to again. The others are written to for the first time, because so many are not kept. */
const knownHybridDevices = hybridDevices.map((_, index) => hybridDevices[index % KNOWN_HYBRID] ?? payload);

/** The measurements that began while the process was still busy. */
let busyStarts = 0;

/** Waits for the end of earlier work, or counts that it did not end. */
async function settle(): Promise<void> {
  if (!(await untilIdle())) busyStarts++;
}

/** Operations in a second of processor time, also that of their garbage, but not of earlier objects. */
async function rate(count: number, operation: (index: number) => void): Promise<number> {
  collectGarbage();
  await settle();
  const start = processorTime();
  for (let index = 0; index < count; index++) operation(index);
  return count / ((processorTime() - start) / 1e6);
}

function seal(
  devices: readonly RecipientKey[],
  { encapsulate }: Pick<MlKem, 'encapsulate'> = mlKem,
): Promise<number> {
  const prepared = devices.map(() => ({ ...newRandomness(), encapsulate }));
  return rate(devices.length, (index) => {
    sealCopy(route, devices[index] ?? payload, header, payload, prepared[index]);
  });
}

/** Copies with an ephemeral key made for each, as libsodium's sealed boxes make it. */
const sealWithNewKey = () =>
  rate(COPIES, (index) => void sealCopy(route, devices[index] ?? payload, header, payload));

/** The functions in use of https://sodium-friends.github.io/docs/docs/sealedboxencryption */
interface SealedBoxes {
  readonly crypto_box_SEALBYTES: number;
  crypto_box_seal(sealed: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void;
}
const sodium: SealedBoxes = createRequire(import.meta.url)('sodium-native');

/** Sealed boxes of libsodium: X25519 and XSalsa20-Poly1305, without HPKE's key schedule and without a header. */
function sealedBoxes(): Promise<number> {
  const sealed = new Uint8Array(PAYLOAD_BYTES + sodium.crypto_box_SEALBYTES);
  return rate(COPIES, (index) => sodium.crypto_box_seal(sealed, payload, devices[index] ?? payload));
}

/** Copies a second of threads that seal at the same time, in wall-clock time. */
async function sealInThreads(count: number): Promise<number> {
  const workerData = { route, header, copies: THREAD_COPIES, payloadBytes: PAYLOAD_BYTES };
  const file = new URL('./support/sealing-thread.ts', import.meta.url);
  const threads = Array.from(
    { length: count },
    () => new Worker(file, { workerData, resourceLimits: THREAD_LIMITS }),
  );
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  await settle();
  const start = performance.now();
  const ended = Promise.all(threads.map((thread) => once(thread, 'message')));
  for (const thread of threads) thread.postMessage('start');
  await ended;
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(threads.map((thread) => thread.terminate()));
  return (count * THREAD_COPIES) / seconds;
}

/** Opens copies of different signed messages, sealed to a key, and checks each signature. */
function openChecked(copies: number, sealKey: OpeningKey, recipient: RecipientKey): Promise<number> {
  const device = importEd25519(randomBytes(32));
  const list = { sequence: 1, hash: encodeBase64Url(randomBytes(32)) };
  const sealed = Array.from({ length: copies }, (_, seq) => {
    const body = {
      id: encodeBase64Url(randomBytes(16)),
      sender: route.from,
      sentAt: '2026-11-20T20:00:00.000Z',
      seq,
      kind: 'text',
      peer: route.to,
      text: 'hello',
    };
    const message = encodePayload({ channel: 'direct', body }, { deviceKey: device, list });
    return sealCopy(route, recipient, header, message);
  });
  return rate(copies, (index) => {
    const copy = sealed[index];
    if (!copy) throw new Error('a copy is missing');
    const opened = openCopy(route, sealKey, copy, false);
    if (!decodePayload(opened.payload).isSignedBy(device.publicKey)) throw new Error('not signed');
  });
}

function openClassic(): Promise<number> {
  const key = importX25519(randomBytes(32));
  return openChecked(COPIES, key, key.publicKey);
}

function openHybrid(copies: number, backend: MlKem): Promise<number> {
  const key = importHybrid(randomBytes(32), backend);
  return openChecked(copies, key, hybridPublicKey(key));
}

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

async function hpkeCore(copies: number): Promise<number> {
  const { publicKey } = await suite.kem.generateKeyPair();
  const plaintext = Uint8Array.from(payload).buffer;
  collectGarbage();
  await settle();
  const start = processorTime();
  for (let index = 0; index < copies; index++) {
    const context = await suite.createSenderContext({ recipientPublicKey: publicKey });
    await context.seal(plaintext);
  }
  return copies / ((processorTime() - start) / 1e6);
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** OpenSSL's own measurement: a figure in its report on an algorithm. */
function opensslSpeed(algorithm: string, line: RegExp, ...options: string[]): number {
  const report = execFileSync('openssl', ['speed', '-seconds', '1', ...options, algorithm], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const figure = line.exec(report)?.[1];
  if (figure === undefined) throw new Error('openssl speed wrote something unexpected');
  return Number(figure);
}

/** Verifications of Ed25519 a second, measured like {@link x25519}: an opened copy needs one of each. */
function ed25519(): number | Promise<number> {
  if (hasOpenssl) return opensslSpeed('ed25519', /\(Ed25519\).*\s([\d.]+)$/m);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, payload, privateKey);
  return rate(COPIES, () => void verify(null, payload, publicKey, signature));
}

const X25519_LINE = /\(X25519\)\s+\S+\s+([\d.]+)/;

/** X25519 a second of processes of OpenSSL at the same time, in wall-clock time: how far the processors of this machine are separate. */
const x25519Processes = (count: number) =>
  opensslSpeed('ecdhx25519', X25519_LINE, '-elapsed', '-multi', String(count));

/** X25519 a second: OpenSSL's own measurement, or a loop over node:crypto where the tool is missing. */
function x25519(): number | Promise<number> {
  if (hasOpenssl) return opensslSpeed('ecdhx25519', X25519_LINE);
  const { privateKey } = generateKeyPairSync('x25519');
  const { publicKey } = generateKeyPairSync('x25519');
  return rate(COPIES, () => void diffieHellman({ privateKey, publicKey }));
}

const toolOf = (algorithm: string, name: string) =>
  hasOpenssl ? `openssl speed ${algorithm}` : `${name} in node:crypto (no openssl tool here)`;
const floorName = toolOf('ecdhx25519', 'X25519');
const verifyName = toolOf('ed25519, verify', 'Ed25519 verification');
const measurements: [name: string, measure: () => number | Promise<number>][] = [
  [floorName, x25519],
  [verifyName, ed25519],
  ['seal', () => seal(devices)],
  ['open and check signature', openClassic],
  ['seal, suite 2, ML-KEM of Node', () => seal(knownHybridDevices, nativeMlKem)],
  ['seal, suite 2, ML-KEM of Node, first copy to a device', () => seal(hybridDevices, nativeMlKem)],
  ['open and check, suite 2, ML-KEM of Node', () => openHybrid(COPIES, nativeMlKem)],
  ['seal, suite 2, ML-KEM of noble', () => seal(hybridDevices.slice(0, SLOW_COPIES), nobleMlKem)],
  ['open and check, suite 2, ML-KEM of noble', () => openHybrid(SLOW_COPIES, nobleMlKem)],
  ['seal, with an ephemeral key made for it', sealWithNewKey],
  ['sealed box of libsodium', sealedBoxes],
  ['seal, @hpke/core', () => hpkeCore(SLOW_COPIES)],
  ['seal in one thread', () => sealInThreads(1)],
  ['seal in two threads', () => sealInThreads(2)],
];

if (hasOpenssl) {
  measurements.push(
    ['X25519 in one process', () => x25519Processes(1)],
    ['X25519 in two processes', () => x25519Processes(2)],
  );
}

const rates = new Map<string, number[]>(measurements.map(([name]) => [name, []]));
for (const [, measure] of measurements) await measure(); // Warm up: compiled code, cached keys.
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, measure] of measurements) rates.get(name)?.push(await measure());
}

const valuesOf = (name: string) => rates.get(name) ?? [];
const ratiosOf = (name: string, to: string) => ratios(valuesOf(name), valuesOf(to));
const report = new Report(
  `Sealing and opening copies of ${PAYLOAD_BYTES} bytes, beside X25519 alone, with ephemeral keys prepared`,
);
report.ratio('seal, of X25519', ratiosOf('seal', floorName), { atLeast: 0.55 });
report.ratio('open and check signature, of X25519', ratiosOf('open and check signature', floorName), {
  atLeast: 0.25,
});
// Each copy needs both. OpenSSL verifies slower than libsodium, which opening uses.
const both = valuesOf(floorName).map(
  (rate, round) => 1 / (1 / rate + 1 / (valuesOf(verifyName)[round] ?? 0)),
);
report.ratio(
  'open and check signature, of X25519 and Ed25519',
  ratios(valuesOf('open and check signature'), both),
);
report.ratio('X25519 and Ed25519, of X25519', ratios(both, valuesOf(floorName)));
report.ratio('seal with suite 2, of X25519', ratiosOf('seal, suite 2, ML-KEM of Node', floorName), {
  atLeast: 0.3,
});
report.ratio(
  'seal with suite 2 for the first time to a device, of X25519',
  ratiosOf('seal, suite 2, ML-KEM of Node, first copy to a device', floorName),
);
report.ratio('seal in two threads, of one', ratiosOf('seal in two threads', 'seal in one thread'), {
  atLeast: 1.9,
});
if (hasOpenssl) {
  report.ratio(
    'X25519 in two processes, of one',
    ratiosOf('X25519 in two processes', 'X25519 in one process'),
  );
}
report.ratio(
  'seal with an ephemeral key made for it, of a sealed box of libsodium',
  ratiosOf('seal, with an ephemeral key made for it', 'sealed box of libsodium'),
);
report.ratio('seal, of @hpke/core', ratiosOf('seal', 'seal, @hpke/core'));
for (const name of rates.keys()) report.figure(name, 'a second', valuesOf(name));
if (busyStarts > 0)
  report.note(
    `${busyStarts} measurements began while the process was still busy with earlier work. Run this again on an idle machine.`,
  );
report.finish();
