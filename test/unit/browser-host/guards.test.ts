import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../src/browser-host/guards.ts';

const AUTHORITY = '127.0.0.1:8080';
const OWN = ['Origin', `http://${AUTHORITY}`];
const FOREIGN = ['Origin', 'http://127.0.0.1:8081'];
const UPGRADE = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];

/** A request in the form of Node's parser. */
function request(method: string, rawHeaders: readonly string[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = method;
  message.rawHeaders = [...rawHeaders];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    // Node keeps the first value of these headers, and joins those of others.
    const keepsFirst = ['host', 'origin'].includes(name);
    const known = message.headers[name];
    if (known === undefined) message.headers[name] = value;
    else if (!keepsFirst) message.headers[name] = `${known}, ${value}`;
  }
  return message;
}

function refusal(method: string, ...headers: string[]): number | null {
  return refusalOf(request(method, ['Host', AUTHORITY, ...headers]), AUTHORITY);
}

describe('B3: the Host header', () => {
  test.each<[string, string[], number | null]>([
    ['the own one', ['Host', AUTHORITY], null],
    ['the own one in other letters of its name', ['hOsT', AUTHORITY], null],
    ['none', [], 421],
    ['an empty one', ['Host', ''], 421],
    ['another port', ['Host', '127.0.0.1:8081'], 421],
    ['no port', ['Host', '127.0.0.1'], 421],
    ['a name that was pointed here', ['Host', 'evil.test:8080'], 421],
    ['localhost', ['Host', 'localhost:8080'], 421],
    ['a suffix', ['Host', `${AUTHORITY}.evil.test`], 421],
    ['a prefix', ['Host', `evil.test@${AUTHORITY}`], 421],
    ['the own one twice', ['Host', AUTHORITY, 'Host', AUTHORITY], 421],
    ['the own one, then another', ['Host', AUTHORITY, 'host', 'evil.test'], 421],
    ['another, then the own one', ['Host', 'evil.test', 'Host', AUTHORITY], 421],
    ['the own one as the value of another header', ['X-Name', 'host', AUTHORITY, 'x'], 421],
  ])('%s', (_name, headers, expected) => {
    for (const method of ['GET', 'HEAD'])
      expect(refusalOf(request(method, headers), AUTHORITY)).toBe(expected);
    expect(refusalOf(request('POST', [...headers, ...OWN]), AUTHORITY)).toBe(expected);
    expect(refusalOf(request('GET', [...headers, ...OWN, ...UPGRADE]), AUTHORITY)).toBe(expected);
  });
});

describe('B4: the Origin header', () => {
  const reading: [string, string[]][] = [
    ['GET', []],
    ['HEAD', []],
  ];
  const acting: [string, string[]][] = [
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get'].map((method): [string, string[]] => [
      method,
      [],
    ]),
    ['GET', UPGRADE],
  ];

  test('may be absent for reading files', () => {
    for (const [method, headers] of reading) expect(refusal(method, ...headers)).toBeNull();
    for (const [method, headers] of acting) expect(refusal(method, ...headers)).toBe(403);
  });

  test('must be the own one, exactly once', () => {
    const refused = [
      FOREIGN,
      ['Origin', 'null'],
      ['Origin', ''],
      ['Origin', `https://${AUTHORITY}`],
      ['Origin', `http://${AUTHORITY}/`],
      ['Origin', `http://${AUTHORITY}.evil.test`],
      ['Origin', 'http://localhost:8080'],
      [...OWN, ...FOREIGN],
      [...FOREIGN, ...OWN],
      [...OWN, ...OWN],
    ];
    for (const [method, headers] of [...reading, ...acting]) {
      expect(refusal(method, ...headers, ...OWN)).toBeNull();
      for (const origin of refused) {
        expect(refusal(method, ...headers, ...origin), `${method} ${origin}`).toBe(403);
      }
    }
  });
});

test.each<[string, number | null]>([
  ['same-origin', null],
  ['none', null],
  ['same-site', 403],
  ['cross-site', 403],
  ['', 403],
  ['something new', 403],
])('Sec-Fetch-Site: %s', (site, expected) => {
  const headers = ['Sec-Fetch-Site', site];
  expect(refusal('GET', ...headers)).toBe(expected);
  expect(refusal('POST', ...OWN, ...headers)).toBe(expected);
  expect(refusal('GET', ...OWN, ...UPGRADE, ...headers)).toBe(expected);
});

test('B4: two Sec-Fetch-Site headers are refused', () => {
  expect(refusal('GET', 'Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Site', 'cross-site')).toBe(403);
});
