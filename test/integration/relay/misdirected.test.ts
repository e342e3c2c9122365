/** DNS rebinding: a page points its own host name at this computer, and calls the relay under it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { TestRelay } from '../../support/relay.ts';

async function query(port: number, path: string, host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

const PATHS = ['/', '/healthz', '/readyz', '/openapi.json', '/api/v1', '/api/v1/me', '/nothing'];

test('a page with a rebound name gets 421 and nothing else from any path', async () => {
  await using relay = await new TestRelay({ metrics: { port: 0 } }).start();
  const { port, metricsPort } = relay.running;
  for (const path of PATHS) {
    for (const host of ['evil.test', `evil.test:${port}`, '127.0.0.1']) {
      const answer = await query(port, path, host);
      expect([path, host, answer]).toEqual([path, host, expect.stringMatching(/^HTTP\/1\.1 421 /)]);
      expect(answer).toContain('"code":"misdirected_request"');
    }
    expect(await query(port, path, `localhost:${port}`)).not.toMatch(/^HTTP\/1\.1 421 /);
  }
  expect(await query(metricsPort ?? 0, '/metrics', `evil.test:${metricsPort}`)).toMatch(/^HTTP\/1\.1 421 /);
  expect(await query(metricsPort ?? 0, '/metrics', `localhost:${metricsPort}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test('behind a proxy the relay answers to its public name and the added ones, for any forwarder', async () => {
  const options = {
    publicUrl: 'https://relay.example',
    hosts: ['probe.internal'],
    trustedProxies: ['127.0.0.1'],
  };
  await using relay = await new TestRelay(options).start();
  const { port } = relay.running;
  for (const host of ['relay.example', 'relay.example:443', 'probe.internal', `127.0.0.1:${port}`]) {
    expect(await query(port, '/healthz', host)).toMatch(/^HTTP\/1\.1 200 /);
  }
  // A proxy is trusted about the origin of a call, not about its host.
  const forwarded = 'evil.test\r\nX-Forwarded-Host: relay.example';
  expect(await query(port, '/healthz', forwarded)).toMatch(/^HTTP\/1\.1 421 /);
});
