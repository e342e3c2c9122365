import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limitConnections } from '../../../../src/relay/http/connections.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(most: number, trusted: string[]): Promise<number> {
  const server = createServer((socket) => !socket.destroyed && socket.write('hello'));
  limitConnections(server, most, trusted);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Reports whether the server accepts a new connection. */
async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

test('limits the connections of one address until one of them closes', async () => {
  const port = await listen(3, []);
  const served = [];
  for (let count = 0; count < 5; count++) served.push(await isServed(port));
  expect(served).toEqual([true, true, true, false, false]);
  sockets[0]?.destroy();
  await expect.poll(() => isServed(port)).toBe(true);
});

test.each([['127.0.0.1'], ['127.0.0.0/8']])('allows a trusted proxy at %s any number', async (trusted) => {
  const port = await listen(1, [trusted]);
  for (let count = 0; count < 5; count++) expect(await isServed(port)).toBe(true);
});

/** A new connection from an address, as the server reports it. */
function arrive(server: Server, remoteAddress: string): Socket {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  sockets.push(socket);
  server.emit('connection', socket);
  return socket;
}

test('a network of IPv6 has ten times as many connections as one of its addresses, and others are served', () => {
  const server = createServer();
  limitConnections(server, 2, []);
  const from = (index: number) => arrive(server, `2001:db8:7:${index.toString(16)}::1`);
  const all = Array.from({ length: 30 }, (_, index) => from(index));
  expect(all.filter(({ destroyed }) => !destroyed)).toHaveLength(20);
  expect(arrive(server, '2001:db8:8::1').destroyed).toBe(false);
});
