/** Both stores of blob bytes behave the same: a directory, and a bucket at an S3 server that others wrote. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PART_BYTES } from '../../../src/protocol/blob/layout.ts';
import { sha256 } from '../../../src/protocol/crypto.ts';
import { openBucket } from '../../../src/relay/blobs/bucket.ts';
import { type BlobBytes, BytesMissing, BytesUnavailable } from '../../../src/relay/blobs/bytes.ts';
import { openDirectory } from '../../../src/relay/blobs/directory.ts';
import { readBlobPlace } from '../../../src/relay/blobs/place.ts';
import { TestBucket } from '../../support/bucket.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { readBlob, TestBlob, uploadBlob } from '../../support/test-blob.ts';

const never = new AbortController().signal;
const newObject = () => randomBytes(16).toString('hex');

const bucket = new TestBucket();
const folder = temporaryFolder();
beforeAll(() => bucket.start());
afterAll(async () => {
  await bucket[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function put(
  bytes: BlobBytes,
  object: string,
  upload: string,
  part: number,
  body: Buffer,
): Promise<string> {
  const { length } = body;
  const digest = sha256(body);
  return bytes.putPart({ object, upload, part, length, digest, body: pieces(body), signal: never });
}

describe.each([
  ['a directory', () => openDirectory(folder.path)],
  ['a bucket', () => openBucket(bucket.place.bucket)],
])('%s', (_, openBytes) => {
  let bytes: BlobBytes;
  beforeAll(async () => {
    bytes = await openBytes();
  });
  afterAll(() => bytes.close());

  const parts = [randomBytes(PART_BYTES), randomBytes(PART_BYTES), randomBytes(100_000)];
  const whole = Buffer.concat(parts);

  async function store(): Promise<{ object: string; upload: string; size: number; tags: string[] }> {
    const object = newObject();
    const upload = await bytes.begin(object);
    const tags = await Promise.all(parts.map((part, index) => put(bytes, object, upload, index, part)));
    return { object, upload, size: whole.length, tags };
  }

  test('returns stored bytes, as a whole and in ranges across parts', async () => {
    const blob = await store();
    await bytes.complete(blob);
    await bytes.complete(blob);
    const read = async (offset: number, length: number) =>
      (await buffer(await bytes.read(blob, { offset, length }, never))).equals(
        whole.subarray(offset, offset + length),
      );
    expect(await read(0, whole.length)).toBe(true);
    // The test's server reads a range that ends at 0 as one without an end.
    expect(await read(0, 2)).toBe(true);
    expect(await read(PART_BYTES - 5, 10)).toBe(true);
    expect(await read(PART_BYTES - 5, PART_BYTES + 10)).toBe(true);
    expect(await read(whole.length - 3, 3)).toBe(true);
    await bytes.drop(blob.object, blob.upload);
  });

  test('a repeated part is identified by its tag', async () => {
    const object = newObject();
    const upload = await bytes.begin(object);
    const [first, second] = [randomBytes(5_000), randomBytes(5_000)];
    const [tag] = await Promise.all([put(bytes, object, upload, 0, first)]);
    const blob = { object, upload, size: 5_000, tags: [tag] };
    await bytes.complete(blob);
    expect((await buffer(await bytes.read(blob, { offset: 0, length: 5_000 }, never))).equals(first)).toBe(
      true,
    );
    expect(second.equals(first)).toBe(false);
  });

  test('a failing body fails the part with its own failure', async () => {
    const object = newObject();
    const upload = await bytes.begin(object);
    const failure = new Error('the caller hung up');
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(100_000);
      throw failure;
    }
    const part = {
      object,
      upload,
      part: 0,
      length: 200_000,
      digest: sha256(new Uint8Array()),
      signal: never,
    };
    await expect(bytes.putPart({ ...part, body: broken() })).rejects.toBe(failure);
  });

  test('a dropped or unknown blob is missing; dropping it again does nothing', async () => {
    const blob = await store();
    await bytes.complete(blob);
    await bytes.drop(blob.object, blob.upload);
    await bytes.drop(blob.object, blob.upload);
    await bytes.drop(newObject(), null);
    await expect(bytes.read(blob, { offset: 0, length: 10 }, never)).rejects.toThrow(BytesMissing);
  });

  test('an unfinished upload can be dropped', async () => {
    const blob = await store();
    await bytes.drop(blob.object, blob.upload);
    await expect(bytes.read(blob, { offset: 0, length: 10 }, never)).rejects.toThrow(BytesMissing);
  });
});

test('a silent or missing bucket, or wrong credentials, are reported at the start', async () => {
  const { bucket: known } = bucket.place;
  for (const wrong of [
    { endpoint: 'http://127.0.0.1:1' },
    { name: 'another-bucket' },
    { accessKeyId: 'somebody' },
    { secretAccessKey: 'guessed' },
  ]) {
    await expect(openBucket({ ...known, ...wrong })).rejects.toThrow(BytesUnavailable);
  }
  await using relay = new TestRelay({ blobs: { bucket: { ...known, name: 'another-bucket' } } });
  await expect(relay.start()).rejects.toThrow(
    `Files cannot be stored in the bucket another-bucket at ${known.endpoint}: NoSuchBucket. Check the endpoint`,
  );
});

test('a file in the place of the folder is reported at the start', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'blobs');
  writeFileSync(file, '');
  await using relay = new TestRelay({ blobs: { folder: file } });
  await expect(relay.start()).rejects.toThrow(
    `Files cannot be stored in ${file}: it is a file. Choose another`,
  );
});

const DIRECTORY = new URL('../../../src/relay/blobs/directory.ts', import.meta.url).href;
/** Opens a folder as Debian's `nobody`, whose first act after loading is to give up root. */
const AS_NOBODY = `
  const { openDirectory } = await import(${JSON.stringify(DIRECTORY)});
  process.setuid(65534);
  await openDirectory(process.argv[1]).then(() => console.log('opened'), ({ code }) => console.log(code));
`;

test.runIf(process.getuid?.() === 0)('an existing folder of another account is refused at the start', () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const args = ['--input-type=module', '--eval', AS_NOBODY, folder.path];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('EACCES\n');
});

test('a relay on a bucket stores, returns and drops blobs, and answers 503 while the bucket is unreachable', async () => {
  await using own = await new TestBucket().start();
  await using relay = await new TestRelay({ limits: { rates: ROOMY_RATES }, blobs: own.place }).start();
  const person = await newPerson(relay);
  const blob = await uploadBlob(relay, person.token, new TestBlob(PART_BYTES + 50_000));
  expect((await readBlob(relay, person.token, blob.id)).bytes.equals(blob.bytes)).toBe(true);
  const range = { range: `bytes=${PART_BYTES - 5}-${PART_BYTES + 4}` };
  const part = await readBlob(relay, person.token, blob.id, range);
  expect([part.status, part.bytes.equals(blob.bytes.subarray(PART_BYTES - 5, PART_BYTES + 5))]).toEqual([
    206,
    true,
  ]);
  expect(own.files().join()).not.toContain(blob.id);

  await relay.call('deleteBlob', { token: person.token, params: blob.params });
  await relay.stop();
  relay.ahead += 20 * 60_000;
  await relay.start();
  await expect.poll(() => own.files().filter((name) => /^[0-9a-f]{32}/.test(name))).toEqual([]);

  await person.renew();
  const other = new TestBlob();
  await own.stop();
  const { params, size } = other;
  await relay.refuse('unavailable', 'beginBlob', { token: person.token, params, body: { size } });
});

test('a place is a folder or a bucket, with its credentials in the environment', () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(readBlobPlace('/var/lib/blobs', {})).toEqual({ folder: '/var/lib/blobs' });
  expect(readBlobPlace('s3://bucket-1/some/prefix-?endpoint=https://s3.example&region=eu-1', env)).toEqual({
    bucket: {
      endpoint: 'https://s3.example',
      region: 'eu-1',
      name: 'bucket-1',
      prefix: 'some/prefix-',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: null,
    },
  });
  expect(readBlobPlace('s3://bucket', { ...env, AWS_SESSION_TOKEN: 'token' })).toMatchObject({
    bucket: { endpoint: 'https://s3.us-east-1.amazonaws.com', prefix: '', sessionToken: 'token' },
  });
  for (const wrong of [
    's3://',
    's3://B',
    's3://bucket?key=x',
    's3://user@bucket',
    's3://bucket/a b',
    's3://bucket?endpoint=ftp://x',
  ]) {
    expect(() => readBlobPlace(wrong, env), wrong).toThrow('neither a folder nor a bucket');
  }
  expect(() => readBlobPlace('s3://bucket', {})).toThrow('AWS_ACCESS_KEY_ID');
});
