/**
 * The store on PostgreSQL: for a relay of many replicas.
 */
import pg from 'pg';
import { OperatorFailure } from '../../operator-failure.ts';
import { bytesOf } from '../sizes.ts';
import type { Operations } from '../sql/operations.ts';
import { OPERATOR_TASKS, type OperatorTaskName } from '../sql/operator-tasks.ts';
import type { Store } from '../store.ts';
import { groupAsJson, missingAsJson } from '../views/as-json.ts';
import type { Wakeups } from '../wakeups.ts';
import { asSql, types } from './connection.ts';
import { toFailure } from './failures.ts';
import { MailBatches } from './mail-batches.ts';
import { migrate } from './migrate.ts';
import { type Reads, Transactions } from './transactions.ts';
import { PostgresWakeups } from './wakeups.ts';

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** How much mail may wait to be written, in bytes. */
  queueBytes: number;
  /** Connections that the relay holds at most. */
  connections?: number | undefined;
  /** Called when a connection that nothing used was lost. */
  onTrouble(reason: string): void;
}

const CONNECTIONS = 16;
/** How long a call waits for a connection, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/**
 * Opens the store, its tables made or brought up to date.
 * @throws OperatorFailure, Error that says why the database cannot be used
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<{ store: Store; wakeups: Wakeups }> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: 'waxwing relay',
    types,
  });
  pool.on('error', (error) => options.onTrouble(String(reasonOf(error))));
  // Of a connection that is in use: the statement that is under way fails, too.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    const client = await pool.connect();
    try {
      await migrate(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    if (error instanceof OperatorFailure) throw error;
    throw new OperatorFailure('database_unusable', { reason: reasonOf(error) });
  }
  const wakeups = new PostgresWakeups(pool, options.url);
  return { store: createStore(pool, options.queueBytes, wakeups), wakeups };
}

function createStore(pool: pg.Pool, queueBytes: number, wakeups: Wakeups): Store {
  const transactions = new Transactions(pool);
  const mail = new MailBatches(
    (requests) => transactions.write((operations) => operations.acceptEnvelopes(requests)),
    queueBytes,
  );
  let databaseBytes = 0;

  /** A read by its name. */
  const read =
    <N extends ReadName>(name: N) =>
    (...args: Parameters<Reads[N]>): ReturnType<Reads[N]> =>
      transactions.read((reads) => call(reads[name], args)) as ReturnType<Reads[N]>;
  /** A write by its name. */
  const write =
    <N extends keyof Operations>(name: N) =>
    (...args: Parameters<Operations[N]>): ReturnType<Operations[N]> =>
      transactions.write((operations) => call(operations[name], args)) as ReturnType<Operations[N]>;
  /** A write of one statement, or of several that do not hang together, by its name. */
  const writeFreely =
    <N extends keyof Operations>(name: N) =>
    (...args: Parameters<Operations[N]>): ReturnType<Operations[N]> =>
      transactions.writeFreely((operations) => call(operations[name], args)) as ReturnType<Operations[N]>;
  /** What the operator asks, by its name. */
  const task =
    <N extends OperatorTaskName>(name: N) =>
    (...args: unknown[]) =>
      transactions.readMoment(async (_reads, client) => {
        const perform = OPERATOR_TASKS[name] as (...args: unknown[]) => unknown;
        return await perform(asSql(client), ...args);
      }) as ReturnType<(typeof OPERATOR_TASKS)[N]>;

  async function measureDatabase(): Promise<void> {
    const { rows } = await pool.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    databaseBytes = rows[0]?.bytes ?? 0;
  }

  return {
    async checkHealth() {
      await transactions.read((reads) => reads.hasAccount('0x'));
    },
    async close() {
      await wakeups.close();
      await pool.end();
    },

    saveChallenge: writeFreely('saveChallenge'),
    takeChallenge: writeFreely('takeChallenge'),
    createSession: write('createSession'),
    deleteSession: writeFreely('deleteSession'),
    findCredential: read('findCredential'),
    touchCredential: writeFreely('touchCredential'),

    readProfile: read('readProfile'),
    claimHandle: write('claimHandle'),
    setDisplayName: write('setDisplayName'),
    setDeveloperAccess: write('setDeveloperAccess'),
    createApiKey: write('createApiKey'),
    listApiKeys: read('listApiKeys'),
    revokeApiKey: write('revokeApiKey'),

    findHandle: read('findHandle'),
    findHandleOf: read('findHandleOf'),
    searchHandles: read('searchHandles'),

    readDevices: (...args) => transactions.readMoment((reads) => reads.readDevices(...args)),
    readLists: read('readLists'),
    publishDevices: write('publishDevices'),
    publishSealKey: write('publishSealKey'),
    readPqKeys: (digests) => transactions.read((reads) => reads.readPqKeys(digests)),

    acceptEnvelopes: (request) => mail.add(request, bytesOf(request)),
    findQueue: read('findQueue'),
    queuedBytes: read('queuedBytes'),
    readInbox: read('readInbox'),
    findFilledQueues: read('findFilledQueues'),
    acknowledge: write('acknowledge'),

    saveLink: write('saveLink'),
    findLink: read('findLink'),
    saveOffer: write('saveOffer'),

    async expire(...args) {
      const isMore = await write('expire')(...args);
      if (!isMore) await measureDatabase();
      return isMore;
    },

    findBlob: (...args) => transactions.readMoment((reads) => reads.findBlob(...args)),
    beginBlob: write('beginBlob'),
    nameUpload: write('nameUpload'),
    recordPart: write('recordPart'),
    finishBlob: write('finishBlob'),
    adoptBlob: write('adoptBlob'),
    dropClaim: write('dropClaim'),
    expireClaims: write('expireClaims'),
    findBytesToDrop: read('findBytesToDrop'),
    forgetBytes: write('forgetBytes'),
    storedBlobBytes: read('storedBlobBytes'),

    hasAccount: read('hasAccount'),
    createAccountInvitation: write('createAccountInvitation'),
    deleteAccount: write('deleteAccount'),
    cancelDeletion: write('cancelDeletion'),
    deleteDueAccount: write('deleteDueAccount'),

    measure: () => ({ commits: transactions.commits, queuedBytes: mail.bytes, databaseBytes }),
    async readStats() {
      await measureDatabase();
      return await task('readStats')();
    },
    listHandles: task('listHandles'),
    listGroups: task('listGroups'),
    listAccountInvitations: task('listAccountInvitations'),
    revokeAccountInvitation: write('revokeAccountInvitation'),
    listAdmitted: task('listAdmitted'),
    setAdmitted: write('setAdmitted'),
    readAudit: task('readAudit'),
    verifyAudit: task('verifyAudit'),
    backUp: () => Promise.reject(new OperatorFailure('backup_by_postgres')),
    setHandleVerified: write('setHandleVerified'),
    setGroupVerified: write('setGroupVerified'),
    setSuspended: write('setSuspended'),
    removeGroup: write('removeGroup'),

    findGroup: read('findGroup'),
    searchGroups: read('searchGroups'),
    isMember: read('isMember'),
    groupAsJson: (group, now) => transactions.readMoment((reads) => groupAsJson(reads, group, now)),
    missingAsJson: (group, served, now) =>
      transactions.read((reads) => missingAsJson(reads, group, served, now)),
    readRoster: (...args) => transactions.readMoment((reads) => reads.readRoster(...args)),
    readListsOf: read('readListsOf'),
    readEntries: read('readEntries'),
    createRoster: write('createRoster'),
    appendEntry: write('appendEntry'),
    setListed: write('setListed'),
    createGroupToken: write('createGroupToken'),
    listGroupTokens: read('listGroupTokens'),
    revokeGroupToken: write('revokeGroupToken'),
    acceptGroupPost: write('acceptGroupPost'),
  };
}

type ReadName = {
  [N in keyof Reads]: ReturnType<Reads[N]> extends Promise<unknown> ? N : never;
}[keyof Reads];

function call(method: unknown, args: readonly unknown[]): Promise<unknown> {
  return (method as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

function reasonOf(error: unknown): string {
  const failure = toFailure(error);
  return failure instanceof Error ? failure.message : String(failure);
}
