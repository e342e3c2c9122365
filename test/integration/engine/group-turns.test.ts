/**
 * Answers of the relay about one group are stored in the order of the requests.
 */
import { expect, test } from 'vitest';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { callEngine, setUp, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

function groupOf(conversation: Conversation) {
  if (conversation.kind !== 'group') throw new Error('this is no group');
  return conversation.group;
}

test('a late answer to a change does not remove a member who joined since', async () => {
  using folder = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const proxy = resources.use(await new CuttingProxy().start());
  const limits = { rates: ROOMY_RATES };
  const relay = await startRelay({ dataDirectory: folder.path, publicUrl: proxy.url, limits });
  resources.defer(() => relay.close());
  proxy.target = `http://127.0.0.1:${relay.port}`;
  const [ann, ben] = [new LocalEngine(proxy.url), new LocalEngine(proxy.url)].map((engine) =>
    resources.use(engine),
  ) as [LocalEngine, LocalEngine];
  for (const [engine, handle] of [
    [ann, 'ann'],
    [ben, 'ben'],
  ] as const) {
    await engine.start();
    await setUp(engine, handle);
  }
  const made = await callEngine(ann, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  const { groupId } = groupOf(made);

  // The relay has changed the name. Its answer arrives after Ben has joined and Ann has read the chain again.
  const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  let isHeld = false;
  proxy.cuts = ({ path, stage }) => {
    if (isHeld || stage === 'before' || !path.endsWith(`/groups/${groupId}/roster`)) return false;
    isHeld = true;
    answered.resolve();
    return released.promise;
  };
  const change = callEngine(ann, 'groups.change', { conversationId: made.id, name: 'Herons' });
  await answered.promise;
  await callEngine(ben, 'groups.join', { groupId, password: null });
  const details = callEngine(ann, 'groups.details', { conversationId: made.id });
  // Calls that Ann's engine makes after that one, and that wait for nothing.
  for (let call = 0; call < 5; call++) await callEngine(ann, 'groups.browse', { query: '', cursor: null });
  released.resolve(false);
  await Promise.all([change, details]);

  const { members } = await callEngine(ann, 'groups.details', { conversationId: made.id });
  expect(members).toHaveLength(2);
  const page = { conversationId: made.id, limit: 200 };
  const { messages } = await callEngine(ann, 'messages.list', page);
  // Ben has joined, and all others are still members.
  expect(messages).toHaveLength(1);
});
