/** A body that is refused during its upload: its sender gets the answer, not a broken connection. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

const MEBIBYTE = 1024 * 1024;

/** A connection on which a post of that many bytes begins. Actions of the other side never make it throw. */
async function beginPost(bytes: number) {
  const socket = connect(relay.running.port, '127.0.0.1');
  let received = '';
  const errors: Error[] = [];
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', (error) => errors.push(error));
  await once(socket, 'connect');
  const head = [
    'POST /api/v1/envelopes HTTP/1.1',
    `Host: ${relay.domain}`,
    `Authorization: Bearer ${ann.token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, closed, errors, received: () => received };
}

test('too large a body is refused, and its sender may finish it and call again', async () => {
  const size = 9 * MEBIBYTE;
  const { socket, closed, errors, received } = await beginPost(size);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 413 /);
  for (let sent = 0; sent < size; sent += MEBIBYTE) {
    await new Promise((resolve) => socket.write(Buffer.alloc(MEBIBYTE, 0x20), resolve));
  }
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${relay.domain}\r\nConnection: close\r\n\r\n`);
  await closed;
  expect(errors).toEqual([]);
  expect(received()).toMatch(/HTTP\/1\.1 200 /);
});

test('an endless body is cut off after the refusal', async () => {
  const { socket, closed, received } = await beginPost(1024 * MEBIBYTE);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 413 /);
  let sent = 0;
  // A failed write also means that the connection is closed.
  const written = () =>
    new Promise((resolve) => {
      socket.write(Buffer.alloc(MEBIBYTE, 0x20), (error) => resolve(error ? 'closed' : 'written'));
    });
  while ((await Promise.race([written(), closed])) !== 'closed') sent += MEBIBYTE;
  expect(sent).toBeLessThan(64 * MEBIBYTE);
});
