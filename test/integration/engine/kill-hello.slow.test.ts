/**
 * A kill between a change of the own device list and the plan to inform others.
 */
import { expect, test } from 'vitest';
import { callEngine, eventually, setUp } from '../../support/engine.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

test('contacts are informed once of a changed list although the app was killed right after the change', async () => {
  await using relay = await new TestRelay().start();
  await using ann = await new KillableEngine(relay.url).start();
  await setUp(ann, 'ann');
  const dora = await newPerson(relay);
  const { id: conversationId } = await callEngine(ann, 'conversations.open', { address: dora.address });
  await callEngine(ann, 'messages.send', { conversationId, text: 'hello Dora' });
  await eventually(
    () => dora.inbox(),
    ({ length }) => length === 1,
  );
  await ann.kill();
  await ann.start(new URL('../../support/kill-after-list.ts', import.meta.url));
  await expect(callEngine(ann, 'developer.unlock', {})).rejects.toThrow('the process was killed');
  await ann.kill();

  const stored = () => {
    const cache = ann.openCache();
    try {
      const lists = cache.prepare('SELECT max(sequence) FROM own_lists').pluck().get();
      const hellos = cache
        .prepare('SELECT address, after_sequence AS after, due_at IS NOT NULL AS due FROM hellos')
        .all();
      return { lists, hellos };
    } finally {
      cache.close();
    }
  };
  expect(stored()).toEqual({ lists: 2, hellos: [] });
  const online = async () => {
    await ann.start();
    await eventually(
      () => callEngine(ann, 'connection.get', {}),
      ({ state }) => state === 'online',
    );
    await ann.kill();
  };
  await online();
  const planned = { lists: 2, hellos: [{ address: dora.address, after: 1, due: expect.any(Number) }] };
  expect(stored()).toEqual(planned);

  // Sent, and not planned again by the next start.
  const cache = ann.openCache();
  cache.prepare('UPDATE hellos SET due_at = NULL, sent_at = ?').run(Date.now());
  cache.close();
  await online();
  expect(stored()).toEqual({ lists: 2, hellos: [{ address: dora.address, after: 1, due: 0 }] });
});
