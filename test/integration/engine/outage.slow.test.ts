/**
 * After an outage the app calls the relay again within 5 seconds of its return, without any event that
 * announces it.
 */
import { expect, test } from 'vitest';
import type { Connection } from '../../../src/bridge/shapes/account.ts';
import { startRelay } from '../../../src/relay/index.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  temporaryFolder,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

/** Failures in a row after which a growing wait would be a minute. */
const MANY = 12;

/** Its clock is stopped, so that the times it states are exact. Its timers run. */
class StoppedEngine extends LocalEngine {
  readonly started = Date.now();

  protected override get surroundings() {
    return { now: () => this.started, random: Math.random };
  }
}

test('after any outage the wait is 5 seconds at most, and offline messages arrive', async () => {
  using folder = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const proxy = resources.use(await new CuttingProxy().start());
  const relay = await startRelay({
    dataDirectory: folder.path,
    publicUrl: proxy.url,
    limits: { rates: ROOMY_RATES },
  });
  resources.defer(() => relay.close());
  proxy.target = `http://127.0.0.1:${relay.port}`;
  const ann = resources.use(await new StoppedEngine(proxy.url).start());
  const ben = resources.use(await new LocalEngine(proxy.url).start());
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { id } = await openChat(ann, 'ben');

  const waits: number[] = [];
  const failed = Promise.withResolvers<void>();
  ann.handle.onEvent((name, payload) => {
    if (name !== 'connection.changed') return;
    const { state, nextRetryAt } = payload as Connection;
    if (state !== 'offline' || nextRetryAt === null || waits.length >= MANY) return;
    waits.push(nextRetryAt - ann.started);
    if (waits.length === MANY) failed.resolve();
    // Simulates the passing of time: only failures count.
    else void callEngine(ann, 'connection.retry', {});
  });
  proxy.cuts = () => true;
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'written while nobody answered' });
  await failed.promise;
  expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);

  // Neither gets a hint: no event of the network, and no press of Retry.
  proxy.cuts = () => false;
  await eventually(
    () => allMessages(ben),
    (all) => all.some(({ text }) => text === 'written while nobody answered'),
  );
  expect(await callEngine(ann, 'connection.get', {})).toMatchObject({ state: 'online', queued: 0 });
});
