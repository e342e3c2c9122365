/**
 * The store on PostgreSQL: for a relay of many replicas.
 */
import type { Counters } from '../../limits/counters.ts';
import { OperatorFailure } from '../../operator/failure.ts';
import { FairQueue } from '../fair-queue.ts';
import type { Jobs } from '../jobs.ts';
import { type EnvelopesToAccept, StoreUnavailable } from '../records.ts';
import { bytesOf, entriesBytes } from '../sizes.ts';
import { callByName, commonOperations } from '../sql/access.ts';
import type { Operations } from '../sql/operations.ts';
import { OPERATOR_TASKS, type OperatorTaskName } from '../sql/operator-tasks.ts';
import type { Store } from '../store.ts';
import { groupAsJson, missingAsJson } from '../views/as-json.ts';
import type { Wakeups } from '../wakeups.ts';
import { type CommonSetting, markSettings } from './common-settings.ts';
import { asSql, CONNECT_TIMEOUT, types } from './connection.ts';
import { expireCounters, PostgresCounters } from './counters.ts';
import { toFailure } from './failures.ts';
import { PostgresJobs } from './jobs.ts';
import { MailBatches } from './mail-batches.ts';
import { MailToShards } from './mail-to-shards.ts';
import { migrate } from './migrate.ts';
import { readNetworkKey } from './network-key.ts';
import { Primary, reasonOf } from './primary.ts';
import { readShards, type Shards } from './shards.ts';
import { Transactions } from './transactions.ts';
import { PostgresWakeups } from './wakeups.ts';

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database, with one server or several. */
  url: string;
  /** The most mail waiting to be written, in bytes. */
  queueBytes: number;
  /** The most connections of the relay. */
  connections?: number | undefined;
  /** Settings that the relays on this database must have in common. */
  settings?: Readonly<Record<CommonSetting, string>>;
  /** Called when another running relay has other values of these settings. */
  onDifferent?(settings: CommonSetting[]): void;
  /** Called when an idle connection was lost. */
  onWarning(reason: string): void;
  /** Called after each commit of mail, with its number of sent envelopes. */
  onFlush?(envelopes: number): void;
}

const CONNECTIONS = 16;
/** The most simultaneous commits of mail. While the server works for one, the relay prepares the other. */
const MAX_MAIL_COMMITS = 2;
/** Time limits of a statement and of a wait for a lock, in milliseconds. */
const STATEMENT_TIMEOUT = 15_000;
const LOCK_TIMEOUT = 4_000;
/** The highest age of the reported size of the database, in milliseconds. */
const MEASURE_INTERVAL = 60_000;

/** Additions to the store for relays that share a database. */
export interface PostgresParts {
  store: Store;
  wakeups: Wakeups;
  /** The common key by which all relays name networks. Undefined if they log in without a password. */
  networkKey: Uint8Array | undefined;
  /** Their shared counters. @param networkName names a network by a keyed hash */
  openCounters(networkName: (text: string) => string): Counters;
  jobs: Jobs;
}

/**
 * Opens the store and migrates its tables.
 * @throws OperatorFailure, or Error with the reason why the database cannot be used
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresParts> {
  const primary = new Primary({
    url: options.url,
    pool: {
      max: options.connections ?? CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      application_name: 'waxwing relay',
      keepAlive: true,
      // Locks of a lost replica are released; statements that get no answer are given up.
      statement_timeout: STATEMENT_TIMEOUT,
      lock_timeout: LOCK_TIMEOUT,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
      query_timeout: 2 * STATEMENT_TIMEOUT,
      // Statements that need no earlier result share a round trip.
      pipeline: true,
      types,
    },
    onWarning: options.onWarning,
  });
  let prepared: Prepared;
  try {
    await primary.find();
    prepared = await prepareAt(primary);
  } catch (error) {
    await primary.close();
    if (error instanceof OperatorFailure) throw error;
    throw new OperatorFailure('database_unusable', { reason: reasonOf(error) });
  }
  const wakeups = new PostgresWakeups(primary, async (client) => {
    const different = options.settings ? await markSettings(client, options.settings) : [];
    if (different.length > 0) options.onDifferent?.(different);
  });
  return {
    store: createStore(primary, options, wakeups, prepared.shards),
    wakeups,
    networkKey: prepared.networkKey,
    openCounters: (networkName) => new PostgresCounters(primary, networkName),
    jobs: new PostgresJobs(primary),
  };
}

/** Facts about the database, read before the store opens. */
interface Prepared {
  /** The common key of relays with this password; undefined if no password was needed. */
  networkKey: Uint8Array | undefined;
  shards: Shards;
}

/** Migrates the tables on its own connection, without a time limit for statements. */
async function prepareAt(primary: Primary): Promise<Prepared> {
  const client = await primary.connectAlone({
    application_name: 'waxwing migration',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    types,
  });
  try {
    await migrate(client);
    return { networkKey: await readNetworkKey(client), shards: await readShards(client) };
  } finally {
    await client.end();
  }
}

function createStore(
  primary: Primary,
  { queueBytes, onFlush }: PostgresStoreOptions,
  wakeups: Wakeups,
  shards: Shards,
): Store {
  const transactions = new Transactions(primary, shards !== null);
  const accept = (requests: EnvelopesToAccept[]) =>
    transactions.writeInSnapshot((operations) => operations.acceptEnvelopes(requests));
  const flush = async (requests: EnvelopesToAccept[]) => {
    const outcomes = await accept(requests);
    onFlush?.(requests.reduce((sum, { envelopes }) => sum + envelopes.length, 0));
    return outcomes;
  };
  const findAccounts = (addresses: readonly string[]) =>
    transactions.read((reads) => reads.accountsOf(addresses));
  const mail = shards
    ? new MailToShards(flush, findAccounts, shards, queueBytes)
    : new MailBatches({ accept: flush, maxBytes: queueBytes, maxCommits: MAX_MAIL_COMMITS });
  /** Possibly long reads: one after the other, each account in its turn. */
  const longReads = new FairQueue();
  let databaseBytes = 0;
  let measuredAt = -Infinity;
  let largeBytes = 0;

  /** Runs a task of the operator, at one moment of the data. */
  const runTask = (name: OperatorTaskName, args: readonly unknown[]) =>
    transactions.readMoment(async (_reads, client) => {
      const task = OPERATOR_TASKS[name] as (...args: unknown[]) => unknown;
      return await task(asSql(client, undefined, shards !== null), ...args);
    });

  /** For metrics only: nothing else fails with it. */
  async function measureDatabase(): Promise<void> {
    measuredAt = performance.now();
    const size = primary.query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
    const found = await size.catch(() => null);
    databaseBytes = found?.[0]?.bytes ?? databaseBytes;
  }

  /** Writes of many copies or entries, with a bounded queue. */
  async function writeLarge<T>(bytes: number, work: (operations: Operations) => Promise<T>): Promise<T> {
    if (mail.bytes + largeBytes + bytes > queueBytes) throw new StoreUnavailable('too much is waiting');
    largeBytes += bytes;
    try {
      return await transactions.write(work);
    } finally {
      largeBytes -= bytes;
    }
  }

  return {
    ...commonOperations({
      read: (name, args) => transactions.read((reads) => callByName(reads, name, args)),
      snapshot: (name, args) => transactions.readMoment((reads) => callByName(reads, name, args)),
      write: (name, args) => transactions.write((operations) => callByName(operations, name, args)),
      statement: (name, args) => transactions.writeFreely((operations) => callByName(operations, name, args)),
      task: runTask,
    }),

    async checkHealth() {
      await primary.check();
    },
    async close() {
      await wakeups.close();
      await primary.close();
    },

    searchHandles: (query) =>
      longReads.run(query.by, () => transactions.read((reads) => reads.searchHandles(query))),

    readPqKeys: (digests, by) =>
      longReads.run(by, () => transactions.read((reads) => reads.readPqKeys(digests))),

    acceptEnvelopes: (request) => mail.add(request, bytesOf(request)),
    acknowledge: (queue, ids) => transactions.write((operations) => operations.acknowledge(queue, ids)),

    async expire(now, acceptedBefore, auditBefore) {
      await transactions.write((operations) => operations.expireRest(now, acceptedBefore));
      const isMoreMail = await transactions.write((operations) => operations.expireMail(acceptedBefore));
      const isMoreAudit = await transactions.write((operations) => operations.expireAudit(auditBefore));
      const isMore = isMoreMail || isMoreAudit;
      if (!isMore) {
        await measureDatabase();
        await expireCounters(primary).catch((error: unknown) => {
          throw toFailure(error);
        });
      }
      return isMore;
    },

    measure() {
      // Each relay reports the size, whichever of them runs the jobs.
      if (performance.now() - measuredAt > MEASURE_INTERVAL) void measureDatabase();
      return { commits: transactions.commits, queuedBytes: mail.bytes + largeBytes, databaseBytes };
    },
    async readStats() {
      await measureDatabase();
      return (await runTask('readStats', [])) as Awaited<ReturnType<Store['readStats']>>;
    },
    backUp: () => Promise.reject(new OperatorFailure('backup_by_postgres')),

    searchGroups: (query) =>
      longReads.run(query.by, () => transactions.read((reads) => reads.searchGroups(query))),
    groupAsJson: (group, now, by) =>
      longReads.run(by, () => transactions.readMoment((reads) => groupAsJson(reads, group, now))),
    missingAsJson: (group, served, now, by) =>
      longReads.run(by, () => transactions.read((reads) => missingAsJson(reads, group, served, now))),
    createRoster: (roster, most) =>
      writeLarge(entriesBytes(roster.entries), (operations) => operations.createRoster(roster, most)),
    appendEntry: (step, most) =>
      writeLarge(entriesBytes([step]), (operations) => operations.appendEntry(step, most)),
    acceptGroupPost: (post) => writeLarge(bytesOf(post), (operations) => operations.acceptGroupPost(post)),
  };
}
