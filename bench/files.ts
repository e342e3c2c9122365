/**
 * Cost of files: the rate of sealing and opening one beside AES-256-GCM followed by SHA-256 over the same bytes by the same
 * library, and the memory of an engine that sends a large file, and of one that downloads and reads it.
 *
 *   node bench/files.ts [MiB of the large file]
 *
 * Targets: sealing at 0.8 of the comparison or more; each engine grows by 64 MiB at most. Each round measures
 * everything once, one after the other.
 */
import { createCipheriv, createHash } from 'node:crypto';
import { newFileKey } from '../src/protocol/blob/keys.ts';
import { CHUNK_BYTES, chunkAt, SEALED_CHUNK_BYTES } from '../src/protocol/blob/layout.ts';
import { BlobReader, BlobWriter } from '../src/protocol/blob/stream.ts';
import { randomBytes } from '../src/protocol/crypto.ts';
import { collectGarbage } from '../test/support/memory.ts';
import { engineMemory } from './support/engine-memory.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';

const MEBIBYTE = 1024 * 1024;
const large = sizeOf(0, 1_024, 16);
const ROUNDS = isSmoke ? 1 : 9;
/** MiB of the file before the large one. */
const SMALL = isSmoke ? 8 : 64;
/** Without padding, so that both sides have the same bytes. */
const SIZE = SMALL * MEBIBYTE;

const file = randomBytes(SIZE);

/** @param keep called with each chunk; without it, they share one buffer, as where a file is sealed to the disk */
function seal(keep?: (chunk: Uint8Array) => void): { key: Uint8Array; digest: Uint8Array } {
  const key = newFileKey();
  const writer = new BlobWriter(key, SIZE);
  const room = keep ? undefined : new Uint8Array(SEALED_CHUNK_BYTES);
  for (let index = 0; index < writer.layout.chunks; index++) {
    const { offset, length } = chunkAt(writer.layout, index).file;
    const chunk = writer.push(file.subarray(offset, offset + length), room);
    keep?.(chunk);
  }
  return { key, digest: writer.finish().digest };
}

function open({ key, digest }: ReturnType<typeof seal>): void {
  const reader = new BlobReader(key, SIZE, digest);
  for (const chunk of blob) reader.push(chunk);
  reader.finish();
}

/** One cipher and one hash over the whole file. */
function cipherAndHash(): void {
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12));
  const hash = createHash('sha256');
  for (let at = 0; at < SIZE; at += CHUNK_BYTES)
    hash.update(cipher.update(file.subarray(at, at + CHUNK_BYTES)));
  hash.update(cipher.final());
  hash.digest();
}

/** MiB in a second of this thread's processor time: other programs delay the thread, and do not count, nor does garbage of earlier work. */
function rate(work: () => void): number {
  collectGarbage();
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return SIZE / MEBIBYTE / ((user + system) / 1e6);
}

const floorName = 'AES-256-GCM, then SHA-256';
const rates = new Map<string, number[]>();
const ratios = new Map<string, number[]>();

/** Measures operations beside the comparison. */
function compare(measurements: readonly [name: string, work: () => void][]): void {
  const all = [[floorName, cipherAndHash] as const, ...measurements];
  for (const [, work] of all) work(); // Warm up.
  for (let round = 0; round < ROUNDS; round++) {
    let floor = 0;
    for (const [name, work] of all) {
      const value = rate(work);
      if (name === floorName) floor = value;
      rates.set(name, [...(rates.get(name) ?? []), value]);
      ratios.set(name, [...(ratios.get(name) ?? []), value / floor]);
    }
  }
}

compare([['seal', () => void seal()]]);
// Opening needs the blob in memory.
const blob: Uint8Array[] = [];
const sealed = seal((chunk) => blob.push(chunk));
compare([['open and verify', () => open(sealed)]]);

const report = new Report(
  `Sealing and opening a file of ${SIZE / MEBIBYTE} MiB, beside AES-256-GCM followed by SHA-256`,
);
report.ratio('seal', ratios.get('seal') ?? [], { atLeast: 0.8 });
report.ratio('open and verify', ratios.get('open and verify') ?? []);
for (const [name, values] of rates) report.figure(name, 'MiB a second of processor time', values);
const { sending, receiving } = await engineMemory(SMALL * MEBIBYTE, large * MEBIBYTE);
const growth = `of an engine by a file of ${large} MiB, after one of ${SMALL} MiB`;
report.figure(`sending: growth ${growth}`, 'MiB', [sending / MEBIBYTE], { atMost: 64 });
report.figure(`receiving: growth ${growth}`, 'MiB', [receiving / MEBIBYTE], { atMost: 64 });
report.finish();
