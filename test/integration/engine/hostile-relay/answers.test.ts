/**
 * A relay that answers nonsense, or too much, or not to the end: nothing breaks, and afterwards all goes on.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callEngine, TestEngine } from '../../../support/engine.ts';
import {
  conversationWith,
  type Honest,
  newHonest,
  textsOf,
  waitFor,
} from '../../../support/hostile-relay/people.ts';
import { HostileRelay, type Nonsense } from '../../../support/hostile-relay/proxy.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
});
afterAll(async () => {
  for (const { engine } of [ann, ben]) await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

test('nobody signs in to another host than the one that is called', async () => {
  await using phishing = await HostileRelay.start();
  phishing.lie(({ path, body }) =>
    path.endsWith('/auth/challenge') ? { ...(body as object), domain: 'bank.example' } : undefined,
  );
  await using engine = await new TestEngine(phishing.url).start();
  const { words, ask } = await callEngine(engine, 'setup.newPhrase', {});
  const answers = ask.map((place) => words[place - 1] ?? '');
  const identity = { kind: 'new' as const, answers };
  const finish = callEngine(engine, 'setup.finish', { relay: { kind: 'embedded' }, identity });
  await expect(finish).rejects.toThrow(/bank\.example/);
  // The wallet signs no login at all; a device renews its session for the host that it calls, and no other.
  const logins = phishing.requests.filter(
    ({ path, body }) => path.endsWith('/auth/session') && body.includes('nonce'),
  );
  expect(logins).toEqual([]);
});

const json = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);

const ANSWERS: Record<string, Nonsense> = {
  'nothing at all': (_, response) => response.end(),
  'an empty object': (_, response) => json(response, '{}'),
  'an empty list': (_, response) => json(response, '[]'),
  'a bare null': (_, response) => json(response, 'null'),
  'text that is no JSON': (_, response) => json(response, '<html>please log in</html>'),
  'JSON that is cut off': (_, response) => json(response, '{"envelopes": [{"id": "'),
  'JSON nested without end': (_, response) => json(response, '['.repeat(200_000)),
  'eight megabytes': (_, response) => json(response, `{"envelopes": "${'x'.repeat(8 * 1024 * 1024)}"}`),
  'a prototype': (_, response) =>
    json(response, '{"__proto__": {"ok": true}, "constructor": {"prototype": {}}}'),
  'a refusal without sense': (_, response) => json(response, '{"code": 7}', 403),
  'a status that is none': (_, response) => json(response, '{}', 299),
  'a redirect to itself': (request, response) =>
    response.writeHead(307, { location: request.url ?? '/' }).end(),
  'a redirect to somebody else': (_, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:9/steal' }).end(),
  'a connection that is cut': (request) => request.socket.destroy(),
  'a body that is cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('{"envelopes":');
    setTimeout(() => response.destroy(), 50);
  },
  'bytes that are no HTTP': (request) => request.socket.end('\0\0\0 nonsense \r\n\r\n'),
};

describe.each(Object.entries(ANSWERS))('%s', (_, answer) => {
  test('breaks nothing: what was written meanwhile goes out, and what waits comes, once', async () => {
    const before = await textsOf(ben);
    const text = `through ${_}`;
    hostile.babble(() => true, answer);
    const { id } = await conversationWith(ann, ben);
    await callEngine(ann.engine, 'messages.send', { conversationId: id, text });
    await callEngine(ben.engine, 'connection.retry', {});
    const wrong = [
      callEngine(ann.engine, 'people.resolve', { query: '@somebody' }),
      callEngine(ann.engine, 'groups.browse', { query: '', cursor: null }),
      callEngine(ann.engine, 'developer.get', {}),
      callEngine(ann.engine, 'people.search', { query: 'b', verifiedOnly: false, cursor: null }),
    ];
    for (const call of await Promise.allSettled(wrong)) {
      expect(call.status).toBe('rejected');
      if (call.status === 'rejected') expect(String(call.reason)).not.toMatch(/TypeError|undefined|ZodError/);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    hostile.tellTruth();
    await callEngine(ann.engine, 'connection.retry', {});
    await waitFor(ben, text);
    expect(await textsOf(ben)).toEqual([...before, text]);
  });
});

test('a relay that says that one is somebody else changes nothing', async () => {
  hostile.lie(({ path, body }) =>
    path.endsWith('/me') ? { ...(body as object), address: ben.address, handle: 'ben' } : undefined,
  );
  await ann.engine.close();
  await ann.engine.start();
  const { me } = await callEngine(ann.engine, 'app.state', {});
  expect(me).toMatchObject({ handle: 'ann' });
  expect(me?.address.toLowerCase()).toBe(ann.address);
  hostile.tellTruth();
});
