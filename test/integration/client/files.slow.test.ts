/**
 * Files by the library: sealed once, uploaded from the disk, downloaded, and accepted only when verified against the
 * sender's digest. With honest relays, broken connections, and relays that lie.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayClient, sealFile } from '../../../src/client/index.ts';
import type { AttachedFile } from '../../../src/protocol/blob/file.ts';
import { blobKeys } from '../../../src/protocol/blob/keys.ts';
import { blobLayout, PART_BYTES } from '../../../src/protocol/blob/layout.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { apiKeyOf, newPerson } from '../../support/person.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const MEBIBYTE = 1024 * 1024;
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
const folder = temporaryFolder();
let secret = '';
beforeAll(async () => {
  await relay.start();
  secret = await apiKeyOf(await newPerson(relay), { entitlements: ['blobs'] });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let made = 0;
/** A path in the folder of the tests, without a file. */
const newPath = () => join(folder.path, `file-${++made}`);

interface Sealed {
  bytes: Buffer;
  file: AttachedFile;
  spool: string;
}

async function seal(size: number): Promise<Sealed> {
  const source = newPath();
  const bytes = Buffer.from(randomBytes(size));
  writeFileSync(source, bytes);
  const spool = newPath();
  return { bytes, spool, file: await sealFile(source, spool) };
}

const clientAt = (url: string) => new RelayClient({ relay: url, secret });

test.each([0, 1, 4_096, 65_536, 65_537, 300_000, PART_BYTES, 2 * PART_BYTES + 12_345])(
  'a file of %i bytes arrives unchanged',
  async (size) => {
    const { bytes, file, spool } = await seal(size);
    const client = clientAt(relay.url);
    const progress: number[] = [];
    await client.uploadFile(file, spool, { onProgress: (done) => progress.push(done) });
    expect(progress.at(-1)).toBe(statSync(spool).size);
    const target = newPath();
    await client.fetchFile(file, target);
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(statSync(spool).mode & 0o777).toBe(0o600);
  },
);

test('the name in a message is one line without folders, and the sealed file does not reveal its content', async () => {
  const source = newPath();
  writeFileSync(source, 'the words of the file '.repeat(1_000));
  const spool = newPath();
  const file = await sealFile(source, spool, { name: '../..\\secret\nname.txt', mediaType: 'text/plain' });
  expect(file).toMatchObject({ name: 'secret name.txt', mediaType: 'text/plain', size: 22_000 });
  expect(readFileSync(spool).includes('words')).toBe(false);
  const long = await sealFile(source, newPath(), { name: `${'é'.repeat(300)}.png` });
  expect(Buffer.byteLength(long.name)).toBeLessThanOrEqual(255);
  // An existing spool belongs to another file and is not overwritten.
  await expect(sealFile(source, spool)).rejects.toMatchObject({ code: 'EEXIST' });
});

test('an upload continues with the missing parts after each broken connection and each restart', async () => {
  const { bytes, file, spool } = await seal(3 * PART_BYTES);
  await using proxy = await new CuttingProxy().start();
  proxy.target = relay.url;
  const uploads: string[] = [];
  let cut = 0;
  proxy.cuts = ({ method, path, stage }) => {
    if (!path.includes('/parts/')) return false;
    if (stage === 'after' && method === 'PUT') uploads.push(path.split('/').at(-1) ?? '');
    // Cuts at every third stage of a call, before or after the relay has received the part.
    return ++cut % 3 === 0;
  };
  await clientAt(proxy.url).uploadFile(file, spool);
  expect(cut).toBeGreaterThan(4);
  uploads.length = 0;
  await clientAt(proxy.url).uploadFile(file, spool);
  expect(uploads).toEqual([]);

  // A download continues at the chunk where it was cut.
  const ranges: (string | undefined)[] = [];
  await using hasty = await serverOf(async (request, response) => {
    ranges.push(request.headers.range);
    const { range } = request.headers;
    const answer = await fetch(relay.url + request.url, {
      headers: { authorization: request.headers.authorization ?? '', ...(range && { range }) },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    const half = body.subarray(0, 6 * MEBIBYTE);
    if (half.length === body.length) return response.end(body);
    response.write(half, () => response.destroy());
    return undefined;
  });
  const target = newPath();
  await clientAt(hasty.url).fetchFile(file, target);
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect(ranges.length).toBeGreaterThan(3);
  expect(ranges[0]).toBeUndefined();
  for (const range of ranges.slice(1)) {
    expect(Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]) % 65_552).toBe(0);
  }
});

test('a changed spool is not sent: the file must be sealed again', async () => {
  const { file, spool } = await seal(200_000);
  const bytes = readFileSync(spool);
  bytes[100_000] = (bytes[100_000] ?? 0) ^ 1;
  for (const wrong of [bytes, bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)]) {
    writeFileSync(spool, wrong);
    await expect(clientAt(relay.url).uploadFile(file, spool)).rejects.toMatchObject({
      code: 'file_spool_changed',
    });
  }
});

test('a file too large for the relay is reported before a byte is sent', async () => {
  await using small = await new TestRelay({ limits: { blobBytes: 100_000 } }).start();
  const key = await apiKeyOf(await newPerson(small), { entitlements: ['blobs'] });
  const { file, spool } = await seal(200_000);
  const client = new RelayClient({ relay: small.url, secret: key });
  await expect(client.uploadFile(file, spool)).rejects.toMatchObject({ code: 'file_too_long' });
});

test('a file that the relay deleted is not found, and the caller can abort a transfer', async () => {
  const { file, spool } = await seal(100);
  const client = clientAt(relay.url);
  await expect(client.fetchFile(file, newPath())).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.uploadFile(file, spool, { signal: AbortSignal.abort() })).rejects.toThrow();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function serverOf(answer: Answer): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Fetches from a relay with this answer. @returns the code of the failure, and the remaining files in the folder */
async function fetchFrom(file: AttachedFile, answer: Answer): Promise<{ code: string; calls: number }> {
  let calls = 0;
  await using liar = await serverOf((request, response) => {
    calls++;
    return answer(request, response);
  });
  const target = newPath();
  const before = readdirSync(folder.path).length;
  const failure = await clientAt(liar.url)
    .fetchFile(file, target)
    .catch((error: unknown) => error);
  expect(readdirSync(folder.path), 'nothing is left').toHaveLength(before);
  return { code: (failure as { code: string }).code, calls };
}

test('other bytes, another blob, more, fewer or an unrequested range are refused', async () => {
  const { file, spool } = await seal(200_000);
  const blob = readFileSync(spool);
  const other = readFileSync((await seal(200_000)).spool);
  const flipped = Buffer.from(blob);
  flipped[150_000] = (flipped[150_000] ?? 0) ^ 1;
  const swapped = Buffer.concat([
    blob.subarray(65_552, 131_104),
    blob.subarray(0, 65_552),
    blob.subarray(131_104),
  ]);
  const give = (body: Buffer, headers: Record<string, string> = {}) =>
    fetchFrom(file, (_, response) => {
      response.writeHead(200, headers);
      response.end(body);
    });
  for (const body of [flipped, swapped, other, blob.subarray(0, -1), Buffer.concat([blob, Buffer.of(0)])]) {
    expect(await give(body, { 'content-length': String(body.length) })).toEqual({
      code: 'file_not_as_sent',
      calls: 2,
    });
  }
  // Without a Content-Length that could be checked first.
  for (const body of [flipped, other, Buffer.concat([blob, blob])]) {
    expect((await give(body)).code).toBe('file_not_as_sent');
  }
  expect((await give(gzipSync(blob), { 'content-encoding': 'gzip' })).code).toBe('relay_answer_compressed');
  const ranged = await fetchFrom(file, (_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-9/10' });
    response.end(blob.subarray(0, 10));
  });
  expect(ranged.code).toBe('relay_wrong_answer');
});

test('a file with another digest, size or padding than in its message is not returned', async () => {
  const { file, spool } = await seal(200_000);
  const client = clientAt(relay.url);
  await client.uploadFile(file, spool);
  const digest = Buffer.from(randomBytes(32)).toString('base64url');
  // The same layout, and one byte less: the next byte is not zero.
  for (const claim of [{ digest }, { size: 199_999 }, { size: 200_001 }]) {
    const wrong = { ...file, ...claim };
    if (claim.size !== undefined) expect(blobLayout(claim.size).length).toBe(blobLayout(file.size).length);
    const target = newPath();
    const fetching = client.fetchFile(wrong, target);
    if (claim.size === 200_001) await fetching;
    else await expect(fetching).rejects.toMatchObject({ code: 'file_not_as_sent' });
  }
});

test('an endless body is read up to the length of the file', async () => {
  const { file } = await seal(1_000);
  let sent = 0;
  const { code } = await fetchFrom(file, (_, response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024, 7);
    const more = () => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  expect(code).toBe('file_not_as_sent');
  expect(sent).toBeLessThan(64 * MEBIBYTE);
});

test('a relay that reports missing parts at the end is called a few times, not endlessly', async () => {
  const { file, spool } = await seal(1_000);
  const { id } = blobKeys(decodeBase64Url(file.key));
  let calls = 0;
  await using proxy = await serverOf(async (request, response) => {
    const path = request.url ?? '';
    if (path === `/api/v1/blobs/${id}/complete`) {
      calls++;
      response.writeHead(409, { 'content-type': 'application/problem+json' });
      const problem = {
        type: 'x',
        title: 'x',
        status: 409,
        code: 'blob_incomplete',
        reason: 'blob_incomplete',
      };
      return response.end(JSON.stringify({ ...problem, detail: 'x', requestId: 'x' }));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type, 'content-digest': digest } = request.headers;
    const answer = await fetch(relay.url + path, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        ...(type && { 'content-type': type }),
        ...(digest && { 'content-digest': String(digest) }),
      },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await expect(clientAt(proxy.url).uploadFile(file, spool)).rejects.toMatchObject({
    code: 'blob_incomplete',
  });
  expect(calls).toBe(3);
});

test('a file of 100 MB passes program and relay without being buffered in memory', async () => {
  const process = new URL('../../support/transfer-process.ts', import.meta.url).pathname;
  using own = temporaryFolder();
  const args = [process, own.path, String(100 * MEBIBYTE)];
  const { stdout } = await promisify(execFile)(globalThis.process.execPath, args);
  const { grown } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { grown: number };
  expect(grown).toBeLessThan(80 * MEBIBYTE);
  expect(readFileSync(join(own.path, 'large')).equals(readFileSync(join(own.path, 'large.fetched')))).toBe(
    true,
  );
});
