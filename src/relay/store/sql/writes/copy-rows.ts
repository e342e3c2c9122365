/**
 * The rows of new copies: counters of queues and holders, `envelope`, `sealed` and `delivery`. Where the engine accepts arrays, one
 * statement inserts all of them.
 */
import type { ColumnType, Database, RowArrays, SqlValue } from '../database.ts';
import {
  type Columns,
  numberingWriter,
  placeholders,
  type Row,
  returningWriter,
  writer,
} from '../rows-at-once.ts';
import {
  ADDED_TO_QUEUE,
  ADDED_TO_SHARE,
  QUEUE_COLUMNS,
  queueCounters,
  SHARE_COLUMNS,
  shareCounters,
} from './delivery-rows.ts';

export interface NewRows {
  /** `[queue, bucket, envelopes, bytes]` to add, each queue once, in the order in which they are locked. */
  queues: readonly Row[];
  /** `[queue, holder, bucket, envelopes, bytes]` to add, each pair once. */
  shares: readonly Row[];
  /** The values of {@link ENVELOPE_COLUMNS}, and those of {@link BODY_COLUMNS}. */
  copies: readonly { envelope: Row; body: Row }[];
  /** `[queue, bucket, place of the copy among the copies]` */
  deliveries: readonly (readonly [queue: number, bucket: number, copy: number])[];
}

/** Columns of `envelope`, without its id. */
const ENVELOPE_COLUMNS = {
  bucket: 'integer',
  hash: 'bytes',
  accepted_at: 'integer',
  size: 'integer',
  pending: 'integer',
} as const satisfies Columns;

/** Columns of `sealed`, without its id and bucket. */
const BODY_COLUMNS = {
  account_id: 'integer',
  sender: 'bytes',
  via: 'text',
  as_request: 'integer',
  is_forgotten: 'integer',
  recipient_key: 'bytes',
  ephemeral_key: 'bytes',
  nonce: 'bytes',
  ciphertext: 'bytes',
  group_id: 'text',
  bot_id: 'text',
  bot_name: 'text',
  network: 'bytes',
} as const satisfies Columns;

const OF_ENVELOPE = Object.keys(ENVELOPE_COLUMNS);
const OF_BODY = Object.keys(BODY_COLUMNS);
const BODY_NAMES = ['envelope_id', 'bucket', ...OF_BODY].join(', ');

/**
 * The isolation of a transaction that accepts copies, where the engine accepts arrays. In a snapshot, a change of a queue that was
 * changed or deleted after it fails. So the rows of queues are updated there: an INSERT would bring a deleted one back.
 */
export type Isolation = 'serializable' | 'snapshot';

/** A function that inserts the rows of new copies, as the last write of its transaction. */
export function copyRows(database: Database, isolation: Isolation): (rows: NewRows) => Promise<void> {
  return database.arrays ? inOneStatement(database, database.arrays, isolation) : inSeveral(database);
}

function inSeveral(database: Database): (rows: NewRows) => Promise<void> {
  const { insertInto = 'INSERT INTO' } = database;
  const countQueues = queueCounters(database);
  const countShares = shareCounters(database);
  const insertEnvelopes = envelopeInserts(database);
  const insertBodies = writer(
    database,
    (rows) => `${insertInto} sealed (${BODY_NAMES}) VALUES ${placeholders(rows, 2 + OF_BODY.length)}`,
  );
  const insertDeliveries = writer(
    database,
    (rows) => `${insertInto} delivery (device, envelope_id, bucket) VALUES ${placeholders(rows, 3)}`,
  );
  return async ({ queues, shares, copies, deliveries }) => {
    // The queues first: concurrent changes to them then wait, and this need not be repeated.
    await countQueues(queues);
    await countShares(shares);
    const ids = await insertEnvelopes(copies.map(({ envelope }) => envelope));
    const idOf = (place: number): number => {
      const id = ids[place];
      if (id === undefined) throw new Error('an envelope that was just stored is missing');
      return id;
    };
    await insertBodies(
      copies.map(({ envelope: [bucket = null], body }, place) => [idOf(place), bucket, ...body]),
    );
    await insertDeliveries(deliveries.map(([queue, bucket, place]) => [queue, idOf(place), bucket]));
  };
}

/** A function that inserts rows of {@link ENVELOPE_COLUMNS}. @returns their ids, in the order of the rows */
function envelopeInserts(database: Database): (rows: readonly Row[]) => Promise<number[]> {
  const { insertInto = 'INSERT INTO' } = database;
  const insert = (rows: number) =>
    `${insertInto} envelope (${OF_ENVELOPE.join(', ')}) VALUES ${placeholders(rows, OF_ENVELOPE.length)}`;
  if (!database.isDistributed) return numberingWriter(database, insert);
  const returning = returningWriter<{ id: number; hash: Buffer }>(
    database,
    (rows) => `${insert(rows)} RETURNING id, hash`,
  );
  return async (rows) => {
    const places = new Map(rows.map(([, hash], place) => [keyOf(hash), place]));
    const ids: number[] = [];
    for (const { id, hash } of await returning(rows)) ids[places.get(keyOf(hash)) ?? -1] = id;
    return ids;
  };
}

/** The bytes of a hash as the key of a map. */
function keyOf(hash: SqlValue | undefined): string {
  return Buffer.from(hash as Uint8Array).toString('latin1');
}

const QUEUE_TYPES: readonly ColumnType[] = ['integer', 'integer', 'integer', 'integer'];
const SHARE_TYPES: readonly ColumnType[] = ['integer', 'bytes', 'integer', 'integer', 'integer'];
const COPY_TYPES: readonly ColumnType[] = [
  ...Object.values(ENVELOPE_COLUMNS),
  ...Object.values(BODY_COLUMNS),
];
const DELIVERY_TYPES: readonly ColumnType[] = ['integer', 'integer', 'integer'];

/**
 * One statement, and one round trip. The ids are assigned before the INSERT. Every other table waits for the rows of the queues, as
 * in {@link inSeveral}: two transactions then meet at a queue first, and never wait for each other.
 */
function inOneStatement(
  database: Database,
  arrays: RowArrays,
  isolation: Isolation,
): (rows: NewRows) => Promise<void> {
  const envelopeColumns = OF_ENVELOPE.join(', ');
  const bodyColumns = OF_BODY.join(', ');
  const countQueues =
    isolation === 'snapshot'
      ? `UPDATE queue SET envelopes = queue.envelopes + more.envelopes, bytes = queue.bytes + more.bytes
           FROM ${arrays.table(QUEUE_TYPES)} AS more${QUEUE_COLUMNS}
          WHERE queue.device = more.device AND queue.bucket = more.bucket`
      : `INSERT INTO queue ${QUEUE_COLUMNS} SELECT * FROM ${arrays.table(QUEUE_TYPES)} ${ADDED_TO_QUEUE}`;
  const areQueuesCounted = '(SELECT count(*) FROM queues) > 0';
  const statement = database.prepare(
    `WITH queues AS (${countQueues} RETURNING 1),
     shares AS (
       INSERT INTO queue_share ${SHARE_COLUMNS}
       SELECT * FROM ${arrays.table(SHARE_TYPES)} WHERE ${areQueuesCounted} ${ADDED_TO_SHARE}),
     copies AS MATERIALIZED (
       SELECT nextval('envelope_id_seq') AS id, given.*
         FROM ${arrays.table(COPY_TYPES)} AS given(${envelopeColumns}, ${bodyColumns}) WHERE ${areQueuesCounted}),
     envelopes AS (
       INSERT INTO envelope (id, ${envelopeColumns}) OVERRIDING SYSTEM VALUE SELECT id, ${envelopeColumns} FROM copies),
     bodies AS (INSERT INTO sealed (${BODY_NAMES}) SELECT id, bucket, ${bodyColumns} FROM copies)
     INSERT INTO delivery (device, bucket, envelope_id)
     SELECT device, bucket, (ARRAY(SELECT id FROM copies ORDER BY id))[place + 1]
       FROM ${arrays.table(DELIVERY_TYPES)} AS given(device, bucket, place)`,
    true,
  );
  return async ({ queues, shares, copies, deliveries }) => {
    await statement.run(
      ...arrays.parameters(QUEUE_TYPES, queues),
      ...arrays.parameters(SHARE_TYPES, shares),
      ...arrays.parameters(
        COPY_TYPES,
        copies.map(({ envelope, body }) => [...envelope, ...body]),
      ),
      ...arrays.parameters(DELIVERY_TYPES, deliveries),
    );
  };
}
