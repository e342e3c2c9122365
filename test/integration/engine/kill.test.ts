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
  proxy.target = `http://127.0.0.1:${relay.port}`;
  // Calls are told apart by their tokens, and a poll says which device's token it carries.
  const devices = new Map<string, string>();
  let victim = '';
  let place: (typeof PLACES)[number] | null = null;
  let killed = Promise.withResolvers<void>();
  proxy.cuts = ({ path, caller, stage }) => {
    const device = path.match(/device=([\w-]+)/)?.[1];
    if (device !== undefined) devices.set(caller, device);
    if (place?.stage !== stage || !path.startsWith(place.path) || devices.get(caller) !== victim)
      return false;
    place = null;
    void ann.kill().then(killed.resolve);
    return true;
  };
  await using ann = await new KillableEngine(proxy.url).start();
  await using ben = await new TestEngine(proxy.url).start();
  victim = (await setUp(ann, 'ann')).deviceId;
  await setUp(ben, 'ben');
  const toBen = await openChat(ann, 'ben');
  const toAnn = await openChat(ben, 'ann');

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
