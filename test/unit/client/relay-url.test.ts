import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { checkRelay, normaliseRelayUrl } from '../../../src/client/check.ts';

test.each([
  ['relay.example', 'https://relay.example'],
  ['https://relay.example/', 'https://relay.example'],
  [' HTTPS://Relay.Example:8443/some/path ', 'https://relay.example:8443'],
  ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['localhost:4000', 'http://localhost:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
])('%j means %s', (typed, url) => {
  expect(normaliseRelayUrl(typed)).toBe(url);
});

test.each([
  ['', 'looks like https'],
  ['ftp://relay.example', 'looks like https'],
  ['https://user:password@relay.example', 'looks like https'],
  ['javascript:alert(1)', 'looks like https'],
  ['http://relay.example', 'needs https'],
])('%j is refused with a sentence', (typed, sentence) => {
  expect(() => normaliseRelayUrl(typed)).toThrow(sentence);
});

test('a check distinguishes a closed port, another server and a newer relay', async () => {
  const answers = ['<html>', JSON.stringify({ name: 'Tomorrow', apiVersion: '2' })];
  const server = createServer((_request, response) => response.end(answers.shift()));
  const url = await listen(server);
  expect((await checkRelay(url)).problem).toEqual({ code: 'not_a_relay', parameters: {} });
  expect((await checkRelay(url)).problem).toEqual({ code: 'relay_version', parameters: { version: '2' } });
  await close(server);

  const closed = createServer();
  const nobody = await listen(closed);
  await close(closed);
  expect(await checkRelay(nobody)).toMatchObject({
    ok: false,
    problem: { code: 'relay_silent', parameters: {} },
  });
});

test.each([
  ['Birds\u202e\r\n\u001b[2J', '1', { ok: true, name: 'Birds [2J', problem: null }],
  ['\u200b', '1', { ok: true, name: null }],
  ['b'.repeat(50_000), '1', { ok: true, name: 'b'.repeat(80) }],
  ['Birds', '2', { ok: false, problem: { code: 'relay_version', parameters: { version: '2' } } }],
  ['Birds', '2'.repeat(50_000), { ok: false, problem: { code: 'not_a_relay', parameters: {} } }],
  ['Birds', '2. Call 555-0100', { ok: false, problem: { code: 'not_a_relay', parameters: {} } }],
])('of an unknown server only a name and a version number are shown', async (name, apiVersion, shown) => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ name, apiVersion })));
  const url = await listen(server);
  expect(await checkRelay(url)).toMatchObject(shown);
  await close(server);
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
