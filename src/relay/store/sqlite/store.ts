/**
 * The store on SQLite: one file, one writer thread with group commit, reads on a connection of their own.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../records.ts';
import { bytesOf, entriesBytes } from '../sizes.ts';
import { prepareReads } from '../sql/reads.ts';
import type { Store } from '../store.ts';
import { groupAsJson, missingAsJson } from '../views/as-json.ts';
import { asSql, type Database, openForReading } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { LongReader } from './long-reads.ts';
import { requireNotMoved } from './moved.ts';
import { operatorStore } from './operator-store.ts';
import { sqliteSearches } from './searches.ts';
import { Snapshots } from './snapshots.ts';

export interface SqliteStoreOptions {
  /** Made with mode 0700 if it is not there. */
  dataDirectory: string;
  /** The writer's entry; its source by default. A host that bundles passes what it made of it. */
  worker?: URL | undefined;
  /** How much may wait to be written, in bytes. */
  queueBytes: number;
  /** Called once if the database broke and nothing can be written any more. */
  onBroken(reason: string): void;
}

/** More post-quantum keys than these in one answer are read on the other thread. */
const MANY_PQ_KEYS = 100;

/**
 * Opens the store, made or brought up to date.
 * @throws Error that says why the database cannot be used
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  mkdirSync(options.dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(options.dataDirectory, 'relay.db');
  requireNotMoved(path);
  const entry = options.worker ?? new URL('./worker.ts', import.meta.url);
  const writer = await GroupCommit.start({
    worker: entry,
    path,
    queueBytes: options.queueBytes,
    onBroken: options.onBroken,
  });
  return createStore(writer, path, new LongReader(entry, path));
}

function createStore(writer: GroupCommit, path: string, longReader: LongReader): Store {
  const [reader, momentary] = [openForReading(path), openForReading(path)];
  const [reads, readsOfMoment] = [readsOn(reader), readsOn(momentary)];
  const snapshots = new Snapshots(momentary);
  return {
    async checkHealth() {
      if (writer.broken !== null) throw new StoreUnavailable(writer.broken);
    },
    async close() {
      await longReader.close();
      reader.close();
      momentary.close();
      // The last that closes the file merges what lies beside it, if it may write.
      await writer.close();
    },

    saveChallenge: (...args) => writer.run('saveChallenge', args),
    takeChallenge: (nonce) => writer.run('takeChallenge', [nonce]),
    createSession: (...args) => writer.run('createSession', args),
    deleteSession: (id) => writer.run('deleteSession', [id]),
    findCredential: (digest, now) => reads.findCredential(digest, now),
    touchCredential: (id, usedAt) => writer.run('touchCredential', [id, usedAt]),

    readProfile: (account) => reads.readProfile(account),
    claimHandle: (...args) => writer.run('claimHandle', args),
    setDisplayName: (...args) => writer.run('setDisplayName', args),
    setDeveloperAccess: (...args) => writer.run('setDeveloperAccess', args),
    createApiKey: (...args) => writer.run('createApiKey', args),
    listApiKeys: (...args) => reads.listApiKeys(...args),
    revokeApiKey: (...args) => writer.run('revokeApiKey', args),

    findHandle: (handle) => reads.findHandle(handle),
    findHandleOf: (address) => reads.findHandleOf(address),
    searchHandles: async (query) =>
      (await reads.isLongHandleSearch(query))
        ? longReader.run(query.by, 'searchHandles', query)
        : reads.searchHandles(query),

    readDevices: (address) => reads.readDevices(address),
    readLists: (range, limit) => reads.readLists(range, limit),
    publishDevices: (publication) => writer.run('publishDevices', [publication]),
    publishSealKey: (...args) => writer.run('publishSealKey', args),

    readPqKeys: async (digests, by) =>
      digests.length > MANY_PQ_KEYS ? longReader.run(by, 'readPqKeys', digests) : reads.readPqKeys(digests),

    async acceptEnvelopes(request) {
      const [outcomes] = await writer.run('acceptEnvelopes', [[request]], bytesOf(request));
      return outcomes ?? [];
    },
    findQueue: (account, deviceId) => reads.findQueue(account, deviceId),
    queuedBytes: (queue) => reads.queuedBytes(queue),
    readInbox: (queue, limit, bytes) => reads.readInbox(queue, limit, bytes),
    findFilledQueues: (queues) => reads.findFilledQueues(queues),
    acknowledge: (queue, ids) => writer.run('acknowledge', [queue, ids], ids.length * 64),

    saveLink: (...args) => writer.run('saveLink', args),
    findLink: (id, now) => reads.findLink(id, now),
    saveOffer: (...args) => writer.run('saveOffer', args),

    async expire(now, acceptedBefore, auditBefore) {
      // One flush.
      const [, isMoreMail, isMoreAudit] = await Promise.all([
        writer.run('expireRest', [now, acceptedBefore]),
        writer.run('expireMail', [acceptedBefore]),
        writer.run('expireAudit', [auditBefore]),
      ]);
      return isMoreMail || isMoreAudit;
    },

    hasAccount: (address) => reads.hasAccount(address),
    createAccountInvitation: (...args) => writer.run('createAccountInvitation', args),
    deleteAccount: (...args) => writer.run('deleteAccount', args),
    cancelDeletion: (...args) => writer.run('cancelDeletion', args),
    deleteDueAccount: (...args) => writer.run('deleteDueAccount', args),

    findBlob: (...args) => snapshots.run(() => readsOfMoment.findBlob(...args)),
    beginBlob: (...args) => writer.run('beginBlob', args),
    nameUpload: (...args) => writer.run('nameUpload', args),
    recordPart: (...args) => writer.run('recordPart', args),
    finishBlob: (...args) => writer.run('finishBlob', args),
    adoptBlob: (...args) => writer.run('adoptBlob', args),
    dropClaim: (...args) => writer.run('dropClaim', args),
    expireClaims: (now) => writer.run('expireClaims', [now]),
    findBytesToDrop: (...args) => reads.findBytesToDrop(...args),
    findKnownBytes: (prefix) => reads.findKnownBytes(prefix),
    forgetBytes: (key) => writer.run('forgetBytes', [key]),
    storedBlobBytes: () => reads.storedBlobBytes(),

    ...operatorStore(writer, path),

    findGroup: (id) => reads.findGroup(id),
    searchGroups: async (query) =>
      (await reads.isLongGroupSearch(query))
        ? longReader.run(query.by, 'searchGroups', query)
        : reads.searchGroups(query),
    isMember: (group, account) => reads.isMember(group, account),
    isInChain: (group, account) => reads.isInChain(group, account),
    admitToGroup: (...args) => writer.run('admitToGroup', args),
    isAdmitted: (...args) => reads.isAdmitted(...args),
    groupAsJson: async (group, now, by) =>
      (await reads.hasManyMembers(group))
        ? longReader.run(by, 'groupAsJson', group, now)
        : snapshots.run(() => groupAsJson(readsOfMoment, group, now)),
    missingAsJson: async (group, served, now, by) =>
      (await reads.hasManyMembers(group))
        ? longReader.run(by, 'missingAsJson', group, served, now)
        : missingAsJson(reads, group, served, now),
    readRoster: (...args) => snapshots.run(() => readsOfMoment.readRoster(...args)),
    readListsOf: (...args) => reads.readListsOf(...args),
    readEntries: (...args) => reads.readEntries(...args),
    createRoster: (...args) => writer.run('createRoster', args, entriesBytes(args[0].entries)),
    appendEntry: (...args) => writer.run('appendEntry', args, entriesBytes([args[0]])),
    setListed: (...args) => writer.run('setListed', args),
    createGroupToken: (...args) => writer.run('createGroupToken', args),
    listGroupTokens: (group) => reads.listGroupTokens(group),
    revokeGroupToken: (...args) => writer.run('revokeGroupToken', args),
    acceptGroupPost: (post) => writer.run('acceptGroupPost', [post], bytesOf(post)),
  };
}

function readsOn(database: Database) {
  const sql = asSql(database);
  return prepareReads(sql, sqliteSearches(sql));
}
