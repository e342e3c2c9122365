/**
 * Requests that no HTTP library sends: garbage, requests in pieces, two requests disguised as one, invalid
 * JSON.
 */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/person.ts';
import { closing } from '../../support/raw-socket.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ hosts: ['a'], limits: { requestTimeout: 3_000, headersTimeout: 2_000 } });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** A request whose answer has a unique mark, and which closes the connection. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const LAST_ANSWER = '{"status":"ok"}';

/**
 * Sends bytes, and a last request once the relay has answered them: answers come in order, so all have come when the
 * connection is closed. A relay that waits for more of the bytes closes it by its own time limit.
 * @returns all answers but that of the last request
 */
async function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(relay.running.port, '127.0.0.1');
  let received = '';
  socket.once('data', () => socket.write(LAST));
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  const closed = closing(socket);
  await once(socket, 'connect');
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await closed;
  return received.endsWith(LAST_ANSWER) ? received.slice(0, received.lastIndexOf('HTTP/1.1 ')) : received;
}

/** An answer follows the body of the one before without a new line. */
const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const GET = 'GET /api/v1 HTTP/1.1\r\nHost: a\r\n';
const POST = 'POST /api/v1/auth/challenge HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
const SMUGGLED = 'GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n';

test('two requests in one packet are both answered', async () => {
  expect(statuses(await exchange(`${GET}\r\n${SMUGGLED}`))).toEqual([200, 401]);
});

test.each([
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${SMUGGLED}`],
  ['two lengths in one header', `${POST}Content-Length: 2, 40\r\n\r\n{}${SMUGGLED}`],
  [
    'a length and chunks',
    `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'chunks twice',
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['chunks under another name', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a negative length', `${POST}Content-Length: -1\r\n\r\n${SMUGGLED}`],
  ['a length that is no number', `${POST}Content-Length: 0x10\r\n\r\n{}`],
  ['a chunk whose size is none', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['two hosts', 'GET /api/v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['no host', 'GET /api/v1 HTTP/1.1\r\n\r\n'],
  ['a space before the colon', `${GET}X-A : b\r\n\r\n`],
  ['a header without a name', `${GET}: b\r\n\r\n`],
  ['a header that is folded', `${GET}X-A: b\r\n c\r\n\r\n`],
  ['a NUL in a header', `${GET}X-A: b\0c\r\n\r\n`],
  ['a bare line feed in a header', `${GET}X-A: b\nX-B: c\r\n\r\n`],
  ['a method that is none', 'BREW /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a version that is none', 'GET /api/v1 HTTP/9.9\r\nHost: a\r\n\r\n'],
  ['no version', 'GET /api/v1\r\n\r\n'],
  ['a TLS greeting', Buffer.from('16030100f1010000ed0303', 'hex')],
  ['an SMTP greeting', 'EHLO relay\r\n'],
  ['zeros', Buffer.alloc(2_000)],
])('%s: at most one refusal, nothing behind it is answered, and the relay continues', async (_, bytes) => {
  const answers = statuses(await exchange(bytes));
  expect(answers.length).toBeLessThanOrEqual(1);
  for (const status of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  await relay.call('getMe', { token: ann.token });
});

test.each([
  ['a target with a host of its own', 'GET http://evil.example/api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['HTTP/1.0 without a host', 'GET /api/v1/me HTTP/1.0\r\n\r\n'],
  ['an upgrade', `${GET.replace('v1', 'v1/me')}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an expectation that is none', `${POST}Expect: the-moon\r\nContent-Length: 2\r\n\r\n{}`],
  ['a path that climbs', 'GET /api/v1/../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n'],
])('%s gets nothing', async (_, bytes) => {
  for (const status of statuses(await exchange(bytes))) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  await relay.call('getMe', { token: ann.token });
});

test('a request that ends at any point leaves nothing behind', async () => {
  const body = JSON.stringify({ displayName: 'cut off' });
  const whole = [
    'PUT /api/v1/me/profile HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${ann.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  for (let end = 0; end < whole.length; end++) {
    const socket = connect(relay.running.port, '127.0.0.1');
    const closed = closing(socket);
    await once(socket, 'connect');
    socket.end(whole.slice(0, end));
    socket.resume();
    await closed;
  }
  const { body: me } = await relay.call('getMe', { token: ann.token });
  expect(me.displayName).toBeNull();
});

test('a thousand connections of random bytes leave no descriptor open', async () => {
  const descriptors = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
  await relay.call('getMe', { token: ann.token });
  const before = descriptors();
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const bytes = Buffer.from(Array.from({ length: 64 }, () => Math.floor(Math.random() * 256)));
        return exchange(index % 2 === 0 ? bytes : Buffer.concat([Buffer.from(GET), bytes]));
      }),
    );
  }
  await expect.poll(descriptors).toBeLessThanOrEqual(before + 5);
  await relay.call('getMe', { token: ann.token });
});

/** The body of a handle's claim, as text that is or is not JSON. */
const claim = (text: string) => ({ method: 'PUT', token: ann.token, body: text });

test.each([
  '{"handle":"json_case"}',
  ' \t\r\n{ "handle" : "json_case" } ',
  '{"handle":"json\\u005fcase"}',
  '{"\\u0068andle":"json_case","public":true}',
  '{"public":false,"handle":"json_case"}',
  '{"handle":"\\u006A\\u0073on_case"}',
  '\n\n{"public"\t:\rtrue\n,"handle":"json_case"}\n',
])('%s is JSON', async (text) => {
  expect((await relay.fetch('/api/v1/me/handle', claim(text))).status).toBe(200);
});

test.each([
  '',
  '{',
  '{"handle":"json_case"',
  '{"handle":"json_case"}}',
  '{"handle":"json_case"} x',
  '{"handle":"json_case",}',
  '{"handle" "json_case"}',
  "{'handle':'json_case'}",
  '{handle:"json_case"}',
  '{"handle":"json_case"}{"handle":"json_case"}',
  '{"handle":"json_case"}// comment',
  '/* */{"handle":"json_case"}',
  '\ufeff{"handle":"json_case"}',
  '{"handle":"json_case","handle":"another_one"}',
  '{"handle":"json_case","\\u0068andle":"another_one"}',
  '{"handle":"json_case","public":True}',
  '{"handle":"json_case","public":NaN}',
  '{"handle":"json_case","public":1}',
  '{"handle":"json_case","public":01}',
  '{"handle":"json_case","public":undefined}',
  '{"handle":"json\u0000case"}',
  '{"handle":"json\ncase"}',
  '{"handle":"json\\xcase"}',
  '{"handle":"json\\u00zzcase"}',
  '{"handle":["json_case"]}',
  '["json_case"]',
  '"json_case"',
  'null',
  '{"handle":"json_case","__proto__":{"x":1}}',
  '{"handle":"json_case","constructor":{"prototype":{}}}',
  `${'['.repeat(3_000)}`,
  `${'{"handle":'.repeat(100)}"x"${'}'.repeat(100)}`,
  '{"handle":1e999}',
  '{"handle":-}',
  '{"handle":"\\ud800"}',
  '{"handle":"\\ud83d\\ud83d"}',
  '{"handle":"\\udc00\\ud800"}',
  '{"handle":"json_case\\u0000"}',
  '{"handle":"json_case\\n"}',
  '{"handle":"json_\\case"}',
  '{"handle":"json_case\\"}',
  '{"handle":"json_case\tx"}',
  '{"handle":"json_\u007fcase"}',
  '{"handle":"json_case","public":+1}',
  '{"handle":"json_case","public":.5}',
  '{"handle":"json_case","public":1.}',
  '{"handle":"json_case","public":1e}',
  '{"handle":"json_case","public":0x1}',
  '{"handle":"json_case","public":--1}',
  '{"handle":"json_case","public":Infinity}',
  '{"handle":"json_case","public":-Infinity}',
  '{"handle":"json_case","public":TRUE}',
  '{"handle":"json_case","public":truee}',
  '{"handle":"json_case","public":tru}',
  '{"handle":"json_case","public":nul}',
  '{"handle":"json_case","public":}',
  '{"handle":"json_case","public"}',
  '{"handle":"json_case" "public":true}',
  '{"handle":"json_case";"public":true}',
  '{"handle":"json_case",,"public":true}',
  '{,"handle":"json_case"}',
  '{"handle"::"json_case"}',
  '{"handle"="json_case"}',
  '{"handle":"json_case"]',
  '[{"handle":"json_case"}',
  '[{"handle":"json_case"}]',
  '{null:"json_case"}',
  '{1:"json_case"}',
  '{["handle"]:"json_case"}',
  '{"":"json_case"}',
  '{"handle ":"json_case"}',
  '{"Handle":"json_case"}',
  '{"handle":{"handle":"json_case"}}',
  '{"handle":[[[[[[[[[[[[[[[[[[["json_case"]]]]]]]]]]]]]]]]]]]}',
  '{"handle":json_case}',
  '{"handle":`json_case`}',
  '{"handle":"json_case"}\u0000',
  '\u0000{"handle":"json_case"}',
  '\u2028{"handle":"json_case"}',
  '\u00a0{"handle":"json_case"}',
  '\f{"handle":"json_case"}',
  '#{"handle":"json_case"}',
  '{"handle":"json_case"/*x*/}',
  '<json/>',
  '*',
  ',',
  ']',
  '""',
  'true',
  '-',
  '1',
  '{"a":"b"}{',
  '{"handle":"json_case","toString":1}',
  '{"handle":"json_case","\\u005f_proto__":{}}',
  '{"handle":12345678901234567890123456789012345678901234567890}',
  '{"handle":1E400}',
  '{"handle":-0}',
])('%s is refused', async (text) => {
  const response = await relay.fetch('/api/v1/me/handle', claim(text));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
});
