/**
 * Mail can only be distributed over servers by its bucket if each statement names the bucket and uses only the tables
 * of mail. This is the list of all statements for mail.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database, SqlValue } from '../../../../src/relay/store/sql/database.ts';
import { prepareOperations } from '../../../../src/relay/store/sql/operations.ts';
import { prepareReads } from '../../../../src/relay/store/sql/reads.ts';
import { asSql, openForWriting } from '../../../../src/relay/store/sqlite/database.ts';
import { sqliteSearches } from '../../../../src/relay/store/sqlite/searches.ts';
import type { Store } from '../../../../src/relay/store/store.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { envelopeId, NOW, newMember, ROOMY } from '../../../support/relay-store.ts';

const MAIL = new Set(['delivery', 'envelope', 'queue', 'queue_share', 'sealed']);
const LATER = NOW + 1_000;

/** Statements on mail, each with one row where it accepts several. */
async function statementsOnMail(): Promise<string[]> {
  using folder = temporaryFolder();
  const file = openForWriting(join(folder.path, 'relay.db'));
  const seen = new Set<string>();
  const database: Database = {
    isDistributed: true,
    prepare<P extends SqlValue[], R>(sql: string) {
      if (tablesIn(sql).some((table) => MAIL.has(table))) seen.add(sql.replace(/\s+/g, ' '));
      return asSql(file).prepare<P, R>(sql);
    },
  };
  const operations = prepareOperations(database);
  const reads = prepareReads(database, sqliteSearches(database));
  const store = {
    ...reads,
    ...operations,
    acceptEnvelopes: async (request: Parameters<Store['acceptEnvelopes']>[0]) =>
      (await operations.acceptEnvelopes([request]))[0] ?? [],
  } as unknown as Store;
  const [ann, ben] = [await newMember(store, 'ann'), await newMember(store, 'ben')];
  await ann.send(ben, ['a']);
  await ann.send(ben, ['b'], { recipientDeviceKey: ben.sealKey('phone') });
  // Almost full: the shares of the senders decide.
  await ann.send(ben, ['c'], { limits: { ...ROOMY, queueEnvelopes: 3 } });
  const queue = await ben.queue();
  await store.readInbox(queue, 10, 1e9);
  await store.queuedBytes(queue);
  await store.findFilledQueues([queue]);
  await store.acknowledge(queue, [envelopeId(ben, 'a')]);
  await operations.expireMail(LATER);
  await store.deleteAccount(ben.account, null, LATER);
  file.close();
  return [...seen];
}

function tablesIn(sql: string): string[] {
  return [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g)].map(([, table = '']) => table);
}

/** Reports whether a sharded database sends it to one server. */
function isForOneServer(sql: string): boolean {
  if (!tablesIn(sql).every((table) => MAIL.has(table))) return false;
  if (sql.startsWith('INSERT')) return /^INSERT INTO \w+ \([^)]*\bbucket\b/.test(sql);
  // Each part of it that reads or changes a table has a condition; a joined table is on the shard of the one before.
  const parts = sql.match(/\b(?:FROM|UPDATE) [a-z_]+/g) ?? [];
  const places = sql.match(/\bbucket = \?/g) ?? [];
  const joined = sql.match(/\bJOIN /g) ?? [];
  const together = sql.match(/\w+\.bucket = \w+\.bucket/g) ?? [];
  return places.length >= parts.length && together.length === joined.length;
}

test('each statement on mail names the bucket and no other tables, except the expiry’s', async () => {
  const statements = await statementsOnMail();
  const kinds = statements.map((sql) => `${sql.split(' ')[0]} ${tablesIn(sql).join(' ')}`);
  expect([...new Set(kinds)].toSorted()).toEqual([
    'DELETE delivery',
    'DELETE envelope',
    'DELETE envelope delivery sealed',
    'DELETE queue',
    'DELETE queue_share',
    'DELETE sealed',
    'DELETE sealed delivery envelope',
    'INSERT delivery',
    'INSERT envelope',
    'INSERT queue',
    'INSERT queue_share',
    'INSERT sealed',
    'SELECT delivery envelope',
    'SELECT delivery envelope sealed',
    'SELECT envelope',
    'SELECT envelope sealed',
    'SELECT queue',
    'SELECT queue_share',
    'UPDATE envelope',
    'UPDATE envelope delivery',
  ]);
  expect(statements.filter((sql) => !isForOneServer(sql))).toEqual([
    expect.stringMatching(/^SELECT id, .* FROM envelope LEFT JOIN sealed .* ORDER BY id LIMIT \d+$/),
  ]);
});
