/**
 * Blobs under attack: more than the available space, callers who send slowly or not at all, failing disks, and a relay that
 * is killed at any moment.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentDigest } from '../../../src/protocol/blob/digest.ts';
import { PART_BYTES } from '../../../src/protocol/blob/layout.ts';
import { sha256 } from '../../../src/protocol/crypto.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { closing } from '../../support/raw-socket.ts';
import { TestRelay } from '../../support/relay.ts';
import { startProcess } from '../../support/relay-child.ts';
import { readBlob, storedFiles, TestBlob, uploadBlob } from '../../support/test-blob.ts';

const MEBIBYTE = 1024 * 1024;
const relay = new TestRelay({
  metrics: { port: 0 },
  limits: { rates: ROOMY_RATES, accountBlobBytes: MEBIBYTE, storedBlobBytes: 20 * MEBIBYTE },
});
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

const begin = ({ token }: Person, { params, size }: TestBlob) =>
  relay.request('beginBlob', { token, params, body: { size } });

test('simultaneous uploads do not exceed the room together', async () => {
  const person = await newPerson(relay);
  const blobs = Array.from({ length: 40 }, () => new TestBlob(100_000));
  const answers = await Promise.all(blobs.map((blob) => begin(person, blob)));
  const begun = answers.filter(({ status }) => status === 201).length;
  expect(begun).toBe(Math.floor(MEBIBYTE / (blobs[0]?.size ?? 1)));
  expect(answers.filter(({ status }) => status === 507)).toHaveLength(40 - begun);
});

test('a stranger’s thousand uploads get room for a few, and displace no others', async () => {
  const stranger = await newPerson(relay);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => begin(stranger, SMALL())));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses).toEqual(
    new Map([
      [201, 16],
      [507, 984],
    ]),
  );
  expect((await begin(ann, new TestBlob())).status).toBe(201);
});

/** A blob of the smallest size, with any contents. */
const SMALL_SIZE = new TestBlob(0).size;
function SMALL(): TestBlob {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
  return Object.assign(Object.create(TestBlob.prototype), { id, bytes: { length: SMALL_SIZE } }) as TestBlob;
}

test('a deleted blob frees room only with its bytes, so that deleting cannot fill the disk', async () => {
  const person = await newPerson(relay);
  const { token } = person;
  const blob = await uploadBlob(relay, token, new TestBlob(900_000));
  await relay.call('deleteBlob', { token, params: blob.params });
  expect((await begin(person, new TestBlob(900_000))).status).toBe(507);
});

/** Number of parts and blobs in transit. */
async function transfers(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${relay.running.metricsPort}/metrics`);
  return Number(/^waxwing_blob_transfers (\d+)$/m.exec(await answer.text())?.[1]);
}

/** A connection that begins to upload a part of that many bytes. */
async function slowUpload({ token, relay }: Person, blob: TestBlob, first: Uint8Array) {
  const socket = connect(relay.running.port, '127.0.0.1');
  const closed = closing(socket);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  await once(socket, 'connect');
  socket.write(
    [
      `PUT /api/v1/blobs/${blob.id}/parts/0 HTTP/1.1`,
      `Host: ${relay.domain}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/octet-stream',
      `Content-Digest: ${contentDigest(sha256(blob.bytes))}`,
      `Content-Length: ${blob.size}`,
      '',
      '',
    ].join('\r\n'),
  );
  socket.write(first);
  return { socket, closed, received: () => received };
}

test('a slow part and one with a disconnected sender are cut off without remains', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES, blobPartTimeout: 1_000 } }).start();
  const person = await newPerson(own);
  const blob = new TestBlob(200_000);
  const { token } = person;
  await own.call('beginBlob', { token, params: blob.params, body: { size: blob.size } });
  const slow = await slowUpload(person, blob, blob.bytes.subarray(0, 1_000));
  const hasty = await slowUpload(person, blob, blob.bytes.subarray(0, 100_000));
  hasty.socket.destroy();
  await slow.closed;
  expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => storedFiles(own)).toEqual([]);
});

test('an account has eight transfers at a time, and does not block others', async () => {
  const person = await newPerson(relay);
  const blob = new TestBlob(200_000);
  await begin(person, blob);
  const slow = await Promise.all(
    Array.from({ length: 8 }, () => slowUpload(person, blob, blob.bytes.subarray(0, 10))),
  );
  /** 400 because of its wrong bytes; 429 if they are not checked. */
  const another = async () => {
    const wrong = { ...blob.part(0), octets: Buffer.alloc(blob.size, 0xff) };
    return (await relay.request('putBlobPart', { token: person.token, ...wrong })).status;
  };
  await expect.poll(transfers).toBe(8);
  expect(await another()).toBe(429);
  await uploadBlob(relay, ann.token, new TestBlob(1_000));
  for (const { socket } of slow) socket.destroy();
  await expect.poll(transfers).toBe(0);
  expect(await another()).toBe(400);
});

test('slow uploads of many accounts do not block the files of others', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  const other = await newPerson(own);
  const slow: Socket[] = [];
  for (let accounts = 0; accounts < 32; accounts++) {
    const person = await newPerson(own);
    const blob = new TestBlob(1_000);
    await own.call('beginBlob', { token: person.token, params: blob.params, body: { size: blob.size } });
    for (let uploads = 0; uploads < 8; uploads++) {
      slow.push((await slowUpload(person, blob, blob.bytes.subarray(0, 10))).socket);
    }
  }
  await expect.poll(() => storedFiles(own)).toHaveLength(256);
  await uploadBlob(own, other.token, new TestBlob(1_000));
  for (const socket of slow) socket.destroy();
});

test('a reader who disconnects, or never reads, does not delay others', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES, stalledTimeout: 31_000 } }).start();
  const { token } = await newPerson(own);
  const blob = await uploadBlob(own, token, new TestBlob(2 * PART_BYTES));
  for (let round = 0; round < 20; round++) {
    const abort = new AbortController();
    const response = await fetch(`${own.url}/api/v1/blobs/${blob.id}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
  }
  await expect.poll(async () => (await readBlob(own, token, blob.id)).bytes.length).toBe(blob.size);
});

test('a storage failure gets 503, and calls work again later', async () => {
  await using own = await new TestRelay().start();
  const { token } = await newPerson(own);
  const blob = new TestBlob();
  await own.call('beginBlob', { token, params: blob.params, body: { size: blob.size } });
  const root = join(own.folder.path, 'blobs');
  rmSync(root, { recursive: true });
  writeFileSync(root, 'in the way');
  await own.refuse('unavailable', 'putBlobPart', { token, ...blob.part(0) });
  const other = new TestBlob();
  await own.refuse('unavailable', 'beginBlob', { token, params: other.params, body: { size: other.size } });
  rmSync(root);
  await uploadBlob(own, token, other);
});

test('lost bytes get 404, and not a truncated answer', async () => {
  await using own = await new TestRelay().start();
  const { token } = await newPerson(own);
  const blob = await uploadBlob(own, token);
  rmSync(join(own.folder.path, 'blobs'), { recursive: true });
  await own.refuse('not_found', 'getBlob', { token, params: blob.params });
});

const KILLS = 3;

test('a kill -9 at any moment loses no finished blob, and leaves no unknown bytes', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  const person = await newPerson(own);
  const { port } = own.running;
  await own.stop();
  const finished: TestBlob[] = [];

  /** Uploads and deletes until the relay is killed. */
  async function lane(index: number): Promise<void> {
    for (let round = 0; ; round++) {
      const blob = await uploadBlob(own, person.token, new TestBlob(3_000 + 90_000 * ((index + round) % 3)));
      if (round % 3 === 2) await own.call('deleteBlob', { token: person.token, params: blob.params });
      else finished.push(blob);
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const child = await startProcess(own.folder.path, String(port));
    await person.renew();
    const before = finished.length;
    const working = Promise.allSettled([0, 1, 2].map(lane));
    await expect.poll(() => finished.length).toBeGreaterThan(before + kill);
    child.kill('SIGKILL');
    await working;
  }

  await own.start();
  await person.renew();
  for (const blob of finished) {
    expect((await readBlob(own, person.token, blob.id)).bytes.equals(blob.bytes)).toBe(true);
  }
  // After all time limits nothing is left: neither finished blobs nor parts interrupted by a kill.
  await own.stop();
  own.ahead = 50 * 24 * 3_600_000;
  await own.start();
  await expect.poll(() => own.rows('SELECT 1 FROM blob')).toEqual([]);
  await own.stop();
  own.ahead += 3_600_000;
  await own.start();
  await expect.poll(() => own.rows('SELECT 1 FROM blob_bytes_to_drop')).toEqual([]);
  expect(storedFiles(own)).toEqual([]);
  const root = join(own.folder.path, 'blobs');
  const folders = readdirSync(root, { recursive: true }).filter((name) => String(name).length > 5);
  expect([existsSync(root), folders]).toEqual([true, []]);
  for (const table of ['blob_part', 'blob_claim', 'blob_usage'])
    expect(await own.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
});
