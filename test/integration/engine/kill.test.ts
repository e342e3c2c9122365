import { expect, test } from 'vitest';
import { startRelay } from '../../../src/relay/index.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { CuttingProxy, type Exchange } from '../../support/proxy.ts';

/** The exchanges between an engine and its relay that a message depends on: killed before and after each. */
const PLACES: Pick<Exchange, 'path' | 'stage'>[] = [
  { path: '/api/v1/envelopes', stage: 'before' },
  { path: '/api/v1/envelopes', stage: 'after' },
  { path: '/api/v1/inbox?', stage: 'after' },
  { path: '/api/v1/inbox/ack', stage: 'before' },
  { path: '/api/v1/inbox/ack', stage: 'after' },
];

test('a kill between any two steps loses nothing and shows nothing twice', { timeout: 120_000 }, async () => {
  using folder = temporaryFolder();
  await using proxy = await new CuttingProxy().start();
  const relay = await startRelay({ dataDirectory: folder.path, publicUrl: proxy.url });
  proxy.target = relay.url;
  const callers = new Set<string>();
  let place: (typeof PLACES)[number] | null = null;
  let killed = Promise.withResolvers<void>();
  await using ann = await new KillableEngine(proxy.url).start();
  await using ben = await new TestEngine(proxy.url).start();
  const me = await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const toBen = await openChat(ann, 'ben');
  const toAnn = await openChat(ben, 'ann');
  proxy.cuts = ({ path, caller, stage }) => {
    // Only Ann is killed: her poll names her device, and her other calls carry the same token.
    if (path.includes(`device=${me.deviceId}`)) callers.add(caller);
    if (!place || place.stage !== stage || !path.startsWith(place.path) || !callers.has(caller)) return false;
    place = null;
    void ann.kill().then(killed.resolve);
    return true;
  };

  const sent: string[] = [];
  for (const next of PLACES) {
    const text = `${next.stage} ${next.path}`;
    sent.push(text);
    killed = Promise.withResolvers();
    place = next;
    const isSending = next.path === '/api/v1/envelopes';
    const [writer, conversationId] = isSending ? [ann, toBen.id] : [ben, toAnn.id];
    // Killed during the call, the answer does not come; what the call wrote counts all the same.
    await callEngine(writer, 'messages.send', { conversationId, text }).catch(() => undefined);
    await killed.promise;
    await ann.start();
    for (const engine of [ann, ben]) {
      await eventually(
        () => allMessages(engine),
        (messages) => messages.some((message) => message.text === text),
      );
    }
  }

  await eventually(
    () => callEngine(ann, 'connection.get', {}),
    ({ queued, state }) => queued === 0 && state === 'online',
  );
  for (const engine of [ann, ben]) {
    const messages = await allMessages(engine);
    expect(messages.map(({ text }) => text)).toEqual(sent);
    expect(messages.every(({ state }) => state === 'sent' || state === 'received')).toBe(true);
  }
  await relay.close();
});
