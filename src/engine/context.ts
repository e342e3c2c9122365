/** Shared parts of one engine: the cache, the pool, the clock and the events. */
import { type Later, startTimer } from '../base/backoff.ts';
import type { EventName, EventPayload } from '../bridge/contract.ts';
import { type Contents, contents } from '../messaging/contents/all-kinds.ts';
import { defaultReceiptSettings, type ReceiptSettings } from '../messaging/receipts/settings.ts';
import { BackgroundTurns } from './background-turns.ts';
import { Annotations } from './cache/annotations.ts';
import { BackupRows } from './cache/backup-rows.ts';
import { Contacts } from './cache/contacts.ts';
import { Conversations } from './cache/conversations.ts';
import { Counts } from './cache/counts.ts';
import type { Cache } from './cache/database.ts';
import { DiskUse } from './cache/disk-use.ts';
import { DueReceipts } from './cache/due-receipts.ts';
import { Faces } from './cache/faces.ts';
import { FileTasks } from './cache/file-tasks.ts';
import { Files } from './cache/files.ts';
import { returnFreeSpace } from './cache/free-space.ts';
import { resetFutureTimes } from './cache/future-times.ts';
import { GapRequestRows } from './cache/gap-requests.ts';
import { GapRows } from './cache/gaps.ts';
import { Groups } from './cache/group-chains.ts';
import { GroupNames } from './cache/group-names.ts';
import { Hellos } from './cache/hellos.ts';
import { HistoryRows } from './cache/history-rows.ts';
import { IdentityRows } from './cache/identity-rows.ts';
import { Lifetimes } from './cache/lifetimes.ts';
import { LinkedHistoryRows } from './cache/linked-history.ts';
import { Links } from './cache/links.ts';
import { Messages } from './cache/messages.ts';
import { OutboxRows } from './cache/outbox-rows.ts';
import { OwnDeviceMessages } from './cache/own-device-messages.ts';
import { OwnDevices } from './cache/own-devices.ts';
import { OwnGroupChanges } from './cache/own-group-changes.ts';
import { OwnReads } from './cache/own-reads.ts';
import { OwnRegisters } from './cache/own-registers.ts';
import { PendingControls } from './cache/pending-controls.ts';
import { Quarantine } from './cache/quarantine.ts';
import { ReceiptRows } from './cache/receipts.ts';
import { SearchIndex } from './cache/search-index.ts';
import { Seen } from './cache/seen.ts';
import { SentControls } from './cache/sent-controls.ts';
import { Strangers } from './cache/strangers.ts';
import { Timelines } from './cache/timelines.ts';
import { UnknownContents } from './cache/unknown-contents.ts';
import { UnwantedBlobs } from './cache/unwanted-blobs.ts';
import { eraseTraces, moveLog, sync, withoutSync } from './cache/write-ahead-log.ts';
import { OwnState } from './own/state.ts';
import type { SealingPool } from './sealing/pool.ts';

/** Changed messages that one transaction indexes: about 10 ms. The rest follows by itself (search/indexer.ts). */
const MAX_INDEXED = 100;

export type Emit = <E extends EventName>(name: E, payload: EventPayload<E>) => void;

/** Settings of the person about files on this computer. */
export interface FileSettings {
  /** Days for which files are kept here; null: always. */
  keepDays: number | null;
}

export interface Context {
  readonly annotations: Annotations;
  readonly gapRequests: GapRequestRows;
  readonly backupRows: BackupRows;
  readonly identity: IdentityRows;
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly counts: Counts;
  readonly diskUse: DiskUse;
  readonly dueReceipts: DueReceipts;
  /** Profiles of people, and pictures of groups. */
  readonly faces: Faces;
  readonly files: Files;
  readonly fileTasks: FileTasks;
  /** Settings about files, from the host. */
  readonly fileSettings: FileSettings;
  readonly gaps: GapRows;
  readonly groupNames: GroupNames;
  readonly groups: Groups;
  readonly hellos: Hellos;
  /** Rows for histories: backup, export, import. */
  readonly historyRows: HistoryRows;
  readonly lifetimes: Lifetimes;
  /** Histories for linked computers. */
  readonly linkedHistory: LinkedHistoryRows;
  readonly links: Links;
  readonly messages: Messages;
  readonly timelines: Timelines;
  readonly outbox: OutboxRows;
  /** Shared settings of own devices, and their rows. */
  readonly own: OwnState;
  readonly ownDeviceMessages: OwnDeviceMessages;
  readonly ownDevices: OwnDevices;
  readonly ownGroupChanges: OwnGroupChanges;
  readonly ownReads: OwnReads;
  readonly ownRegisters: OwnRegisters;
  readonly pending: PendingControls;
  readonly quarantine: Quarantine;
  readonly receipts: ReceiptRows;
  /** Receipt settings of the person, from the host. */
  readonly receiptSettings: ReceiptSettings;
  readonly searchIndex: SearchIndex;
  readonly sentControls: SentControls;
  readonly strangers: Strangers;
  readonly seen: Seen;
  readonly unknowns: UnknownContents;
  readonly unwantedBlobs: UnwantedBlobs;
  readonly pool: SealingPool;
  /** The kinds of contents known to this engine. */
  readonly contents: Contents;
  readonly emit: Emit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Random number from 0 up to 1, for unpredictable delays. Not for secrets. */
  readonly random: () => number;
  /** Starts a timer by the clock of {@link now}. */
  readonly later: Later;
  /** Runs a function in one transaction. Messages that it changes are indexed for search in it. */
  transaction<T>(work: () => T): T;
  /** The same for many messages: they are indexed in the background, with less work than in transactions of a few. */
  transactionOfMany<T>(work: () => T): T;
  /** For background work in slices. */
  readonly turns: BackgroundTurns;
  /** Runs transactions that a power cut may undo: for work that is then done again. */
  withoutSync<T>(work: () => T): T;
  /** Makes all earlier commits durable. */
  sync(): void;
  /**
   * Moves committed pages from the write-ahead log to the file if there are many, so that no commit has to move more at once.
   * @returns whether it moved them
   */
  moveLog(): boolean;
  /** Returns free space of the cache to the disk: cache/free-space.ts. */
  returnFreeSpace(): boolean;
  /** Removes deleted rows from the write-ahead log, where they would stay until it is full. */
  eraseTraces(): void;
  /** Resets times further ahead than a message may be. Only valid while the clock agrees with the relay's. */
  resetFutureTimes(): void;
}

/** Clock and randomness for an engine. A test of contents may replace its kinds. */
export type Surroundings = Pick<Context, 'now' | 'random'> & Partial<Pick<Context, 'contents' | 'later'>>;

export function createContext(
  db: Cache,
  pool: SealingPool,
  emit: Emit,
  { now, random, contents: known = contents, later = startTimer }: Surroundings = {
    now: Date.now,
    random: Math.random,
  },
  receiptSettings: ReceiptSettings = { ...defaultReceiptSettings },
  fileSettings: FileSettings = { keepDays: null },
): Context {
  let isInside = false;
  const transaction = <T>(work: () => T, indexes = true) =>
    db.transaction(() => {
      // One inside of another is part of that one.
      const isOuter = !isInside;
      isInside = true;
      try {
        const result = work();
        if (isOuter && indexes) parts.searchIndex.update(MAX_INDEXED);
        return result;
      } finally {
        if (isOuter) isInside = false;
      }
    })();
  const files = new Files(db, now);
  const contacts = new Contacts(db);
  const parts = {
    annotations: new Annotations(db),
    gapRequests: new GapRequestRows(db),
    backupRows: new BackupRows(db),
    identity: new IdentityRows(db, now),
    contacts,
    conversations: new Conversations(db),
    counts: new Counts(db),
    diskUse: new DiskUse(db),
    dueReceipts: new DueReceipts(db),
    faces: new Faces(db),
    files,
    fileTasks: new FileTasks(db),
    fileSettings,
    gaps: new GapRows(db),
    groupNames: new GroupNames(db, contacts),
    groups: new Groups(db),
    hellos: new Hellos(db),
    historyRows: new HistoryRows(db),
    lifetimes: new Lifetimes(db),
    linkedHistory: new LinkedHistoryRows(db),
    links: new Links(db),
    messages: new Messages(db),
    timelines: new Timelines(db),
    outbox: new OutboxRows(db),
    ownDeviceMessages: new OwnDeviceMessages(db),
    ownDevices: new OwnDevices(db),
    ownGroupChanges: new OwnGroupChanges(db),
    ownReads: new OwnReads(db),
    ownRegisters: new OwnRegisters(db),
    pending: new PendingControls(db),
    quarantine: new Quarantine(db),
    receipts: new ReceiptRows(db),
    receiptSettings,
    searchIndex: new SearchIndex(db),
    sentControls: new SentControls(db),
    strangers: new Strangers(db),
    seen: new Seen(db),
    unknowns: new UnknownContents(db),
    unwantedBlobs: new UnwantedBlobs(db, files),
    pool,
    contents: known,
    emit,
    now,
    random,
    later,
    transaction: <T>(work: () => T) => transaction(work),
    transactionOfMany: <T>(work: () => T) => transaction(work, false),
    turns: new BackgroundTurns(),
    withoutSync: <T>(work: () => T) => withoutSync(db, work),
    sync: () => sync(db),
    moveLog: () => moveLog(db),
    returnFreeSpace: () => withoutSync(db, () => returnFreeSpace(db)),
    eraseTraces() {
      eraseTraces(db);
      parts.files.reportRemoved();
    },
    resetFutureTimes: () => db.transaction(() => resetFutureTimes(db, now()))(),
  };
  return { ...parts, own: new OwnState(parts) };
}
