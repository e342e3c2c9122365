/**
 * No unowned bytes stay on the disk: unrecorded ones are deleted, and a sweep finds the remains of a crash.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentDigest } from '../../../src/protocol/blob/digest.ts';
import { sha256 } from '../../../src/protocol/crypto.ts';
import { openDirectory } from '../../../src/relay/blobs/directory.ts';
import type { KnownBytes } from '../../../src/relay/store/blob-records.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { closing } from '../../support/raw-socket.ts';
import { TestRelay } from '../../support/relay.ts';
import { readBlob, storedFiles, TestBlob } from '../../support/test-blob.ts';
import { DAY, leave } from './blob-leftovers.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });

beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

/** Uploads of one part, each complete except for the last byte. */
async function heldUploads(token: string, blob: TestBlob, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(relay.running.port, '127.0.0.1');
      const closed = closing(socket);
      let received = '';
      socket.on('data', (data) => {
        received += data.toString('latin1');
      });
      await once(socket, 'connect');
      const head = [
        `PUT /api/v1/blobs/${blob.id}/parts/0 HTTP/1.1`,
        `Host: ${relay.domain}`,
        `Authorization: Bearer ${token}`,
        'Connection: close',
        'Content-Type: application/octet-stream',
        `Content-Digest: ${contentDigest(sha256(blob.bytes))}`,
        `Content-Length: ${blob.size}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(blob.bytes.subarray(0, -1));
      return async () => {
        socket.write(blob.bytes.subarray(-1));
        await closed;
        return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
      };
    }),
  );
}

/** The files of incomplete and complete parts. */
const files = (known: readonly string[]) => storedFiles(relay).filter((name) => !known.includes(name));

test('a part whose session ended in transit leaves no bytes', async () => {
  const before = storedFiles(relay);
  const person = await newPerson(relay);
  const blob = new TestBlob(50_000);
  const { params, size } = blob;
  await relay.call('beginBlob', { token: person.token, params, body: { size } });
  const uploads = await heldUploads(person.token, blob, 3);
  await expect.poll(() => files(before).length).toBe(3);
  await relay.call('deleteSession', { token: person.token });
  const statuses = [];
  for (const finish of uploads) statuses.push(await finish());
  expect(statuses).toEqual([401, 401, 401]);
  expect(files(before)).toEqual([]);
});

test('one of eight simultaneous copies of a part is kept, and all calls succeed', async () => {
  const before = storedFiles(relay);
  const { token } = await newPerson(relay);
  const blob = new TestBlob(50_000);
  const { params, size } = blob;
  await relay.call('beginBlob', { token, params, body: { size } });
  const uploads = await heldUploads(token, blob, 8);
  await expect.poll(() => files(before).length).toBe(8);
  expect(await Promise.all(uploads.map((finish) => finish()))).toEqual(new Array(8).fill(204));
  expect(files(before)).toHaveLength(1);
  await relay.call('completeBlob', { token, params });
  expect((await readBlob(relay, token, blob.id)).bytes.equals(blob.bytes)).toBe(true);
});

test('a part completed after its upload was deleted leaves no bytes', async () => {
  const before = storedFiles(relay);
  const { token } = await newPerson(relay);
  const blob = new TestBlob(50_000);
  const { params, size } = blob;
  await relay.call('beginBlob', { token, params, body: { size } });
  const [finish] = await heldUploads(token, blob, 1);
  await expect.poll(() => files(before).length).toBe(1);
  await relay.call('deleteBlob', { token, params });
  expect(await finish?.()).toBe(404);
  expect(files(before)).toEqual([]);
});

test('a sweep removes nothing from a folder that is unknown to the database', async () => {
  using folder = temporaryFolder();
  const path = leave(join(folder.path, 'ab', 'cd', `abcd${'0'.repeat(28)}`, '0-1'), 2 * DAY);
  const bytes = await openDirectory(folder.path);
  const sweep = (known: KnownBytes[]) =>
    bytes.sweep({ findKnown: async () => known, before: Date.now(), mayContinue: () => true });
  await sweep([]);
  await sweep([{ object: `abcd${'1'.repeat(28)}`, tag: '0-1', isToDrop: false }]);
  expect(existsSync(path)).toBe(true);
});
