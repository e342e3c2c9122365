import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { messagesIn, TestHost } from '../../support/browser-host.ts';
import { stopTimers } from '../../support/stopped-timers.ts';

const host = new TestHost();
beforeAll(() => host.start());
afterEach(() => host.dropSockets());
afterAll(() => host[Symbol.asyncDispose]());

async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

/** The answer to the call with this id, which may have arrived already. */
function answerTo(socket: WebSocket, id: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const listen = (frame: Buffer): void => {
    const message = messagesIn<{ i?: string }>(frame).find(({ i }) => i === id);
    if (!message) return;
    socket.off('message', listen);
    resolve(message);
  };
  socket.on('message', listen);
  return promise;
}

/** Fails if the host has closed this socket. Earlier data has arrived when its answer to a ping has. */
async function expectOpen(socket: WebSocket): Promise<void> {
  const pong = once(socket, 'pong');
  socket.ping();
  await pong;
  expect(socket.readyState).toBe(WebSocket.OPEN);
}

/** Reports whether the host still answers on this socket. */
async function expectAlive(socket: WebSocket): Promise<void> {
  socket.send(JSON.stringify({ t: 'q', m: 'call', a: ['app.state', {}], i: 'alive' }));
  expect(await answerTo(socket, 'alive')).toMatchObject({ t: 's', r: { ok: true, value: { phase: 'new' } } });
}

describe('before a bearer is shown', () => {
  test.each([
    ['nothing in it', ''],
    ['a wrong bearer', 'A'.repeat(43)],
    ['a call', JSON.stringify({ t: 'q', m: 'call', a: ['setup.newPhrase', {}], i: '1' })],
    ['the name of a property', '__proto__'],
  ])('B2, B8: a first frame with %s closes the socket', async (_name, frame) => {
    const socket = await host.socket();
    const closed = closeCode(socket);
    socket.send(frame);
    socket.send(JSON.stringify({ t: 'q', m: 'call', a: ['setup.newPhrase', {}], i: '1' }));
    expect(await closed).toBe(4401);
    expect(host.called).not.toContain('setup.newPhrase');
  });

  test('B2: a link’s token is not a bearer', async () => {
    const socket = await host.socket();
    const closed = closeCode(socket);
    socket.send(host.newToken());
    expect(await closed).toBe(4401);
  });

  test('B8: nothing is sent', async () => {
    const socket = await host.socket();
    const frames: string[] = [];
    socket.on('message', (frame: Buffer) => frames.push(frame.toString()));
    const other = await host.welcomedSocket();
    other.send(JSON.stringify({ t: 'q', m: 'call', a: ['settings.set', { theme: 'dark' }], i: '1' }));
    await answerTo(other, '1');
    // Frames come in order.
    await expectOpen(socket);
    expect(frames).toEqual([]);
  });

  test('B7: a silent socket is closed after five seconds', async () => {
    using clock = stopTimers();
    const socket = await host.socket();
    const closed = closeCode(socket);
    clock.pass(4_999);
    await expectOpen(socket);
    clock.pass(1);
    expect(await closed).toBe(4401);
  });
});

describe('with a bearer', () => {
  test('calls are answered, and events are sent to every page', async () => {
    const [one, other] = [await host.welcomedSocket(), await host.welcomedSocket()];
    await expectAlive(one);
    const frames = once(other, 'message') as Promise<[Buffer]>;
    one.send(JSON.stringify({ t: 'q', m: 'call', a: ['settings.set', { theme: 'light' }], i: '1' }));
    expect(messagesIn((await frames)[0])).toMatchObject([
      { m: 'event', a: ['settings.changed', { theme: 'light' }] },
    ]);
  });

  test('events of one turn are sent to a page in one frame, in order', async () => {
    const socket = await host.welcomedSocket();
    const frames: Buffer[] = [];
    socket.on('message', (frame: Buffer) => frames.push(frame));
    const lists = ['1', '2', '3'].map((id) => ({ conversationId: id }));
    for (const payload of lists) host.emit('messages.changed', payload);
    await expectAlive(socket);
    expect(messagesIn(frames[0] ?? Buffer.from('[]'))).toMatchObject(
      lists.map((payload) => ({ m: 'event', a: ['messages.changed', payload] })),
    );
  });

  test('the same bearer opens a second socket: a reload keeps the session', async () => {
    const bearer = await host.newBearer();
    for (let time = 0; time < 2; time++) {
      const socket = await host.socket();
      socket.send(bearer);
      await once(socket, 'message');
      await expectAlive(socket);
    }
  });

  test.each([
    ['no JSON', 'hello'],
    ['half of it', '{"t":"q"'],
    ['bytes', Buffer.from([0, 255, 254])],
    ['no object', '"call"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no type', '{"m":"call","a":[],"i":"1"}'],
    ['no method', '{"t":"q","a":[],"i":"1"}'],
    ['a method that is an object', '{"t":"q","m":{"toString":1,"valueOf":1},"a":[],"i":"1"}'],
    ['no arguments', '{"t":"q","m":"call","i":"1"}'],
    ['arguments that are no list', '{"t":"q","m":"call","a":"ab","i":"1"}'],
    ['no id', '{"t":"q","m":"call","a":["app.state",{}]}'],
    ['an empty id', '{"t":"q","m":"call","a":["app.state",{}],"i":""}'],
    ['an id that is an object', '{"t":"q","m":"call","a":["app.state",{}],"i":{}}'],
    ['an answer to nothing', '{"t":"s","i":"1","r":1}'],
  ])('B7: a frame with %s closes the socket as ill-formed', async (_name, frame) => {
    const socket = await host.welcomedSocket();
    const closed = closeCode(socket);
    socket.send(frame);
    expect(await closed).toBe(1007);
    await expectAlive(await host.welcomedSocket());
  });

  test('B7: a frame over half a mebibyte closes the socket; one below does not', async () => {
    const socket = await host.welcomedSocket();
    const query = (length: number) =>
      JSON.stringify({ t: 'q', m: 'call', a: ['people.resolve', { query: 'a'.repeat(length) }], i: 'long' });
    socket.send(query(512 * 1024 - 200));
    expect(await answerTo(socket, 'long')).toMatchObject({ r: { failure: { code: 'input_malformed' } } });
    const closed = closeCode(socket);
    socket.send(query(512 * 1024));
    expect(await closed).toBe(1009);
  });

  test('unknown methods are answered with an error', async () => {
    const socket = await host.welcomedSocket();
    const before = host.called.length;
    const names = ['nothing', 'constructor', '__proto__', 'toString', '$close', '$functions', 'then'];
    for (const m of names) {
      socket.send(JSON.stringify({ t: 'q', m, a: [], i: m }));
      expect(await answerTo(socket, m)).toEqual({ t: 's', i: m, e: {} });
    }
    expect(host.called).toHaveLength(before);
    await expectAlive(socket);
  });

  test('calls of hostile names and inputs are answered with a failure', async () => {
    const socket = await host.welcomedSocket();
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const calls = [
      '[]',
      '[null]',
      '[{"toString":1},{}]',
      '["constructor",{}]',
      '["__proto__",{}]',
      '["hasOwnProperty",{}]',
      '["app.state"]',
      '["app.state",null]',
      '["app.state",{"__proto__":{"x":1}}]',
      '["app.state",{"constructor":{"prototype":{"x":1}}}]',
      `["app.state",${nested}]`,
      `["settings.set",${nested}]`,
      `["people.resolve",{"query":${nested}}]`,
      '["settings.set",{"theme":"pink"}]',
    ];
    for (const [index, call] of calls.entries()) {
      socket.send(`{"t":"q","m":"call","a":${call},"i":"${index}"}`);
      const answer = (await answerTo(socket, `${index}`)) as { r?: { ok: boolean }; e?: unknown };
      expect(answer.e !== undefined || answer.r?.ok === false, call.slice(0, 60)).toBe(true);
      expect(JSON.stringify(answer)).not.toMatch(/\.ts|node_modules| at /);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
    await expectAlive(socket);
  });
});

describe('B7: any program of this computer can open sockets without a bearer', () => {
  /** Silent open sockets, as many as requested, at once. */
  const strangers = (crowded: TestHost, count: number) =>
    Promise.all(Array.from({ length: count }, () => crowded.socket()));

  test('they block no page: a new page gets its answer, and open pages keep theirs', async () => {
    await using crowded = await new TestHost().start();
    const before = await crowded.welcomedSocket();
    await strangers(crowded, 64);
    await expectAlive(await crowded.welcomedSocket());
    const many = await strangers(crowded, 64);
    await expectAlive(await crowded.welcomedSocket());
    await expectAlive(before);
    expect(many.filter(({ readyState }) => readyState === WebSocket.OPEN).length).toBeLessThanOrEqual(64);
    await crowded.dropSockets();
  });

  test('at most sixty-four of them are open; one more closes the oldest', async () => {
    await using crowded = await new TestHost().start();
    const [oldest] = await strangers(crowded, 1);
    const others = await strangers(crowded, 63);
    const ended = once(oldest as WebSocket, 'close');
    await crowded.socket();
    await ended;
    expect(others.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
    await crowded.dropSockets();
  });
});

test('B7: at most sixteen pages are served at once; one more returns later, and a closed one makes room', async () => {
  await using crowded = await new TestHost().start();
  const bearer = await crowded.newBearer();
  const page = async () => {
    const socket = await crowded.socket();
    socket.send(bearer);
    return socket;
  };
  const pages = await Promise.all(Array.from({ length: 16 }, page));
  await Promise.all(pages.map(expectAlive));
  expect(await closeCode(await page())).toBe(1013);
  const closed = once(pages[0] as WebSocket, 'close');
  pages[0]?.close();
  await closed;
  await expectAlive(await page());
  await crowded.dropSockets();
});

test('prepared files of a page are dropped when it is closed', async () => {
  const socket = await host.welcomedSocket();
  host.answers.set('files.begin', { id: '1', path: '/files/a' });
  const call = ['files.begin', { conversationId: '1', size: 1 }];
  socket.send(JSON.stringify({ t: 'q', m: 'call', a: call, i: 'begin' }));
  await answerTo(socket, 'begin');
  expect(host.called).not.toContain('files.drop');
  const closed = closeCode(socket);
  socket.close();
  await closed;
  await expect.poll(() => host.called).toContain('files.drop');
});

test('closing the host waits a second for pages without a close frame', async () => {
  await using stopping = await new TestHost().start();
  const silent = await stopping.welcomedSocket();
  silent.pause();
  const polite = await stopping.welcomedSocket();
  const code = closeCode(polite);
  using clock = stopTimers();
  const cut = once(silent, 'close');
  const closed = stopping.close();
  expect(await code).toBe(1001);
  clock.pass(1_000);
  await closed;
  silent.resume();
  await cut;
});
