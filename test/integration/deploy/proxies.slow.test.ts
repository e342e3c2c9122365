/**
 * The proxies of deploy/proxy, as Debian has them, in front of real relays.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { eventually } from '../../support/engine.ts';
import { FRONT_HOST, Front, type FrontCall, type FrontKind, missingForFront } from '../../support/front.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestBlob } from '../../support/test-blob.ts';

const PUBLIC = { publicUrl: `https://${FRONT_HOST}`, trustedProxies: ['127.0.0.1'] };

const address = ({ url }: TestRelay) => new URL(url).host;

/** A forwarder of bytes that counts connections. */
async function countingDoor(portOf: () => number): Promise<{ port: number; count(): number; close(): void }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    const onward = connect(portOf(), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const side of [socket, onward]) side.on('error', () => undefined);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, count: () => count, close: () => void server.close() };
}

describe.each<FrontKind>(['nginx', 'caddy'])('behind %s', (kind) => {
  const missing = missingForFront(kind);
  if (missing !== null) console.warn(`A relay behind ${kind} is not tested: ${missing}.`);

  describe.skipIf(missing !== null)('with the example', () => {
    const relay = new TestRelay({
      ...PUBLIC,
      admin: true,
      metrics: { port: 0 },
      limits: { rates: { ...ROOMY_RATES, login: { burst: 2, perSecond: 1e-6 } } },
    });
    let front: Front;
    let person: Person;
    const as = (token: string, call: FrontCall = {}): FrontCall => ({
      ...call,
      headers: { authorization: `Bearer ${token}`, ...call.headers },
    });
    beforeAll(async () => {
      await relay.start();
      person = await newPerson(relay);
      front = await new Front(kind, [address(relay)]).start();
    });
    afterAll(async () => {
      await front[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    });

    test('http is redirected to https, with any method', async () => {
      const { status, headers } = await front.callPlain('/api/v1?x=1');
      expect(status).toBe(308);
      expect(headers.location).toMatch(/^https:\/\/relay\.example(?::\d+)?\/api\/v1\?x=1$/);
    });

    test('browsers get the header to use TLS once', async () => {
      const { headers } = await front.call('/healthz');
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    });

    test('an open inbox call is answered when mail arrives', async () => {
      const openPoll = front.call(`/api/v1/inbox?device=${person.device.id}&wait=30`, as(person.token));
      const stats = () => runAdminCommand(relay.folder.path, 'stats', {});
      await eventually(stats, ({ heldPolls }) => heldPolls === 1);
      const body = JSON.stringify(person.seal(person, person.device, 'through the proxy'));
      const posted = await front.call(
        '/api/v1/envelopes',
        as(person.token, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(body),
        }),
      );
      expect(posted.status).toBe(201);
      const answer = await openPoll;
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ envelopes: [{ from: person.address }] });
    });

    test('a file of two parts streams through in both directions', async () => {
      const blob = new TestBlob(9 * 1024 * 1024);
      const begun = await front.call(
        `/api/v1/blobs/${blob.id}`,
        as(person.token, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify({ size: blob.size })),
        }),
      );
      expect([200, 201]).toContain(begun.status);
      for (let part = 0; part < blob.partCount; part++) {
        const { octets, headers } = blob.part(part);
        const { sending, answer } = front.begin(
          `/api/v1/blobs/${blob.id}/parts/${part}`,
          as(person.token, {
            method: 'PUT',
            headers: {
              ...headers,
              'content-type': 'application/octet-stream',
              'content-length': `${octets.length}`,
            },
          }),
        );
        sending.write(octets.subarray(0, 1000));
        // A proxy that buffers the whole body first would not have called the relay yet.
        await eventually(transfers, (count) => count === 1);
        sending.end(octets.subarray(1000));
        expect((await answer).status).toBeLessThan(300);
      }
      const completed = await front.call(
        `/api/v1/blobs/${blob.id}/complete`,
        as(person.token, { method: 'POST' }),
      );
      expect(completed.status).toBeLessThan(300);
      const { status, bytes } = await front.call(`/api/v1/blobs/${blob.id}`, as(person.token));
      expect([status, bytes.equals(blob.bytes)]).toEqual([200, true]);
    });

    test('too large a body is refused without harm to others', async () => {
      const size = 9 * 1024 * 1024;
      const { sending, answer } = front.begin(
        '/api/v1/envelopes',
        as(person.token, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': `${size}` },
        }),
      );
      sending.end(Buffer.alloc(size, 0x20));
      // A caller that continues to send may see the end of the connection before the answer.
      const status = await answer.then(
        (refusal) => refusal.status,
        () => 413,
      );
      expect([413, 502]).toContain(status);
      expect((await front.call('/healthz')).status).toBe(200);
    });

    test('a caller is limited by its own address, not by a claimed one', async () => {
      const challenge = (from: string, claimed: string) =>
        front.call('/api/v1/auth/challenge', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': claimed },
          body: Buffer.from(JSON.stringify({ address: person.address })),
          from,
        });
      const statuses: number[] = [];
      for (const claimed of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '127.0.0.1'])
        statuses.push((await challenge('127.0.0.2', claimed)).status);
      expect(statuses.map((status) => status === 429)).toEqual([false, false, true, true]);
      expect((await challenge('127.0.0.3', '127.0.0.2')).status).not.toBe(429);
    });

    async function transfers(): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${relay.running.metricsPort}/metrics`);
      return Number(/^waxwing_blob_transfers (\d+)$/m.exec(await response.text())?.[1]);
    }
  });

  test.skipIf(missing !== null)('connections to the relay are reused', async () => {
    let port = 0;
    const door = await countingDoor(() => port);
    const at = `127.0.0.1:${door.port}`;
    await using relay = await new TestRelay({ ...PUBLIC, hosts: [at] }).start();
    port = relay.running.port;
    try {
      await using front = await new Front(kind, [at]).start();
      const before = door.count();
      for (let call = 0; call < 10; call++) expect((await front.call('/healthz')).status).toBe(200);
      expect(door.count() - before).toBeLessThan(3);
    } finally {
      door.close();
    }
  });

  test.skipIf(missing !== null)('a stopped relay is skipped, and no call fails', async () => {
    await using one = await new TestRelay(PUBLIC).start();
    await using other = await new TestRelay(PUBLIC).start();
    await using front = await new Front(kind, [address(one), address(other)]).start();
    await one.stop();
    for (let call = 0; call < 10; call++) expect((await front.call('/healthz')).status).toBe(200);
  });
});
