/**
 * One move of a relay from its file to PostgreSQL. migrate.slow.test.ts has interruptions, kills and refusals.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveDatabase } from '../../src/relay/move/move.ts';
import { Population } from '../support/populated-relay.ts';
import { TestRelay } from '../support/relay.ts';
import { newEmptyDatabase } from '../support/relay-database.ts';

test('a moved relay shows all earlier data and accepts messages', async () => {
  await using relay = new TestRelay({ onFile: true, admin: true });
  await relay.start();
  const people = await Population.at(relay);
  const seen = await people.seen(relay);
  await relay.stop();
  const { path } = relay.folder;
  const url = await newEmptyDatabase();

  await moveDatabase({ from: join(path, 'relay.db'), to: url, blobs: join(path, 'blobs'), now: 1_000 });

  const port = Number(new URL(relay.url).port);
  await using moved = await new TestRelay({ database: url, dataDirectory: path, port }).start();
  expect(await people.seen(moved)).toEqual(seen);
  await people.send(moved, ['after the move']);
  const newest = (await people.ben.inbox()).at(-1);
  expect(newest && people.ben.open(newest)).toBe('after the move');
});
