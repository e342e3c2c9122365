import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROBLEM_MEDIA_TYPE } from '../../../src/protocol/problems.ts';
import { apiKeyOf, newPerson, Person } from '../../support/person.ts';
import { closing } from '../../support/raw-socket.ts';
import { expectAsDocumented, expectProblem, TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const relay = new TestRelay({
  name: 'Test <relay>',
  hosts: ['a'],
  limits: { requestTimeout: 2_000, headersTimeout: 1_500, bodyBytes: 20_000 },
});
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

const CHALLENGE = '/api/v1/auth/challenge';

/** Sends raw bytes and reads until the relay closes the connection. */
async function raw(bytes: string | Buffer, to = relay): Promise<string> {
  const socket = connect(to.running.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

async function post(body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<Response> {
  const headers = { 'content-type': type };
  const response = await fetch(relay.url + CHALLENGE, { method: 'POST', headers, body });
  await expectAsDocumented('POST', CHALLENGE, response.clone());
  return response;
}

test('anyone can request the description, as JSON or as a page', async () => {
  const info = { name: 'Test <relay>', apiVersion: '1', registration: 'open' };
  expect((await relay.call('getRelay')).body).toEqual(info);
  const json = await fetch(`${relay.url}/`, { headers: { accept: 'application/json' } });
  expect(await json.json()).toEqual(info);
  const page = await fetch(`${relay.url}/`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<h1>Test &#60;relay&#62;</h1>');
});

test('health and readiness', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await fetch(relay.url + path)).status).toBe(200);
});

test('answers are not for other origins, caches or sniffers', async () => {
  const response = await fetch(`${relay.url}/api/v1`, { headers: { origin: 'https://elsewhere.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test.each([
  ['an empty body', '', 'The body is missing; it must be an object.'],
  ['a list', '[]', 'The body must be an object.'],
  ['a missing field', '{}', 'address: is missing; it must be a text.'],
])('%s is refused with its place', async (_name, body, fault) => {
  const { detail } = (await expectProblem(await post(body), 'invalid_request')).body;
  expect(detail).toBe(`The request is not well formed. ${fault}`);
});

test('a refused credential is explained, and so is one that can never do this', async () => {
  const person = await newPerson(relay);
  const wrong = await relay.refuse('unauthorized', 'getMe', { token: `sk_live_${'a'.repeat(43)}` });
  expect(wrong.body.detail).toContain('wrong, expired, revoked or locked. Send a valid one');
  const token = await apiKeyOf(person);
  const { body } = await relay.refuse('missing_entitlement', 'listApiKeys', { token });
  expect(body.detail).toBe(
    'This call needs the entitlement account:manage, which this credential lacks. Only a session has it: log in.',
  );
});

test('an unknown path is answered 404, and an unsupported method 405 with the supported ones', async () => {
  await expectProblem(await relay.fetch('/api/v1/nothing'), 'not_found');
  await expectProblem(await relay.fetch('/api/v2/me'), 'not_found');
  const { headers } = await expectProblem(await relay.fetch('/api/v1/auth/session'), 'method_not_allowed');
  expect(headers.get('allow')).toBe('POST, DELETE');
  await expectProblem(await relay.fetch('/api/v1/handles/kim', { method: 'PUT' }), 'method_not_allowed');
  // A parameter may be empty: the path exists for the method that would refuse it.
  await expectProblem(await relay.fetch('/api/v1/handles/', { method: 'POST' }), 'method_not_allowed');
  await expectProblem(await relay.fetch(`/api/v1/handles/${'a'.repeat(300)}`), 'not_found');
  await expectProblem(await relay.fetch('/api/v1/handles/%zz'), 'invalid_request');
});

test('a body must be JSON in UTF-8, with that content type', async () => {
  const { address } = new Person(relay);
  const good = JSON.stringify({ address });
  expect((await post(good, 'application/json; charset=utf-8')).status).toBe(200);
  await expectProblem(await post(good, 'text/plain'), 'unsupported_media_type');
  await expectProblem(await post(good, 'application/x-www-form-urlencoded'), 'unsupported_media_type');
  await expectProblem(await post('{"address":'), 'invalid_request');
  await expectProblem(await post(''), 'invalid_request');
  await expectProblem(await post('['.repeat(4_000)), 'invalid_request');
  await expectProblem(await post(`{"address":"${address}","__proto__":{}}`), 'invalid_request');
  await expectProblem(await post(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'invalid_request');
  await expectProblem(await post(JSON.stringify({ address, note: 'x'.repeat(30_000) })), 'too_large');
});

test('a compressed body is refused with the name of its header, and an uncompressed one is read', async () => {
  const { address } = new Person(relay);
  const body = JSON.stringify({ address });
  const send = async (coding: string, bytes: Uint8Array<ArrayBuffer> | string) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const response = await fetch(relay.url + CHALLENGE, { method: 'POST', headers, body: bytes });
    await expectAsDocumented('POST', CHALLENGE, response.clone());
    return response;
  };
  for (const coding of ['gzip', 'br', 'identity, gzip', '']) {
    const response = await send(coding, Uint8Array.from(gzipSync(body)));
    expect(response.headers.get('accept-encoding')).toBe('identity');
    const problem = await expectProblem(response, 'unsupported_media_type');
    expect(problem.body).toMatchObject({
      reason: 'content_encoding',
      detail: expect.stringContaining('Content-Encoding'),
    });
  }
  expect((await send('Identity', body)).status).toBe(200);
  const headers = { 'content-encoding': 'gzip' };
  await expectProblem(
    await relay.fetch('/api/v1/nothing', { method: 'POST', headers, body: 'x' }),
    'not_found',
  );
});

test('HEAD requests the page, health and readiness without their bodies', async () => {
  for (const path of ['/', '/healthz', '/readyz']) {
    const response = await fetch(relay.url + path, { method: 'HEAD' });
    expect([response.status, await response.text()], path).toEqual([200, '']);
  }
});

test('a call without a body refuses one', async () => {
  const { token } = await new Person(relay).login();
  await relay.refuse('invalid_request', 'deleteSession', { token, body: { all: true } });
});

test('two Host headers are refused', async () => {
  const answer = await raw('GET /api/v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 4(00|21) /);
  expect(answer).toContain(PROBLEM_MEDIA_TYPE);
});

test('invalid HTTP, or endless headers, get a problem', async () => {
  const garbage = await raw('this is not HTTP\r\n\r\n');
  expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
  expect(garbage).toContain('"code":"invalid_request"');
  const headers = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(headers).toMatch(/^HTTP\/1\.1 431 /);
  for (const answer of [garbage, headers]) {
    const [, id] = /^X-Request-Id: (\S+)\r$/m.exec(answer) ?? [];
    expect(answer).toContain(`"requestId":"${id}"`);
  }
  expect(headers).toContain('"code":"headers_too_large"');
});

test('a slow body or slow headers time out', async () => {
  const body = raw(
    `POST ${CHALLENGE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"add`,
  );
  const headers = raw('GET /api/v1 HTTP/1.1\r\nHost: a\r\n');
  for (const answer of await Promise.all([body, headers])) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
  }
});

test('a body has the same answer in the packet of its head, in its own and in pieces', async () => {
  const body = JSON.stringify({ address: `0x${'a'.repeat(40)}` });
  const head = (length: number) =>
    `POST ${CHALLENGE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const pieces = [
    [`${head(body.length)}${body}${head(body.length)}${body}${head(1)}{${last}`],
    [head(body.length), `${body}${head(body.length)}`, body, head(1), `{${last}`],
    [
      `${head(body.length)}${body.slice(0, 9)}`,
      `${body.slice(9)}${head(body.length)}${body}`,
      `${head(1)}{${last}`,
    ],
  ];
  for (const each of pieces) {
    const socket = connect(relay.running.port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    const answers = text(socket);
    for (const piece of each) {
      socket.write(piece);
      // The answer to another call shows that the relay has read the piece.
      await relay.call('getRelay');
    }
    const statuses = (await answers).match(/HTTP\/1\.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200']);
  }
});

test('stopping a relay waits for running calls, and not for idle connections', async () => {
  await using stopping = await new TestRelay().start();
  const { port } = stopping.running;
  const closed: string[] = [];
  const open = async (name: string, bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    const isClosed = closing(socket).then(() => void closed.push(name));
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return isClosed;
  };
  const ends = [open('half a call', 'GET / HTTP/1.1\r\nHost: '), open('nothing', '')];
  // The answer on a later connection shows that the relay knows both.
  await stopping.call('getRelay');
  await stopping.stop();
  await Promise.all(ends);
  expect(closed).toEqual(['nothing', 'half a call']);
});

test('an open poll is not cut off by the time-out of requests', async () => {
  const steady = new StoppedClock();
  await using impatient = await new TestRelay({
    ...{ hosts: ['a'], steady, limits: { requestTimeout: 500, headersTimeout: 400 } },
  }).start();
  const person = await (await new Person(impatient).login()).publishDevices();
  const openPoll = person.inbox(person.device, 30);
  await impatient.untilPolling(1);
  // This one began later, and has timed out.
  expect(await raw('GET /api/v1 HTTP/1.1\r\nHost: a\r\n', impatient)).toMatch(/^HTTP\/1\.1 408 /);
  expect(impatient.running.heldPolls).toBe(1);
  steady.pass(30_000);
  expect(await openPoll).toEqual([]);
});

/** The relay's end of the next connection to this process. */
function acceptedSocket(): Promise<Socket> {
  return new Promise((resolve) => {
    const onSocket = (message: unknown) => {
      unsubscribe('net.server.socket', onSocket);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe('net.server.socket', onSocket);
  });
}

test('a client that does not read its answers is disconnected, without an effect on others', async () => {
  // Sent before, without the short limit: on a busy machine a large body may pause for a second.
  await using preparing = await new TestRelay().start();
  const person = await newPerson(preparing);
  const long = 'x'.repeat(60_000);
  const body = { envelopes: Array.from({ length: 45 }, () => person.seal(person, person.device, long)) };
  await preparing.call('sendEnvelopes', { token: person.token, body });
  await preparing.stop();
  const dataDirectory = preparing.folder.path;
  const limits = { stalledTimeout: 3_000 };
  await using impatient = await new TestRelay({ dataDirectory, hosts: ['a'], limits }).start();
  const accepted = acceptedSocket();
  const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1');
  const closed = Promise.race([once(socket, 'close'), once(socket, 'error')]);
  socket.pause();
  const ofRelay = closing(await accepted);
  const path = `/api/v1/inbox?device=${person.device.id}`;
  // More answers than the system buffers for a client that never reads.
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${person.token}\r\n\r\n`;
  socket.write(request.repeat(10));
  await ofRelay;
  // A connection of its own: the relay may close a reused one at this moment.
  const headers = { host: 'a', authorization: `Bearer ${person.token}` };
  const port = new URL(impatient.url).port;
  const [answer] = await once(get({ host: '127.0.0.1', port, path, headers, agent: false }), 'response');
  expect((answer as IncomingMessage).statusCode).toBe(200);
  (answer as IncomingMessage).destroy();
  let received = 0;
  socket.on('data', (data) => {
    received += data.length;
  });
  socket.resume();
  await closed;
  expect(received).toBeLessThan(10 * 45 * 60_000);
});
