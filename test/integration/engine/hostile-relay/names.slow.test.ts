/**
 * Names from a relay: the app shows only their visible characters, and none that reverse or hide the text around.
 */
import { expect, test } from 'vitest';
import { callEngine } from '../../../support/engine.ts';
import { newHonest } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';

const NAME = '\u2067Ben\u202e\u200b \u200d';

/** Replaces each name in an answer. */
function renamed(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value) =>
    (key === 'displayName' || key === 'name') && typeof value === 'string' ? NAME : value,
  );
  return JSON.parse(text);
}

test('a name from a relay is shown without invisible characters', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const ben = await newHonest(hostile, 'ben');
  await callEngine(ben.engine, 'groups.create', { name: 'Plan', description: '', join: { mode: 'open' } });

  hostile.lie(({ path, status, body }) =>
    status === 200 && /\/(?:keys|handles|groups)\b/.test(path) ? renamed(body) : undefined,
  );
  const person = await callEngine(ann.engine, 'people.resolve', { query: '@ben' });
  expect(person.displayName).toBe('Ben');
  const found = await callEngine(ann.engine, 'people.search', {
    query: 'be',
    verifiedOnly: false,
    cursor: null,
  });
  expect(found.people.map(({ displayName }) => displayName)).toEqual(['Ben']);
  const { groups } = await callEngine(ann.engine, 'groups.browse', { query: '', cursor: null });
  expect(groups.map(({ name }) => name)).toEqual(['Ben']);
});
