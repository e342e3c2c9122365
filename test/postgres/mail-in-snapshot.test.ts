/**
 * Mail is accepted in a snapshot: what another transaction commits after it must not be lost, and no deleted queue comes back.
 */
import pg from 'pg';
import { expect, test } from 'vitest';
import { asSql, types } from '../../src/relay/store/postgres/connection.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import type { Database, SqlValue, Statement } from '../../src/relay/store/sql/database.ts';
import { prepareOperations } from '../../src/relay/store/sql/operations.ts';
import type { Store } from '../../src/relay/store/store.ts';
import { newDatabase } from '../support/relay-database.ts';
import { NOW, newMember, StoreMember } from '../support/relay-store.ts';

/** A connection whose statement that stores new mail runs only after `before`. */
function meanwhile(client: pg.Client, before: () => Promise<unknown>): Database {
  const sql = asSql(client);
  return {
    ...sql,
    prepare<P extends SqlValue[], R>(text: string): Statement<P, R> {
      const statement = sql.prepare<P, R>(text);
      if (!text.includes('INSERT INTO delivery')) return statement;
      return {
        get: statement.get.bind(statement),
        all: statement.all.bind(statement),
        pluck: statement.pluck.bind(statement),
        async run(...values) {
          await before();
          return statement.run(...values);
        },
      };
    },
  };
}

/** Ann sends to Ben in a snapshot; `act` is committed by another relay before her mail is written. */
async function sendWhile(act: (ann: StoreMember, ben: StoreMember) => Promise<unknown>) {
  const url = (await newDatabase()) ?? '';
  const { store } = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  const [ann, ben] = [await newMember(store), await newMember(store)];
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  const operations = prepareOperations(meanwhile(client, () => act(ann, ben)));
  const inSnapshot = {
    ...store,
    acceptEnvelopes: async (request: Parameters<Store['acceptEnvelopes']>[0]) =>
      (await operations.acceptEnvelopes([request]))[0] ?? [],
  };
  const sender = Object.assign(new StoreMember(inSnapshot, ann.name), { account: ann.account });
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const failure = await sender
    .send(ben, ['mail'], { recipientDeviceKey: ben.sealKey('phone') })
    .then(() => null)
    .catch((error: pg.DatabaseError) => error.code);
  await client.query('COMMIT');
  const rows: Record<string, number> = {};
  for (const table of ['queue', 'queue_share', 'envelope', 'sealed', 'delivery']) {
    const { rowCount } = await client.query(`SELECT FROM ${table} WHERE bucket = $1`, [ben.account % 1_024]);
    rows[table] = rowCount ?? 0;
  }
  await client.end();
  await store.close();
  return { failure, rows };
}

const CONFLICT = '40001';

test('mail for a queue that ends meanwhile is not written', async () => {
  const { failure, rows } = await sendWhile((_, ben) => ben.store.deleteAccount(ben.account, null, NOW));
  expect(failure).toBe(CONFLICT);
  expect(rows).toEqual({ queue: 0, queue_share: 0, envelope: 0, sealed: 0, delivery: 0 });
});

test('mail for a queue that receives other mail meanwhile is not written', async () => {
  const { failure, rows } = await sendWhile((ann, ben) => ann.send(ben, ['other']));
  expect(failure).toBe(CONFLICT);
  expect(rows).toEqual({ queue: 1, queue_share: 1, envelope: 1, sealed: 1, delivery: 1 });
});

test('mail that another relay accepts meanwhile is not written again', async () => {
  const { failure, rows } = await sendWhile((ann, ben) =>
    ann.send(ben, ['mail'], { recipientDeviceKey: ben.sealKey('phone') }),
  );
  expect(failure).toBe(CONFLICT);
  expect(rows).toEqual({ queue: 1, queue_share: 1, envelope: 1, sealed: 1, delivery: 1 });
});
