/**
 * The cost of mail on the server: round trips and plans. A statement that shares a round trip with a begin that fails.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { asSql, NO_TRANSACTION, types } from '../../src/relay/store/postgres/connection.ts';
import { Primary } from '../../src/relay/store/postgres/primary.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { Transactions } from '../../src/relay/store/postgres/transactions.ts';
import { newDatabase } from '../support/relay-database.ts';
import { newMember, StoreMember, unique } from '../support/relay-store.ts';

/** A way to the database that counts round trips: bytes of the relay that follow bytes of the server. */
async function countingWay(url: string) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let trips = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    let isAnswered = true;
    near.on('data', (bytes) => {
      if (isAnswered) trips++;
      isAnswered = false;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      isAnswered = true;
      near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = Object.assign(new URL(url), { port: (server.address() as AddressInfo).port });
  return {
    url: near.href,
    tripsOf: async (work: () => Promise<unknown>) => {
      const before = trips;
      await work();
      return trips - before;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('mail to keys of any number of devices takes two round trips, to all devices of a person one more', async () => {
  await using way = await countingWay((await newDatabase()) ?? '');
  const { store } = await openPostgresStore({ url: way.url, queueBytes: 1e9, onWarning: () => undefined });
  const ann = await newMember(store);
  const others = await Promise.all(Array.from({ length: 8 }, () => newMember(store)));
  const toDevices = (name: string) => () =>
    Promise.all(
      others.map((other) => ann.send(other, [name], { recipientDeviceKey: other.sealKey('phone') })),
    );
  const toPeople = (name: string) => () => Promise.all(others.map((other) => ann.send(other, [name])));
  // Prepared, and a connection is open.
  await toDevices('first')();
  await toPeople('second')();
  expect(await way.tripsOf(toDevices('third'))).toBe(2);
  expect(await way.tripsOf(toPeople('fourth'))).toBe(3);
  // Repeated mail writes nothing, and has no commit that could be sent earlier.
  expect(await way.tripsOf(toDevices('third'))).toBe(2);
  await store.close();
});

test('the statements of mail are planned once, not for each number of envelopes', async () => {
  const url = (await newDatabase()) ?? '';
  const { store } = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  const [ann, ben] = [await newMember(store), await newMember(store)];
  const pool = { max: 1, types, pipeline: true };
  const primary = new Primary({ url, pool, onWarning: () => undefined });
  await primary.find();
  const transactions = new Transactions(primary, false);
  const sender = Object.assign(
    new StoreMember(
      {
        ...store,
        acceptEnvelopes: async (request) =>
          (await transactions.writeInSnapshot((operations) => operations.acceptEnvelopes([request])))[0] ??
          [],
      },
      ann.name,
    ),
    { account: ann.account },
  );
  const recipientDeviceKey = ben.sealKey('phone');
  for (const count of [1, 3, 2, 1, 5, 1, 1])
    await sender.send(ben, Array.from({ length: count }, unique), { recipientDeviceKey });
  const plans = await transactions.readMoment(async (_, client) => {
    const { rows } = await client.query<{ generic: number; custom: number }>(
      `SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements
        WHERE statement LIKE '%queue_share%' AND generic_plans + custom_plans > 0`,
    );
    return rows;
  });
  expect(plans).toEqual([
    { generic: 7, custom: 0 },
    { generic: 7, custom: 0 },
  ]);
  await primary.close();
  await store.close();
});

test('a write is not sent in a transaction that does not begin', async () => {
  const url = (await newDatabase()) ?? '';
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  await client.query('CREATE TABLE written (id bigint)');
  const session = { ...NO_TRANSACTION, begun: client.query('BEGIN; SELECT 1 / 0') };
  session.begun.catch(() => undefined);
  const write = asSql(client, session).prepare('INSERT INTO written VALUES (1)');
  await expect(write.run()).rejects.toThrow('division by zero');
  await client.query('ROLLBACK');
  expect((await client.query('SELECT * FROM written')).rows).toEqual([]);
  await client.end();
});
