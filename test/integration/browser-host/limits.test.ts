/**
 * B7: any frames that a page, or a program in its place, sends over its socket, at any speed.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { messagesIn, TestHost } from '../../support/browser-host.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import {
  CONTINUATION,
  closeCodeIn,
  frameBytes,
  PING,
  type RawFrame,
  readToEnd,
  TEXT,
} from '../../support/raw-socket.ts';
import { runs } from '../../support/runs.ts';
import { stopTimers } from '../../support/stopped-timers.ts';

const host = new TestHost();
beforeAll(() => host.start());
afterEach(() => host.dropSockets());
afterAll(() => host[Symbol.asyncDispose]());

const callOf = (id: string, name = 'app.state') =>
  JSON.stringify({ t: 'q', m: 'call', a: [name, {}], i: id });

/** Sends calls, and resolves with the ids of the answers once they are all there. */
async function answersTo(socket: WebSocket, ids: string[]): Promise<string[]> {
  const answered: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('message', (frame: Buffer) => {
    for (const { i } of messagesIn<{ i?: string }>(frame))
      if (i !== undefined && ids.includes(i)) answered.push(i);
    if (answered.length === ids.length) resolve();
  });
  for (const id of ids) socket.send(callOf(id));
  await promise;
  return answered;
}

async function expectAlive(): Promise<void> {
  const socket = await host.welcomedSocket();
  expect(await answersTo(socket, ['alive'])).toEqual(['alive']);
  socket.terminate();
}

/** An open WebSocket, authenticated if requested. */
async function rawSocket(isWelcome: boolean): Promise<Socket> {
  const bearer = isWelcome ? await host.newBearer() : null;
  const socket = host.connection();
  socket.write(
    [
      'GET /bridge HTTP/1.1',
      `Host: ${host.authority}`,
      `Origin: ${host.origin}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n'),
  );
  if (bearer !== null) socket.write(frameBytes({ opcode: TEXT, payload: Buffer.from(bearer) }));
  await once(socket, 'readable');
  return socket;
}

describe('B7: the rate of calls', () => {
  test('a page above fifty calls a second is answered in order, at that rate', async () => {
    const socket = await host.welcomedSocket();
    const from = host.called.length;
    using clock = stopTimers();
    const ids = Array.from({ length: 130 }, (_, index) => `${index}`);
    const all = answersTo(socket, ids);
    for (const made of [50, 100]) {
      // It waits for the clock, and has used its whole allowance.
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      expect(host.called.length - from).toBe(made);
      clock.pass(999);
      expect(host.called.length - from).toBe(made);
      clock.pass(1);
    }
    const answered = await all;
    expect(answered.toSorted((one, other) => Number(one) - Number(other))).toEqual(ids);
  });

  test('calls reach the app in the order in which they were made', async () => {
    const socket = await host.welcomedSocket();
    const from = host.called.length;
    const names = Array.from({ length: 70 }, (_, index) =>
      index % 3 === 0 ? 'settings.get' : `none.${index}`,
    );
    for (const [index, name] of names.entries()) socket.send(callOf(`${index}`, name));
    await expect.poll(() => host.called.slice(from)).toEqual(names);
  });

  test('another page does not wait for one that calls too fast', async () => {
    const [fast, other] = [await host.welcomedSocket(), await host.welcomedSocket()];
    let done = false;
    const flood = answersTo(
      fast,
      Array.from({ length: 120 }, (_, index) => `${index}`),
    ).then(() => {
      done = true;
    });
    await answersTo(other, ['mine']);
    expect(done).toBe(false);
    await flood;
  });

  test('pending calls of a closed socket are not done', async () => {
    const socket = await host.welcomedSocket();
    const from = host.called.length;
    for (let index = 0; index < 60; index++) socket.send(callOf(`${index}`));
    socket.send('no JSON');
    for (let index = 0; index < 60; index++) socket.send(callOf(`${index}`, 'lock.now'));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1007);
    await expectAlive();
    expect(host.called.slice(from)).not.toContain('lock.now');
  });
});

test('B7: a page that does not read is disconnected before the unread data fills the memory', async () => {
  const [silent, other] = [await host.welcomedSocket(), await host.welcomedSocket()];
  const gone = once(silent, 'close');
  silent.pause();
  const payload = { conversationId: 'x'.repeat(1024 * 1024) };
  // Buffers of the operating system are not included.
  for (let repeat = 0; repeat < 40; repeat++) {
    const arrived = once(other, 'message');
    host.emit('messages.changed', payload);
    // The other page reads each before the next, so that it is not behind on a busy computer.
    await arrived;
  }
  silent.resume();
  const [code] = (await gone) as [number];
  expect(code, 'cut off, not closed').toBe(1006);
  expect(await answersTo(other, ['alive']), 'who reads stays').toEqual(['alive']);
});

describe('B7: the host pings every twenty seconds', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => vi.useRealTimers());

  test('disconnects only the socket that does not answer the ping', async () => {
    const silent = await rawSocket(true);
    const polite = await host.welcomedSocket();
    const closed = readToEnd(silent);
    for (let ping = 0; ping < 2; ping++) {
      const pinged = once(polite, 'ping');
      vi.advanceTimersByTime(20_000);
      await pinged;
      // The pong is sent; an answer follows it.
      await answersTo(polite, [`after ping ${ping}`]);
    }
    await closed;
    expect(polite.readyState).toBe(polite.OPEN);
  });
});

const hello = Buffer.from(callOf('1'));
const half = Buffer.alloc(300 * 1024, 'a');
const pieces = (count: number): RawFrame[] => [
  { opcode: TEXT, fin: false, payload: Buffer.from('a') },
  ...Array.from({ length: count }, () => ({ opcode: CONTINUATION, fin: false, payload: Buffer.from('a') })),
];

describe.each([
  ['before its bearer', false],
  ['with its bearer', true],
])('B7: a socket %s', (_when, isWelcome) => {
  test.each<[string, RawFrame[], number]>([
    ['a frame without a mask', [{ opcode: TEXT, payload: hello, masked: false }], 1002],
    ['a reserved bit', [{ opcode: TEXT, payload: hello, reserved: 1 }], 1002],
    ['the bit for compression', [{ opcode: TEXT, payload: hello, reserved: 4 }], 1002],
    ['an opcode that nobody knows', [{ opcode: 3, payload: hello }], 1002],
    ['a control opcode that nobody knows', [{ opcode: 11 }], 1002],
    ['the rest of nothing', [{ opcode: CONTINUATION, payload: hello }], 1002],
    ['a beginning in a message', [...pieces(1), { opcode: TEXT, payload: hello }], 1002],
    ['a ping in pieces', [{ opcode: PING, fin: false }], 1002],
    ['a ping that is too long', [{ opcode: PING, payload: Buffer.alloc(126) }], 1002],
    ['a close code that is none', [{ opcode: 8, payload: Buffer.from([0, 1]) }], 1002],
    ['text that is not UTF-8', [{ opcode: TEXT, payload: Buffer.from([0xff, 0xfe]) }], 1007],
    ['a frame that claims to be too long', [{ opcode: TEXT, payload: hello, claims: 512 * 1024 + 1 }], 1009],
    ['a frame that claims the greatest length', [{ opcode: TEXT, claims: 2 ** 40 }], 1009],
    [
      'pieces that are too long together',
      [
        { opcode: TEXT, fin: false, payload: half },
        { opcode: CONTINUATION, payload: half },
      ],
      1009,
    ],
    ['more pieces than anybody needs', pieces(200), 1008],
  ])('is closed for %s', async (_what, frames, code) => {
    const from = host.called.length;
    const socket = await rawSocket(isWelcome);
    const closed = readToEnd(socket);
    socket.write(Buffer.concat(frames.map(frameBytes)));
    expect(closeCodeIn(await closed)).toBe(code);
    expect(host.called).toHaveLength(from);
    await expectAlive();
  });
});

test('B7: a message in a few pieces is one message', async () => {
  const from = host.called.length;
  const socket = await rawSocket(true);
  const cut = Math.floor(hello.length / 2);
  const frames: RawFrame[] = [
    { opcode: TEXT, fin: false, payload: hello.subarray(0, cut) },
    { opcode: PING, payload: Buffer.from('between') },
    { opcode: CONTINUATION, payload: hello.subarray(cut) },
  ];
  socket.write(Buffer.concat(frames.map(frameBytes)));
  await expect.poll(() => host.called.slice(from)).toEqual(['app.state']);
  socket.destroy();
});

test('B7: the host survives any frames and does nothing that was not requested', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  const frame = fc.record(
    {
      fin: fc.boolean(),
      reserved: fc.integer({ min: 0, max: 7 }),
      opcode: fc.integer({ min: 0, max: 15 }),
      payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      masked: fc.boolean(),
    },
    { requiredKeys: ['opcode'] },
  );
  const from = host.called.length;
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 8 }),
      fc.uint8Array({ maxLength: 40 }),
      async (frames, rest) => {
        const socket = await rawSocket(true);
        const closed = readToEnd(socket);
        socket.end(Buffer.concat([...frames.map((each) => frameBytes(each as RawFrame)), Buffer.from(rest)]));
        await closed;
      },
    ),
    { numRuns: runs({ quick: 40, all: 150, nightly: 20_000 }) },
  );
  expect(host.called).toHaveLength(from);
  await expectAlive();
});
