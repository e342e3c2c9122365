/**
 * Bodies made to keep the relay busy: 16 MiB of JSON keys for a login, the same in many small chunks, and the
 * largest permitted bodies.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { API_PREFIX, bodyLimitOf, ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { WAIT_LIMIT } from '../../support/limits.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

// A busy machine needs longer for these bodies than a relay waits for one.
const relay = new TestRelay({ limits: { rates: ROOMY_RATES, requestTimeout: WAIT_LIMIT } });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

const MEBIBYTE = 1024 * 1024;

/** Opens a connection, writes a beginning, and returns the first answer. */
class Connection {
  readonly #socket: Socket;
  readonly answer: Promise<string>;

  constructor(beginning: string) {
    this.#socket = connect(relay.running.port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.answer = once(this.#socket, 'data').then(([data]) => String(data));
    this.#socket.write(beginning);
  }

  write(bytes: string): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the system has accepted the bytes. */
  writeAll(bytes: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const head = (path: string, ...headers: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${relay.running.port}`,
    'Content-Type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n');

const OPEN_TO_ALL = [
  ['/api/v1/auth/challenge', 413],
  ['/api/v1/auth/session', 413],
  ['/nothing', 404],
] as const;

test('a login that announces 16 MiB of JSON keys is refused before it sends any', async () => {
  for (const [path, status] of OPEN_TO_ALL) {
    using stranger = new Connection(head(path, `Content-Length: ${16 * MEBIBYTE}`));
    expect(await stranger.answer).toContain(`HTTP/1.1 ${status} `);
  }
});

test('a login with endless keys is refused after 4 KiB', async () => {
  for (const [path, status] of OPEN_TO_ALL) {
    using stranger = new Connection(head(path, 'Transfer-Encoding: chunked'));
    const keys = `{${Array.from({ length: 400 }, (_, index) => `"${index}":0`).join()}`.slice(0, 2048);
    const chunk = `${keys.length.toString(16)}\r\n${keys}\r\n`;
    stranger.write(chunk);
    stranger.write(chunk);
    stranger.write('1\r\n,\r\n');
    expect(await stranger.answer).toContain(`HTTP/1.1 ${status} `);
  }
});

test('a body without a credential has 4 KiB and 32 values at most, for every call', () => {
  const open = Object.values(ENDPOINTS).filter((endpoint: Endpoint) => endpoint.access === 'anyone');
  expect(open.length).toBeGreaterThan(2);
  for (const endpoint of open) {
    expect(bodyLimitOf(endpoint, DEFAULT_LIMITS)).toEqual({ bytes: 4096, values: 32 });
  }
});

test('only calls that send envelopes accept more than 160 KiB', () => {
  const large = Object.entries(ENDPOINTS)
    .filter(([, endpoint]) => bodyLimitOf(endpoint, DEFAULT_LIMITS).bytes > 160 * 1024)
    .map(([name]) => name);
  expect(large).toEqual(['sendEnvelopes', 'sendGroupEnvelopes']);
});

test('keys of a large body are counted before parsing', async () => {
  const values = Array.from({ length: 60_000 }, () => 0);
  await relay.refuse('too_large', 'sendEnvelopes', { token: ann.token, body: { envelopes: values } });
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 0]));
  const body = { envelopes: [fields] };
  const { body: problem } = await relay.refuse('invalid_request', 'sendEnvelopes', {
    token: ann.token,
    body,
  });
  expect(problem.detail).toContain('more than 32 fields');
});

test('a body in a million chunks of one byte is read once, and other calls are answered meanwhile', async () => {
  const { token } = ann;
  using slow = new Connection(
    head(`${API_PREFIX}/envelopes`, `Authorization: Bearer ${token}`, 'Transfer-Encoding: chunked'),
  );
  const chunks = '1\r\n \r\n'.repeat(100_000);
  for (let round = 0; round < 10; round++) {
    slow.write(chunks);
    await relay.call('getMe', { token });
  }
  slow.write('0\r\n\r\n');
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('one credential on many connections does not fill the memory: one of five large bodies waits', async () => {
  const eve = await newPerson(relay);
  const headers = [`Authorization: Bearer ${eve.token}`, `Content-Length: ${DEFAULT_LIMITS.bodyBytes}`];
  const almostAll = ' '.repeat(DEFAULT_LIMITS.bodyBytes - 1);
  const slow: Connection[] = [];
  for (let count = 0; count < 4; count++) {
    const connection = new Connection(head(`${API_PREFIX}/envelopes`, ...headers));
    slow.push(connection);
    await connection.writeAll(almostAll);
  }
  using fifth = new Connection(head(`${API_PREFIX}/envelopes`, ...headers));
  fifth.write(almostAll);
  // In either order.
  const refused = await Promise.race([...slow, fifth].map(({ answer }) => answer));
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  // Others have room, and so has the same person after the first ones are done.
  await relay.call('sendEnvelopes', {
    token: ann.token,
    body: ann.seal(eve, eve.device, 'x'.repeat(60_000)),
  });
  for (const connection of slow) connection[Symbol.dispose]();
  const body = eve.seal(ann, ann.device, 'x'.repeat(60_000));
  await expect
    .poll(async () => (await relay.request('sendEnvelopes', { token: eve.token, body })).status)
    .toBeLessThan(300);
});

test('other calls are answered while the largest bodies are read', async () => {
  const ben = await newPerson(relay);
  const copy = ann.seal(ben, ben.device, 'x'.repeat(5_000));
  const bytes = JSON.stringify(copy).length + 1;
  const count = Math.min(DEFAULT_LIMITS.batchEnvelopes, Math.floor((DEFAULT_LIMITS.bodyBytes - 20) / bytes));
  const body = JSON.stringify({ envelopes: Array.from({ length: count }, () => copy) });
  expect(body.length).toBeGreaterThan(3 * MEBIBYTE);
  let sending = true;
  const sends = Promise.all(
    Array.from({ length: 4 }, () => relay.call('sendEnvelopes', { token: ann.token, body })),
  ).finally(() => {
    sending = false;
  });
  let answered = 0;
  while (sending) {
    await relay.call('getMe', { token: ann.token });
    answered++;
  }
  for (const { body: answer } of await sends) expect(answer).toMatchObject({ results: { length: count } });
  expect(answered).toBeGreaterThan(2);
});
