/** A computer that slept has an open call that will never be answered: after waking up it calls again. */
import { expect, test } from 'vitest';
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
import { stopTimers } from '../../support/stopped-timers.ts';

test('waking aborts a dead poll and fetches new messages', async () => {
  // No call and no wait times out, neither at the relay nor in the app.
  using _ = stopTimers();
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
  const ann = resources.use(await new LocalEngine(proxy.url).start());
  const ben = resources.use(await new LocalEngine(proxy.url).start());
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');

  const never = new Promise<boolean>(() => undefined);
  const dead = Promise.withResolvers<void>();
  const { deviceId = '' } = (await callEngine(ben, 'app.state', {})).me ?? {};
  proxy.cuts = ({ path, stage }) => {
    if (stage === 'before' || !path.includes(`/inbox?device=${deviceId}`)) return false;
    dead.resolve();
    return never;
  };
  const { id } = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'while you slept' });
  await dead.promise;
  proxy.cuts = () => false;
  expect(await allMessages(ben)).toEqual([]);

  await callEngine(ben, 'connection.retry', {});
  await eventually(
    () => allMessages(ben),
    (all) => all.some(({ text }) => text === 'while you slept'),
  );
  await eventually(
    () => callEngine(ben, 'connection.get', {}),
    ({ state, problem }) => state === 'online' && problem === null,
  );
});
