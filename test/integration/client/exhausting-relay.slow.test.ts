/**
 * A relay that tries to exhaust its clients: with endless or compressed answers, invalid times, immediate
 * empty pages, and endless lists.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { RelayHttp, RelayRefusal, RelayUnreachable } from '../../../src/client/http.ts';
import { WaitingMessages } from '../../../src/host/waiting-messages.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { newBot, waiting } from '../../support/bots.ts';
import { callEngine, setUp } from '../../support/engine.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson } from '../../support/person.ts';
import { type StoppedTimers, stopTimers } from '../../support/stopped-timers.ts';

const MEBIBYTE = 1024 * 1024;
const TOKEN = `sk_live_${'a'.repeat(43)}`;
/** Time in which calls are counted, in seconds. */
const WATCHED = 3;
/** Calls to another path, one after the other: a program that calls without a pause makes about as many calls in that time. */
const ROUNDS = 40;
/** Calls in that time: one a second, and those of the start. */
const FEW = 8;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serverOf(answer: Answer): Promise<AsyncDisposable & { url: string; server: Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const query = (url: string) => new RelayHttp(url).call('getMe', { token: TOKEN });

test('320 KB of gzip that become 320 MB are not unpacked: compression is neither requested nor accepted', async () => {
  const bomb = gzipSync(Buffer.alloc(320 * MEBIBYTE, ' '));
  const accepted: unknown[] = [];
  await using relay = await serverOf((request, response) => {
    accepted.push(request.headers['accept-encoding']);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bomb);
  });
  const before = process.memoryUsage().rss;
  const calls = await Promise.allSettled(Array.from({ length: 8 }, () => query(relay.url)));
  for (const call of calls) {
    expect(call).toMatchObject({ status: 'rejected', reason: { name: 'RelayUnreachable' } });
  }
  expect(new Set(accepted)).toEqual(new Set(['identity']));
  // A single one of the eight would have been 320 MiB.
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEBIBYTE);
});

test.each([200, 400])('an endless answer is read up to its limit (status %i)', async (status) => {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  await using relay = await serverOf((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.once('close', closed.resolve);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const go = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on('drain', go);
    go();
  });
  await expect(query(relay.url)).rejects.toThrow('answer is too long');
  await closed.promise;
  // Socket buffers come on top of the 64 KiB limit.
  expect(sent).toBeLessThan(32 * MEBIBYTE);
});

test('an answer of a million empty lists, or of nested lists, is not parsed', async () => {
  for (const text of [`[${'[],'.repeat(15_000)}[]]`, '['.repeat(30_000), '{"a":'.repeat(10_000)]) {
    await using relay = await serverOf((_, response) => response.end(text));
    await expect(query(relay.url)).rejects.toBeInstanceOf(RelayUnreachable);
  }
});

test.each([
  ['-1', null],
  ['', null],
  ['soon', null],
  ['1e9', null],
  ['NaN', null],
  ['0', 1_000],
  ['7', 7_000],
  ['3000000', 3_600_000],
  ['99999999999999999999', null],
])('Retry-After: %j is %s ms', async (header, expected) => {
  await using relay = await serverOf((_, response) => {
    response.writeHead(503, { 'retry-after': header, 'content-type': 'application/json' }).end('{}');
  });
  const error = await query(relay.url).catch((reason) => reason);
  expect(error).toBeInstanceOf(RelayRefusal);
  expect(error.retryAfter).toBe(expected);
});

/** Advances the clock by {@link WATCHED} seconds. Work that does not wait for time is done meanwhile. */
async function watch(hostile: HostileRelay, clock: StoppedTimers): Promise<void> {
  for (let second = 0; second <= WATCHED; second++) {
    if (second > 0) clock.pass(1_000);
    for (let round = 0; round < ROUNDS; round++) await (await fetch(`${hostile.url}/healthz`)).text();
  }
}

/** Number of inbox calls in a period. */
async function countPolls(hostile: HostileRelay, clock: StoppedTimers): Promise<number> {
  const before = hostile.requests.length;
  await watch(hostile, clock);
  return hostile.requests.slice(before).filter(({ path }) => path.includes('/inbox?')).length;
}

const isInbox = (path: string) => path.includes('/inbox?');
const deviceIn = (url: string | undefined) => new URL(url ?? '', 'http://x').searchParams.get('device');

const answerAtOnce: { what: string; answer: Answer }[] = [
  {
    what: 'empty pages at once',
    answer: (request, response) =>
      response.end(JSON.stringify({ device: deviceIn(request.url), envelopes: [], more: true })),
  },
  ...['-1', '0', '3000000', '99999999999'].map((after) => ({
    what: `503 with Retry-After: ${after}`,
    answer: (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(503, { 'retry-after': after }).end('{}'),
  })),
];

test.for(answerAtOnce)('$what: app, library and locked app pause between calls', async ({ answer }) => {
  using clock = stopTimers();
  await using hostile = await HostileRelay.start();
  await using engine = await new LocalEngine(hostile.url).start();
  await setUp(engine, 'ann');
  const access = await engine.handle.inboxAccess();
  if (!access) throw new Error('the engine has no session');
  hostile.babble(isInbox, answer);
  await callEngine(engine, 'connection.retry', {});
  expect(await countPolls(hostile, clock)).toBeLessThanOrEqual(FEW);
  await engine.close();

  const locked = new WaitingMessages(access, () => undefined);
  const polls = await countPolls(hostile, clock);
  locked.close();
  expect(polls).toBeLessThanOrEqual(FEW);

  hostile.answerTruthfully();
  const bot = await newBot(hostile);
  hostile.babble(isInbox, answer);
  const stop = new AbortController();
  const receiving = (async () => {
    for await (const _ of bot.client.messages({ signal: stop.signal }))
      throw new Error('a message from nowhere');
  })();
  expect(await countPolls(hostile, clock)).toBeLessThanOrEqual(FEW);
  stop.abort();
  await receiving;
});

test('a full page with new hidden content does not make the app call without a pause', async () => {
  using clock = stopTimers();
  await using hostile = await HostileRelay.start();
  await using engine = await new LocalEngine(hostile.url).start();
  const { address } = await setUp(engine, 'ann');
  const eve = await newPerson(hostile.relay);
  const ann = await targetOf(hostile, eve.token, address.toLowerCase());
  const unknown = () => ({ ...directBody(eve.address, ann.address, 'x'), kind: 'nonsense' });
  const contents = Array.from({ length: 40 }, () =>
    forge(eve.address, ann, { channel: 'direct', body: unknown() }, eve.signer),
  );
  hostile.babble(isInbox, (request, response) => {
    const envelopes = contents.splice(0, 1);
    response.end(JSON.stringify({ device: deviceIn(request.url), envelopes, more: true }));
  });
  await callEngine(engine, 'connection.retry', {});
  expect(await countPolls(hostile, clock)).toBeLessThanOrEqual(FEW);
});

test('a new message in each answer, as from invented strangers, does not make app or library call without a pause', async () => {
  using clock = stopTimers();
  await using hostile = await HostileRelay.start();
  await using engine = await new LocalEngine(hostile.url).start();
  const { address } = await setUp(engine, 'ann');
  const eve = await newPerson(hostile.relay);
  const bot = await newBot(hostile);
  const polls = () => hostile.requests.filter(({ path }) => path.includes('/inbox?')).length;
  /** Answers each poll of a device with one of this number of messages. Returns the number of polls until the end of a period. */
  const flood = async (of: string) => {
    const target = await targetOf(hostile, eve.token, of);
    const messages = Array.from({ length: 90 }, (_, index) =>
      forge(
        eve.address,
        target,
        { channel: 'direct', body: directBody(eve.address, of, `number ${index}`) },
        eve.signer,
      ),
    );
    hostile.babble(isInbox, (request, response) => {
      const envelopes = messages.splice(0, 1);
      response.end(JSON.stringify({ device: deviceIn(request.url), envelopes, more: true }));
    });
    const before = polls();
    // On a busy machine the first ones may take longer than the period.
    while (polls() < before + 3) await (await fetch(`${hostile.url}/healthz`)).text();
    await watch(hostile, clock);
    return polls() - before;
  };
  await callEngine(engine, 'connection.retry', {});
  // Twenty at once, the pending one, and two a second.
  const most = 22 + 2 * WATCHED;
  const app = await flood(address.toLowerCase());
  expect(app).toBeLessThanOrEqual(most);
  await engine.close();

  hostile.answerTruthfully();
  const stop = new AbortController();
  const receiving = (async () => {
    for await (const message of bot.client.messages({ signal: stop.signal }))
      expect(message.text).not.toBeNull();
  })();
  const library = await flood(bot.identity.address);
  stop.abort();
  await receiving;
  expect(library).toBeLessThanOrEqual(most);
});

test('a look at the queue ends although the relay always announces more', async () => {
  await using hostile = await HostileRelay.start();
  const bot = await newBot(hostile);
  hostile.babble(isInbox, answerAtOnce[0]?.answer ?? (() => undefined));
  expect(await waiting(bot)).toEqual([]);
});

test('endless lists of groups come to an end', async () => {
  using clock = stopTimers();
  await using hostile = await HostileRelay.start();
  await using engine = await new LocalEngine(hostile.url).start();
  await setUp(engine, 'ann');
  const bot = await newBot(hostile);
  const isList = (path: string) => path.includes('/groups?');
  hostile.babble(isList, (_, response) => {
    const id = () => encodeBase64Url(randomBytes(16));
    const mode = { hasPassword: false, join: 'open', creator: null };
    const group = { id: id(), name: 'x', verified: false, memberCount: 1, ...mode };
    response.end(JSON.stringify({ groups: isEmpty ? [] : [group], nextCursor: id() }));
  });
  let isEmpty = false;
  const countLists = () => hostile.requests.filter(({ path }) => isList(path)).length;
  expect((await bot.client.groups({ mine: true, limit: 50 })).length).toBeLessThanOrEqual(50);
  isEmpty = true;
  const before = countLists();
  expect(await bot.client.groups({ mine: true, limit: 50 })).toEqual([]);
  expect(countLists() - before).toBeLessThan(50);
  const beforeSync = countLists();
  await engine.close();
  await engine.start();
  await watch(hostile, clock);
  // Forty pages for each time that the app comes online.
  expect(countLists() - beforeSync).toBeLessThanOrEqual(200);
});
