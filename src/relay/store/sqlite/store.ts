/**
 * The store on SQLite: one file, one writer thread with group commit, reads on their own connection.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../records.ts';
import { bytesOf, entriesBytes } from '../sizes.ts';
import { callByName, commonOperations, type Driver } from '../sql/access.ts';
import type { OperationName } from '../sql/operations.ts';
import { prepareReads } from '../sql/reads.ts';
import type { Store } from '../store.ts';
import { groupAsJson, missingAsJson } from '../views/as-json.ts';
import { asSql, type Database, damageIn, openForReading } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { LongReader } from './long-reads.ts';
import { requireNotMoved } from './moved.ts';
import { operatorStore, runTask } from './operator-store.ts';
import { packCopies } from './packed-copies.ts';
import { sqliteSearches } from './searches.ts';
import { Snapshots } from './snapshots.ts';
import { noteStart, requireNotLost } from './started.ts';

export interface SqliteStoreOptions {
  /** Created with mode 0700 if it does not exist. */
  dataDirectory: string;
  /** The writer's entry; its source by default. A host with a bundler passes the bundle. */
  worker?: URL | undefined;
  /** The most data waiting to be written, in bytes. */
  queueBytes: number;
  /** Called once if the database failed and can no longer be written. */
  onBroken(reason: string): void;
}

/** Answers with more post-quantum keys than this are read on the other thread. */
const MANY_PQ_KEYS = 100;

/**
 * Opens the store; creates or migrates its tables.
 * @throws Error with the reason why the database cannot be used
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  mkdirSync(options.dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(options.dataDirectory, 'relay.db');
  requireNotMoved(path);
  requireNotLost(path);
  const entry = options.worker ?? new URL('./worker.ts', import.meta.url);
  const writer = await GroupCommit.start({
    worker: entry,
    path,
    queueBytes: options.queueBytes,
    onBroken: options.onBroken,
  });
  noteStart(path);
  return createStore(writer, path, new LongReader(entry, path, (reason) => writer.break(reason)));
}

function createStore(writer: GroupCommit, path: string, longReader: LongReader): Store {
  const [reader, momentary] = [openForReading(path), openForReading(path)];
  /** More writes would make a damaged file worse, and would be lost when it is restored. */
  const unlessDamaged = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const damage = damageIn(error);
      if (damage === null) throw error;
      writer.break(damage);
      throw new StoreUnavailable(damage);
    }
  };
  const [reads, readsOfMoment] = [watched(readsOn(reader), unlessDamaged), readsOn(momentary)];
  const snapshots = new Snapshots(momentary, unlessDamaged);
  /** A write by its name. */
  const write: Driver['write'] & Driver['statement'] = (name: OperationName, args: readonly unknown[]) =>
    writer.run(name, args as never);
  return {
    ...commonOperations({
      read: (name, args) => callByName(reads, name, args),
      snapshot: (name, args) => snapshots.run(() => callByName(readsOfMoment, name, args)),
      write,
      // All writes of a flush share a transaction.
      statement: write,
      task: (name, args) => runTask(path, name, args),
    }),
    ...operatorStore(writer, path),

    async checkHealth() {
      if (writer.broken !== null) throw new StoreUnavailable(writer.broken);
    },
    async close() {
      await longReader.close();
      reader.close();
      momentary.close();
      // The last connection to close merges the write-ahead log, if it may write.
      await writer.close();
    },

    searchHandles: async (query) =>
      (await reads.isLongHandleSearch(query))
        ? longReader.run(query.by, 'searchHandles', query)
        : reads.searchHandles(query),

    readPqKeys: async (digests, by) =>
      digests.length > MANY_PQ_KEYS ? longReader.run(by, 'readPqKeys', digests) : reads.readPqKeys(digests),

    acceptEnvelopes: (request) =>
      writer.run('acceptEnvelopes', [[request]], bytesOf(request)).then(([outcomes]) => outcomes ?? []),
    acknowledge: (queue, ids) => writer.run('acknowledge', [queue, ids], ids.length * 64),

    async expire(now, acceptedBefore, auditBefore) {
      // One flush.
      const [, isMoreMail, isMoreAudit] = await Promise.all([
        writer.run('expireRest', [now, acceptedBefore]),
        writer.run('expireMail', [acceptedBefore]),
        writer.run('expireAudit', [auditBefore]),
      ]);
      return isMoreMail || isMoreAudit;
    },

    searchGroups: async (query) =>
      (await reads.isLongGroupSearch(query))
        ? longReader.run(query.by, 'searchGroups', query)
        : reads.searchGroups(query),
    groupAsJson: async (group, now, by) =>
      (await reads.hasManyMembers(group))
        ? longReader.run(by, 'groupAsJson', group, now)
        : snapshots.run(() => groupAsJson(readsOfMoment, group, now)),
    missingAsJson: async (group, served, now, by) =>
      (await reads.hasManyMembers(group))
        ? longReader.run(by, 'missingAsJson', group, served, now)
        : missingAsJson(reads, group, served, now),
    createRoster: (...args) => writer.run('createRoster', args, entriesBytes(args[0].entries)),
    appendEntry: (...args) => writer.run('appendEntry', args, entriesBytes([args[0]])),
    acceptGroupPost: ({ envelopes, ...post }) =>
      writer.run('acceptPackedPost', [{ ...post, copies: packCopies(envelopes) }], bytesOf({ envelopes })),
  };
}

type Watch = <T>(work: () => Promise<T>) => Promise<T>;

/** The same functions, with each call in `watch`. */
function watched<T extends object>(functions: T, watch: Watch): T {
  const calls = Object.entries(functions) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...args: unknown[]) => watch(async () => call(...args))]),
  ) as T;
}

function readsOn(database: Database) {
  const sql = asSql(database);
  return prepareReads(sql, sqliteSearches(sql));
}
