/**
 * The dev server in front of a real engine: it forwards only calls that the host itself would accept.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RealEngine } from '../../../dev/server/real-engine.ts';

/** Requests that reached the host. */
const came: IncomingMessage[] = [];
const host = createHttpServer((request, response) => {
  came.push(request);
  response.end('{"bearer":"b"}');
});
host.on('upgrade', (request, socket) => {
  came.push(request);
  socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nhello');
});

const portOf = (address: unknown) => (address as AddressInfo).port;
let server: ViteDevServer;
let origin: string;
beforeAll(async () => {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const engine = new RealEngine();
  engine.target = `http://127.0.0.1:${portOf(host.address())}`;
  server = await createServer({
    configFile: false,
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    plugins: [engine.plugin],
  });
  await server.listen();
  origin = `http://127.0.0.1:${portOf(server.httpServer?.address())}`;
});
afterAll(async () => {
  await server.close();
  host.close();
});
beforeEach(() => {
  came.length = 0;
});

/** Answer of the dev server to a raw request. */
async function answerTo(lines: readonly string[]): Promise<string> {
  const socket = connect(portOf(server.httpServer?.address()), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return text;
}

const session = (from: string, authority = origin.slice('http://'.length)) =>
  answerTo([
    'POST /session HTTP/1.1',
    `host: ${authority}`,
    `origin: ${from}`,
    'content-length: 0',
    'connection: close',
  ]);
const bridge = (from: string, authority = origin.slice('http://'.length)) =>
  answerTo([
    'GET /bridge HTTP/1.1',
    `host: ${authority}`,
    `origin: ${from}`,
    'connection: upgrade',
    'upgrade: websocket',
  ]);

test('calls of the dev server’s page reach the host like those of the host’s page', async () => {
  expect(await session(origin)).toContain('{"bearer":"b"}');
  expect(await bridge(origin)).toMatch(/^HTTP\/1\.1 101 .*hello$/s);
  const own = `http://127.0.0.1:${portOf(host.address())}`;
  expect(came.map(({ url, headers }) => [url, headers.origin, `http://${headers.host}`])).toEqual([
    ['/session', own, own],
    ['/bridge', own, own],
  ]);
});

test.each([
  ['another page', 'http://evil.example', undefined],
  ['another page of this computer', 'http://127.0.0.1:1', undefined],
  ['a name that was pointed here', 'http://evil.example', 'evil.example'],
])('calls from %s do not reach the host', async (_, from, authority) => {
  expect(await session(from, authority)).not.toContain('bearer');
  expect(await bridge(from, authority)).not.toContain('101');
  expect(came).toEqual([]);
});
