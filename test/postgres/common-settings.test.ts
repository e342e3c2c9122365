/** Relays on one database with different settings that they must have in common. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { eventually, temporaryFolder } from '../support/engine.ts';
import { TestRelay, type TestRelayOptions } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';

interface Line {
  event?: string;
  settings?: string[];
}

/** A relay with its log. */
async function logged(options: TestRelayOptions) {
  const lines: Line[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const relay = await new TestRelay({ ...options, logger }).start();
  const warnings = () => lines.filter(({ event }) => event === 'settings_differ');
  return { relay, warnings, [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]() };
}

/** Resolves when these numbers of running relays have marked their values. */
async function untilMarked(relay: TestRelay, count: number): Promise<void> {
  await eventually(
    () =>
      relay.rows<{ marked: number }>(
        `SELECT count(*)::int AS marked FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    ([row]) => row?.marked === 2 * count,
  );
}

test('a relay logs the settings of which another running relay has another value', async () => {
  using files = temporaryFolder();
  const database = (await newDatabase()) ?? '';
  const common = { database, blobs: { folder: files.path }, publicUrl: 'https://relay.example' };
  await using one = await logged(common);
  await untilMarked(one.relay, 1);
  await using two = await logged({ ...common, publicUrl: 'https://other.example' });
  await eventually(
    async () => two.warnings(),
    ({ length }) => length > 0,
  );
  expect(two.warnings()).toMatchObject([{ settings: ['publicUrl'] }]);
  await two.relay.stop();
  await untilMarked(one.relay, 1);
  // Without blobs, which are then in its own folder.
  await using three = await logged({ database, publicUrl: common.publicUrl });
  await eventually(
    async () => three.warnings(),
    ({ length }) => length > 0,
  );
  expect(three.warnings()).toMatchObject([{ settings: ['blobs'] }]);
});

test('relays with the same settings log nothing, and a stopped relay does not count', async () => {
  using files = temporaryFolder();
  const database = (await newDatabase()) ?? '';
  const common = { database, blobs: { folder: files.path }, publicUrl: 'https://relay.example' };
  await using one = await logged(common);
  await using two = await logged(common);
  await untilMarked(one.relay, 2);
  await one.relay.stop();
  await two.relay.stop();
  await using three = await logged({ ...common, publicUrl: 'https://other.example' });
  await untilMarked(three.relay, 1);
  // After the count of its own start: a later relay is counted in its place.
  await using four = await logged({ ...common, publicUrl: 'https://other.example' });
  await untilMarked(four.relay, 2);
  expect([one, two, three].flatMap((each) => each.warnings())).toEqual([]);
});
