/**
 * Statements of many rows in PostgreSQL: arrays arrive as they were given, and the same operations work without arrays,
 * as on a distributed database.
 */
import pg from 'pg';
import { expect, test } from 'vitest';
import { asSql, types } from '../../src/relay/store/postgres/connection.ts';
import { rowArrays } from '../../src/relay/store/postgres/row-arrays.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import type { Database, SqlValue } from '../../src/relay/store/sql/database.ts';
import { prepareOperations } from '../../src/relay/store/sql/operations.ts';
import type { Store } from '../../src/relay/store/store.ts';
import { newDatabase } from '../support/relay-database.ts';
import { newMember, StoreMember } from '../support/relay-store.ts';

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function openStores(count: number): Promise<{ url: string; stores: Store[] } & AsyncDisposable> {
  const url = (await newDatabase()) ?? '';
  const open = () => openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  const stores = (await Promise.all(Array.from({ length: count }, open))).map(({ store }) => store);
  return {
    url,
    stores,
    [Symbol.asyncDispose]: async () => void (await Promise.all(stores.map((store) => store.close()))),
  };
}

/** The same member, whose calls go to another store. */
function through(member: StoreMember, store: Store): StoreMember {
  return Object.assign(new StoreMember(store, member.name), { account: member.account });
}

const namesOf = (begin: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${begin} ${index}`);

test('arrays of integers, bytes and texts arrive as given, with NULL; unstorable values are replaced', async () => {
  const columns = ['integer', 'bytes', 'text'] as const;
  const rows: SqlValue[][] = [
    [0, Buffer.alloc(0), ''],
    [-1, Buffer.of(0, 255, 92), 'ä€😀'],
    [Number.MAX_SAFE_INTEGER, null, null],
    [Number.MIN_SAFE_INTEGER, Buffer.alloc(70_000, 7), '{"quoted", \\}'],
    [2 ** 32, Buffer.of(1), 'NULL'],
    [-(2 ** 32) - 1, Buffer.of(1), 'a\0b'],
    [Number.NaN, Buffer.of(1), ''],
    [1e300, Buffer.of(1), ''],
  ];
  const stored = await connected((await newDatabase()) ?? '', async (client) => {
    const found = await asSql(client)
      .prepare<SqlValue[], Record<string, SqlValue>>(
        `SELECT * FROM ${rowArrays.table(columns)} AS given(a, b, c)`,
      )
      .all(...rowArrays.parameters(columns, rows));
    return found.map(({ a = null, b = null, c = null }) => [a, b, c]);
  });
  expect(stored).toEqual([
    ...rows.slice(0, 5),
    [-(2 ** 32) - 1, Buffer.of(1), 'a\ufffdb'],
    [null, Buffer.of(1), ''],
    [Number.MAX_SAFE_INTEGER, Buffer.of(1), ''],
  ]);
});

test.for([true, false])('mail to several queues is stored, distributed: %s', async (isDistributed) => {
  await using opened = await openStores(1);
  const [store] = opened.stores as [Store];
  const [ann, ben, cem] = [await newMember(store), await newMember(store), await newMember(store)];
  await ben.publish(['phone', 'tablet']);
  await connected(opened.url, async (client) => {
    const operations = prepareOperations(asSql(client, undefined, isDistributed));
    const sender = through(ann, {
      ...store,
      acceptEnvelopes: async (request) => (await operations.acceptEnvelopes([request])).flat(),
    });
    await sender.send(ben, namesOf('both', 3));
    await sender.send(ben, ['tablet only'], { recipientDeviceKey: ben.sealKey('tablet') });
    await sender.send(cem, ['one']);
    expect(await sender.send(cem, ['one', 'two'])).toMatchObject([
      { status: 'duplicate' },
      { status: 'accepted' },
    ]);
  });
  expect(await ben.inbox('phone')).toEqual(namesOf('both', 3));
  expect(await ben.inbox('tablet')).toEqual([...namesOf('both', 3), 'tablet only']);
  expect(await cem.inbox()).toEqual(['one', 'two']);
});

test('two replicas that write to the same queues at once do not block each other', async () => {
  await using opened = await openStores(2);
  const [one, two] = opened.stores as [Store, Store];
  const members: StoreMember[] = [];
  for (let count = 0; count < 6; count++) members.push(await newMember(one));
  const [ann, ...others] = members as [StoreMember, ...StoreMember[]];
  const senders = [through(ann, one), through(ann, two)];
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      senders.flatMap((sender, replica) =>
        // One of them in the opposite order.
        (replica === 0 ? others : others.toReversed()).map((to) => sender.send(to, [`${replica} ${round}`])),
      ),
    );
  }
  for (const other of others) expect(await other.inbox()).toHaveLength(10);
  const deadlocks = await connected(opened.url, async (client) => {
    const { rows } = await client.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0]?.deadlocks;
  });
  expect(deadlocks).toBe(0);
});

/** The statements with arrays that read mail, each with values for forty rows. */
const LOOK_UPS: [name: string, text: RegExp, values: SqlValue[]][] = [
  [
    'of the state of copies',
    /FROM envelope\b.*UNION ALL.*FROM queue_share\b/s,
    [
      ...rowArrays.parameters(['bytes', 'integer'], Array(40).fill([Buffer.alloc(32), 1])),
      ...rowArrays.parameters(['integer', 'bytes', 'integer'], Array(40).fill([1, Buffer.alloc(20), 1])),
    ],
  ],
  [
    'of copies for keys',
    /FROM device JOIN account.*LEFT JOIN queue_share\b/s,
    rowArrays.parameters(
      ['integer', 'bytes', 'bytes', 'bytes', 'bytes', 'bytes'],
      Array(40).fill([0, Buffer.alloc(32), Buffer.alloc(32), Buffer.alloc(20), Buffer.alloc(16), null]),
    ),
  ],
];

test.for(LOOK_UPS)(
  'the look-up %s finds each by an index, also in small tables',
  async ([, text, values]) => {
    const plan = await connected((await newDatabase()) ?? '', async (client) => {
      const texts: string[] = [];
      const database: Database = {
        ...asSql(client),
        prepare<P extends SqlValue[], R>(sql: string) {
          texts.push(sql);
          return asSql(client).prepare<P, R>(sql);
        },
      };
      prepareOperations(database);
      const rows = await asSql(client)
        .prepare<SqlValue[], Record<string, string>>(`EXPLAIN ${texts.find((each) => text.test(each))}`)
        .all(...values);
      return rows.map((row) => Object.values(row)[0]).join('\n');
    });
    expect(plan).toContain('Index');
    expect(plan).not.toContain('Seq Scan');
  },
);
