import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../../src/host/security-headers.ts';
import { TestHost } from '../../support/browser-host.ts';
import { closing } from '../../support/raw-socket.ts';

const host = new TestHost();
beforeAll(() => host.start());
afterAll(() => host[Symbol.asyncDispose]());

/** One request on a connection that the host has to close. */
function request(line: string, ...headers: string[]): string {
  return [line, ...headers, 'Connection: close', '', ''].join('\r\n');
}

function upgrade(path: string, ...headers: string[]): string {
  const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  return [`GET ${path} HTTP/1.1`, ...headers, ...handshake, key, '', ''].join('\r\n');
}

function statusOf(answer: string): number {
  return Number(answer.split(' ')[1]);
}

function headersOf(answer: string): Headers {
  const [head = ''] = answer.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  return new Headers(
    lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]*: ?/, '')]),
  );
}

describe('on plain sockets', () => {
  test('B3, V13: a request with this host’s name works once; any other name is misdirected', async () => {
    const own = `Host: ${host.authority}`;
    const cases: [number, string[]][] = [
      [200, [own]],
      [421, []],
      [421, ['Host:']],
      [421, ['Host: evil.test']],
      [421, [`Host: evil.test:${host.port}`]],
      [421, [`Host: localhost:${host.port}`]],
      [421, ['Host: 127.0.0.1']],
      [421, [own, own]],
      [421, [own, 'Host: evil.test']],
      [421, ['Host: evil.test', own]],
    ];
    for (const [status, headers] of cases) {
      expect(statusOf(await host.raw(request('GET / HTTP/1.1', ...headers))), headers.join()).toBe(status);
    }
    expect(statusOf(await host.raw(request('GET / HTTP/1.0')))).toBe(421);
  });

  test('B4, V12: a call that changes something needs this host’s origin', async () => {
    const own = `Host: ${host.authority}`;
    const post = (...headers: string[]) =>
      host.raw(`${request('POST /session HTTP/1.1', own, ...headers, 'Content-Length: 2')}{}`);
    for (const origin of ['http://127.0.0.1:1', 'null', 'http://evil.test', `https://${host.authority}`]) {
      expect(statusOf(await post(`Origin: ${origin}`))).toBe(403);
      expect(statusOf(await host.raw(upgrade('/bridge', own, `Origin: ${origin}`)))).toBe(403);
    }
    expect(statusOf(await post())).toBe(403);
    expect(statusOf(await host.raw(upgrade('/bridge', own)))).toBe(403);
    expect(statusOf(await post(`Origin: ${host.origin}`, 'Sec-Fetch-Site: cross-site'))).toBe(403);
    expect(statusOf(await post(`Origin: ${host.origin}`))).toBe(415);
    expect(statusOf(await host.raw(upgrade('/bridge', 'Host: evil.test')))).toBe(421);
    expect(statusOf(await host.raw(upgrade('/', own, `Origin: ${host.origin}`)))).toBe(404);
  });

  test('B4: a page from another place on this host gets no bridge', async () => {
    const headers = [`Host: ${host.authority}`, `Origin: ${host.origin}`];
    for (const path of ['/', '/session', '/bridge/', '/bridge?x', `http://${host.authority}/bridge`]) {
      expect(statusOf(await host.raw(upgrade(path, ...headers))), path).toBe(404);
    }
  });

  test('B5: only the files of the interface are served', async () => {
    const paths = [
      '/index.html',
      '/../package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '//etc/passwd',
      '/assets/',
      '/assets/index.js/',
      '/%00',
      '/constructor',
      '/__proto__',
      'http://127.0.0.1/assets/index.js',
      '*',
    ];
    for (const path of paths) {
      const answer = await host.raw(request(`GET ${path} HTTP/1.1`, `Host: ${host.authority}`));
      expect(statusOf(answer), path).toBe(404);
      expect(answer.endsWith('\r\n\r\nThere is nothing here.')).toBe(true);
    }
    const known = await host.raw(request('GET /assets/index.js?v=1 HTTP/1.1', `Host: ${host.authority}`));
    expect(known.endsWith('\r\n\r\n"use strict";')).toBe(true);
    const head = await host.raw(request('HEAD / HTTP/1.1', `Host: ${host.authority}`));
    expect(statusOf(head)).toBe(200);
    expect(head.endsWith('\r\n\r\n')).toBe(true);
  });

  test('B5: every answer has all security headers, and none that opens it to other pages', async () => {
    const own = `Host: ${host.authority}`;
    const origin = `Origin: ${host.origin}`;
    const json = 'Content-Type: application/json';
    const answers = {
      page: request('GET / HTTP/1.1', own),
      script: request('GET /assets/index.js HTTP/1.1', own),
      head: request('HEAD / HTTP/1.1', own),
      nothing: request('GET /nothing HTTP/1.1', own),
      misdirected: request('GET / HTTP/1.1', 'Host: evil.test'),
      nameless: request('GET / HTTP/1.1'),
      old: request('GET / HTTP/1.0'),
      foreign: request('POST /session HTTP/1.1', own, 'Origin: http://evil.test'),
      preflight: request('OPTIONS /session HTTP/1.1', own, 'Origin: http://evil.test'),
      form: `${request('POST /session HTTP/1.1', own, origin, 'Content-Length: 3')}a=b`,
      used: `${request('POST /session HTTP/1.1', own, origin, json, 'Content-Length: 2')}{}`,
      expecting: request('GET / HTTP/1.1', own, 'Expect: something'),
      upgrade: upgrade('/bridge', own, 'Origin: http://evil.test'),
      exchanged: (() => {
        const body = JSON.stringify({ token: host.newToken() });
        return `${request('POST /session HTTP/1.1', own, origin, json, `Content-Length: ${body.length}`)}${body}`;
      })(),
    };
    const statuses: Record<string, number> = {};
    for (const [name, bytes] of Object.entries(answers)) {
      const answer = await host.raw(bytes);
      const headers = headersOf(answer);
      statuses[name] = statusOf(answer);
      for (const [header, value] of Object.entries(SECURITY_HEADERS)) {
        expect(headers.get(header), `${header} of ${name}`).toBe(value);
      }
      const names = [...headers.keys()];
      expect(
        names.filter((header) => /^access-control|^set-cookie|^server$|^x-powered/.test(header)),
      ).toEqual([]);
    }
    expect(statuses).toEqual({
      page: 200,
      script: 200,
      head: 200,
      nothing: 404,
      misdirected: 421,
      nameless: 421,
      old: 421,
      foreign: 403,
      preflight: 403,
      form: 415,
      used: 403,
      expecting: 200,
      upgrade: 403,
      exchanged: 200,
    });
  });

  test('a connection without HTTP is closed without an answer', async () => {
    const own = `Host: ${host.authority}`;
    const bytes = [
      '\0\0\0\0',
      'hello\r\n\r\n',
      `GET / HTTP/1.1\r\n${own}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    ];
    const smuggled = `POST /session HTTP/1.1\r\n${own}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    for (const each of [...bytes, smuggled]) {
      expect(await host.raw(each).catch(() => '')).toBe('');
    }
    expect(await host.raw(`CONNECT evil.test:80 HTTP/1.1\r\n${own}\r\n\r\n`).catch(() => '')).toBe('');
    expect((await fetch(host.origin)).status).toBe(200);
  });
});

describe('the exchange of a link', () => {
  test('B2: works once', async () => {
    const token = host.newToken();
    const first = await host.exchange(token);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/json');
    expect(await first.json()).toEqual({ bearer: expect.stringMatching(/^[\w-]{43}$/) });
    const second = await host.exchange(token);
    expect([second.status, await second.text()]).toEqual([403, 'This link was used already, or is too old.']);
  });

  test('B2: exactly one of many simultaneous exchanges succeeds', async () => {
    const token = host.newToken();
    const answers = await Promise.all(Array.from({ length: 20 }, () => host.exchange(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(403)]);
  });

  test('B5: accepts only JSON with a token', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${host.origin}/session`, {
        method: 'POST',
        headers: { 'content-type': type, origin: host.origin },
        body,
      }).then(({ status }) => status);
    const token = host.newToken();
    const right = JSON.stringify({ token });
    const forms = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
    ];
    for (const type of forms) expect(await post(right, type)).toBe(415);
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      `"${token}"`,
      `["${token}"]`,
      `{"token":["x"]}`,
      '{"token":null}',
    ]) {
      expect(await post(body), body).toBe(403);
    }
    await expect(post(JSON.stringify({ token, more: 'a'.repeat(200_000) }))).rejects.toThrow('fetch failed');
    expect(await post(right), 'what was refused has not used the link up').toBe(200);
  });
});

// Only Linux lists listening sockets in a file.
test.skipIf(!existsSync('/proc/net/tcp'))('B1: it listens on the loopback address alone', () => {
  const listening = '0A';
  const port = host.port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6']
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${port}`) && state === listening);
  expect(sockets.map(([, local]) => local)).toEqual([`0100007F:${port}`]);
});

test.concurrent.each([
  ['headers', (own: string) => `GET / HTTP/1.1\r\n${own}\r\nX-Slow: `],
  [
    'a body',
    (own: string) =>
      `POST /session HTTP/1.1\r\n${own}\r\nOrigin: ${host.origin}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n`,
  ],
])('a connection that is slow with %s is closed', async (_name, start) => {
  const socket = host.connection();
  socket.write(start(`Host: ${host.authority}`));
  const closed = closing(socket);
  while (!socket.destroyed) {
    await Promise.race([wait(300), closed]);
    if (!socket.destroyed) socket.write('x');
  }
  await closed;
});

/** Addresses under which other computers or programs may reach this computer. */
const OTHER_ADDRESSES = [
  ...Object.values(networkInterfaces()).flatMap((all) => (all ?? []).filter(({ internal }) => !internal)),
].map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address));

test.each(['::1', ...(process.platform === 'linux' ? ['127.0.0.2'] : []), ...OTHER_ADDRESSES])(
  'B1: no server answers at %s',
  async (address) => {
    const socket = connect(host.port, address);
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
    ]).catch((error: NodeJS.ErrnoException) => error.code);
    socket.destroy();
    expect(outcome).toMatch(/^(?:ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EHOSTUNREACH|EAFNOSUPPORT|EINVAL)$/);
  },
);

test('B1: a closed host does not answer', async () => {
  await using stopping = await new TestHost().start();
  const { port } = stopping;
  await stopping.close();
  const socket = connect(port, '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
