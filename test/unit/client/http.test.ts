/** Connections of refused answers: a body that is not read may have no end. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { RelayHttp } from '../../../src/client/http.ts';

/** Further calls until the end of a connection has certainly arrived. The collection of garbage, which would also end it, comes later. */
const ROUNDS = 20;
const TOKEN = `sk_live_${'a'.repeat(43)}`;

/** A relay whose answers begin, and never end. */
async function endlessRelay(begin: (response: ServerResponse) => void) {
  let open = 0;
  const server = createServer(({ url }, response) => {
    if (url === '/round') return response.end();
    open++;
    response.once('close', () => open--);
    begin(response);
    response.write('{');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new RelayHttp(url);
  return {
    http,
    /** The number of answers whose connection is open. */
    async open(): Promise<number> {
      for (let round = 0; round < ROUNDS; round++) await (await fetch(`${url}/round`)).text();
      return open;
    },
    async [Symbol.asyncDispose]() {
      http.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('closes the connection of an answer from another time', async () => {
  await using relay = await endlessRelay((response) => {
    response.writeHead(200, { date: 'Sat, 01 Jan 2050 00:00:00 GMT', 'content-type': 'application/json' });
  });
  await expect(relay.http.call('getMe', { token: TOKEN })).rejects.toMatchObject({ code: 'clocks_differ' });
  expect(await relay.open()).toBe(0);
});

test('closes the connection of bytes with a status that the call does not have', async () => {
  await using relay = await endlessRelay((response) => response.writeHead(203));
  const options = { params: { id: 'a' }, headers: {}, token: TOKEN, stall: 10_000 };
  const download = relay.http.octets('getBlob', options, async () => null);
  await expect(download).rejects.toMatchObject({ code: 'not_a_relay' });
  expect(await relay.open()).toBe(0);
});
