/** Downloads whose readers move to other places, with a relay whose connections fail or stand still. */
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { RelayApi } from '../../../src/client/api.ts';
import { fetchBlob } from '../../../src/client/files/download.ts';
import type { ChunkReaders } from '../../../src/client/files/fetching.ts';
import { RelayHttp } from '../../../src/client/http.ts';
import { sealFile } from '../../../src/client/index.ts';
import { SecretCredential } from '../../../src/client/session.ts';
import { Arrivals } from '../../../src/engine/files/arrivals.ts';
import type { AttachedFile } from '../../../src/protocol/blob/file.ts';
import { SEALED_CHUNK_BYTES } from '../../../src/protocol/blob/layout.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { temporaryFolder } from '../../support/engine.ts';

const [FILE, CHUNKS] = [7, 200];
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

async function seal(name: string): Promise<{ file: AttachedFile; blob: Buffer; target: string }> {
  const source = join(folder.path, `${name}.source`);
  writeFileSync(source, randomBytes(CHUNKS * 65_536));
  const spool = join(folder.path, `${name}.spool`);
  const file = await sealFile(source, spool);
  return { file, blob: readFileSync(spool), target: join(folder.path, `${name}.target`) };
}

type Answer = (from: number, to: number, response: ServerResponse) => void;

/** A relay with one blob. */
async function relayWith(blob: Buffer, answer: Answer): Promise<AsyncDisposable & { api: RelayApi }> {
  const server = createServer(({ headers }: IncomingMessage, response) => {
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const [from, to] = [Number(first), last === '' ? blob.length : Number(last) + 1];
    const isPart = headers.range !== undefined;
    response.statusCode = isPart ? 206 : 200;
    response.setHeader('content-type', 'application/octet-stream');
    if (isPart) response.setHeader('content-range', `bytes ${from}-${to - 1}/${blob.length}`);
    answer(from, to, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = new RelayHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    api: new RelayApi(http, new SecretCredential('secret')),
    async [Symbol.asyncDispose]() {
      http.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a download continues after each single failure, if readers move between the failures', async () => {
  const { file, blob, target } = await seal('failing');
  let requests = 0;
  await using relay = await relayWith(blob, (from, to, response) => {
    requests++;
    if (requests % 2 === 1) response.destroy();
    else response.end(blob.subarray(from, to));
  });
  const written = new Set<number>();
  // Always far from the chunks that are written.
  const readers: ChunkReaders = {
    restart: () => written.clear(),
    add: (chunk) => void written.add(chunk),
    wanted: () => [180, 150, 120, 90, 60, 30].find((chunk) => !written.has(chunk)) ?? null,
    onWait: () => ({ [Symbol.dispose]: () => undefined }),
  };
  await fetchBlob(relay.api, file, target, { readers });
  expect(readFileSync(target).equals(blob)).toBe(true);
  expect(requests).toBeGreaterThan(12);
});

test('a reader ends an idle connection if it waits for another place', async () => {
  // Without timers no silent connection ends for its silence.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { file, blob, target } = await seal('still');
  const [stands, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  let requests = 0;
  await using relay = await relayWith(blob, (from, to, response) => {
    requests++;
    if (requests === 1) response.write(blob.subarray(0, 10 * SEALED_CHUNK_BYTES));
    else {
      if (requests === 2) moved.resolve(from);
      response.end(blob.subarray(from, to));
    }
  });
  const arrivals = new Arrivals();
  const readers = arrivals.readersOf(FILE);
  const add = (chunk: number) => {
    readers.add(chunk);
    if (chunk === 9) stands.resolve();
  };
  const download = fetchBlob(relay.api, file, target, { readers: { ...readers, add } });
  await stands.promise;
  // The download has looked for readers after its last bytes.
  await setImmediate();
  const reading = arrivals.until(FILE, 100);
  expect(await moved.promise).toBe(100 * SEALED_CHUNK_BYTES);
  await reading;
  await download;
  expect(readFileSync(target).equals(blob)).toBe(true);
  expect(requests).toBe(3);
});

test('an aborted download does not verify the rest of its written chunks', async () => {
  const { file, blob, target } = await seal('aborted');
  const partial = `${target}.partial`;
  writeFileSync(partial, blob);
  truncateSync(partial, 150 * SEALED_CHUNK_BYTES);
  await using relay = await relayWith(blob, (_from, _to, response) => void response.destroy());
  const abort = new AbortController();
  const readers = new Arrivals().readersOf(FILE);
  let verified = 0;
  const add = () => {
    verified++;
    abort.abort();
  };
  const download = fetchBlob(relay.api, file, target, { signal: abort.signal, readers: { ...readers, add } });
  await expect(download).rejects.toMatchObject({ name: 'AbortError' });
  expect(verified).toBe(1);
  expect(statSync(partial).size).toBe(150 * SEALED_CHUNK_BYTES);
});
