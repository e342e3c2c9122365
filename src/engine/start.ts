/** Starts an engine in its own worker thread. All access goes through the bridge contract. */

import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { describe } from '../base/error-facts.ts';
import { Failure, type FailureData, failureFrom } from '../base/failure.ts';
import { log, toFailure } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';
import type { RecoveryWrap } from '../base/node/recovery-wrap.ts';
import { type EventName, engineProcedures } from '../bridge/contract.ts';
import { events } from '../bridge/events.ts';
import type { Answer } from '../bridge/failure.ts';
import type { FilePlace } from '../bridge/files.ts';
import type { MigrationProgress } from '../bridge/shapes/lock-state.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';
import type { ReceiptSettings } from '../messaging/receipts/settings.ts';
import { answerOf } from './answer.ts';
import type { RestoredBackup } from './backup/backups.ts';
import type { LastBackup } from './cache/backup-rows.ts';
import type { FileSettings } from './context.ts';
import { StuckThreads } from './stuck-threads.ts';

export type { FileSettings, ReceiptSettings };

export interface EngineOptions {
  /** The worker entries: this folder's sources by default; a bundling host passes its bundles. */
  workers?: { engine: URL; sealing: URL; files: URL };
  /** The engine's own folder, made with mode 0700. */
  dataDirectory: string;
  /** 32 bytes; the key of the cache. Copied: the caller may overwrite its own. */
  databaseKey: Uint8Array;
  /**
   * Receives the cache key wrapped for the person's recovery phrase, as soon as there is one. The engine
   * passes out neither key nor phrase. Absent if such a wrap is stored already.
   */
  keepRecoveryWrap?: ((wrap: RecoveryWrap) => void) | undefined;
  relays: {
    /** Base URL of the relay started by this host, if any. */
    embedded: string | null;
    /** Base URL from the command line; the person cannot choose another. */
    fixed: string | null;
  };
  /** Receipt settings; the defaults if absent. */
  receipts?: ReceiptSettings | undefined;
  /** Settings about files; the defaults if absent. */
  files?: FileSettings | undefined;
  /** The proxy for calls to other computers; by default from the environment. */
  findProxy?: FindProxy | undefined;
  /** Receives the progress of an update of large data to a new format. */
  onUpdate?: ((progress: MigrationProgress) => void) | undefined;
  /** Ends the start. The next one continues an update. */
  signal?: AbortSignal | undefined;
}

/** The worker's input at start. */
export interface EngineWorkerData
  extends Omit<EngineOptions, 'workers' | 'keepRecoveryWrap' | 'findProxy' | 'onUpdate' | 'signal'> {
  sealingWorker: string;
  fileWorker: string;
  wantsRecoveryWrap: boolean;
  /** Number of stuck threads of the host. */
  stuckThreads: SharedArrayBuffer;
}

/** Access for a locked host to ask the relay whether messages wait. It cannot decrypt. */
export interface InboxAccess {
  relayUrl: string;
  /** Wire address of the device's owner: other people's messages do not count. */
  address: string;
  deviceId: string;
  /** Of a session, which expires by itself. */
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Bytes of a file, with its description for an answer to a page. */
export interface FileBytes {
  bytes: Uint8Array;
  /** Of the whole file. */
  size: number;
  /** Type to show it by, and `application/octet-stream` if it is not shown. */
  mediaType: string;
  name: string;
}

export interface FileDescription {
  /** Valid on all systems. */
  name: string;
  /** True for programs and scripts of any system. */
  isProgram: boolean;
}

/** Access to the bytes of files, for a host. Never rejects. */
export interface FileAccess {
  /** Seals the next bytes of a prepared file. @param address last part of the path of `files.begin` */
  writeFile(address: string, offset: number, bytes: Uint8Array): Promise<Answer<null>>;
  /**
   * Bytes of a file. Of one that is played while it is downloaded, they may be fewer than requested, but never none.
   * @param address last part of the path of `files.open`
   * @param length at most 1 MiB
   */
  readFile(address: string, offset: number, length: number): Promise<Answer<FileBytes>>;
  describeFile(place: FilePlace): Promise<Answer<FileDescription>>;
  /** Writes a file of a message as plain bytes. @param target path, replaced when it is complete */
  exportFile(place: FilePlace, target: string): Promise<Answer<null>>;
}

/** Secrets of a new backup: at least one of them. */
export interface BackupChoice {
  /** Its own passphrase; null for none. */
  passphrase: string | null;
  /** True: the recovery phrase opens it. It must be stored here. */
  withPhrase: boolean;
}

/** Backups at paths, for a host that has asked the person for them. Never rejects. */
export interface BackupAccess {
  /** Makes a backup. @param target path, replaced when the backup is complete and verified */
  makeBackup(target: string, choice: BackupChoice): Promise<Answer<LastBackup>>;
  /**
   * Merges a backup into the account.
   * @param path of a backup, or of a folder: its newest backup that can be opened
   * @param typed passphrase of the backup, recovery phrase or private key, and nothing else is tried; null: the phrase that is
   *   stored here
   */
  restoreBackup(path: string, typed: string | null): Promise<Answer<RestoredBackup>>;
  /** Begins automatic backups. @param parent folder of the person: they are in their own folder in it */
  setBackupFolder(parent: string, choice: BackupChoice): Promise<Answer<null>>;
}

/** Functions of the worker. */
export interface EngineFunctions extends FileAccess, BackupAccess {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  recoverySecret(): Promise<Answer<string>>;
  inboxAccess(): Promise<InboxAccess | null>;
  setReceipts(settings: ReceiptSettings): Promise<void>;
  setFiles(settings: FileSettings): Promise<void>;
  close(): Promise<void>;
}

/** Events of the worker. */
export interface EngineListeners {
  recoveryWrap(wrap: RecoveryWrap): void;
  /** A request: the thread has neither Electron's session nor the settings. */
  proxyFor(origin: string): Promise<Answer<string | null>>;
  event(name: EventName, payload: unknown): void;
  updated(progress: MigrationProgress): void;
  started(): void;
  failed(failure: FailureData): void;
  log(record: LogRecord): void;
}

export interface EngineHandle extends FileAccess, BackupAccess {
  /**
   * Calls an engine procedure. Input and output are validated by the contract; failure is data, never a
   * rejection.
   */
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  /**
   * Listens to every event of the engine.
   * @returns the function that stops listening
   */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void;
  /**
   * The recovery secret as text: a phrase or a private key. Outside the bridge contract, so that an interface
   * gets it only from a host that has checked the passphrase.
   * @throws Failure not_set_up, or wallet_not_kept if it is not stored here
   */
  recoverySecret(): Promise<string>;
  /** For a host before locking; null without a session at the relay. */
  inboxAccess(): Promise<InboxAccess | null>;
  /** Changes the receipt settings. */
  setReceipts(settings: ReceiptSettings): Promise<void>;
  /** Changes the settings about files. */
  setFiles(settings: FileSettings): Promise<void>;
  /** Resolves when the worker ends: with null after {@link close}, else with its failure. */
  readonly ended: Promise<Failure | null>;
  /** Ends the worker after its pending writes are durable. */
  close(): Promise<void>;
}

/** Memory for new objects in the engine's thread, in MiB. By default V8 uses up to 192, almost all of it for garbage. */
const YOUNG_GENERATION = 48;

/** Engines whose disk does not answer. */
const stuckThreads = new StuckThreads();

/**
 * Starts an engine.
 * @throws Failure if the data is in use by another process, its key does not fit, or its update needs more room; engine_stopped
 * after the signal
 */
export async function startEngine(options: EngineOptions): Promise<EngineHandle> {
  const {
    workers,
    keepRecoveryWrap,
    findProxy = findProxyByEnvironment,
    onUpdate,
    signal,
    ...rest
  } = options;
  const entries = workers ?? {
    engine: new URL('./worker.ts', import.meta.url),
    sealing: new URL('./sealing/worker.ts', import.meta.url),
    files: new URL('./files/worker.ts', import.meta.url),
  };
  const workerData: EngineWorkerData = {
    ...rest,
    sealingWorker: entries.sealing.href,
    fileWorker: entries.files.href,
    wantsRecoveryWrap: keepRecoveryWrap !== undefined,
    stuckThreads: stuckThreads.count,
  };
  if (signal?.aborted) throw new Failure('engine_stopped');
  const worker = new Worker(entries.engine, {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
  });

  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const start = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Failure | null>();
  let closing = false;
  const rpc = createBirpc<EngineFunctions, EngineListeners>(
    {
      event: (name, payload) => {
        const known = events[name]?.safeParse(payload);
        if (known?.success) for (const listener of listeners) listener(name, known.data);
      },
      recoveryWrap: (wrap) => keepRecoveryWrap?.(wrap),
      proxyFor: (origin) => answerOf(() => findProxy(origin)),
      updated: (progress) => onUpdate?.(progress),
      started: () => start.resolve(),
      failed: (failure) => start.reject(failureFrom(failure)),
      log: ({ level, event, ...facts }) => log(level, event, facts),
    },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) =>
        worker.on('message', (messages: readonly unknown[]) => {
          for (const message of messages) listener(message);
        }),
      // A call may wait for the relay; it has its own time limits.
      timeout: -1,
    },
  );
  const gone = () => {
    const failure = new Failure('engine_stopped');
    rpc.$close(failure);
    start.reject(failure);
    ended.resolve(closing ? null : failure);
  };
  worker.once('error', (error) => {
    log('error', 'engine.stopped', describe(error));
    gone();
  });
  worker.once('exit', gone);

  const close = async () => {
    closing = true;
    await rpc.close().catch(() => undefined);
    await stuckThreads.end(worker);
    // A thread that is stuck has no end.
    gone();
  };
  const stop = () => void close();
  signal?.addEventListener('abort', stop);
  try {
    await start.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }

  return {
    ended: ended.promise,
    async call(name, input) {
      const procedure = procedureNamed(name);
      if (!procedure) return failed('input_malformed');
      const checked = procedure.input.safeParse(input);
      if (!checked.success) return failed('input_malformed');
      let answer: Answer<unknown>;
      try {
        answer = await rpc.call(name, checked.data);
      } catch {
        return failed('engine_stopped');
      }
      if (!answer.ok) return answer;
      const value = procedure.output.safeParse(answer.value);
      return value.success
        ? { ok: true, value: value.data }
        : { ok: false, failure: toFailure(value.error).data };
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async recoverySecret() {
      const answer = await rpc.recoverySecret();
      if (!answer.ok) throw failureFrom(answer.failure);
      return answer.value;
    },
    inboxAccess: () => rpc.inboxAccess(),
    writeFile: (address, offset, bytes) => requested(rpc.writeFile(address, offset, bytes)),
    readFile: (address, offset, length) => requested(rpc.readFile(address, offset, length)),
    describeFile: (place) => requested(rpc.describeFile(place)),
    exportFile: (place, target) => requested(rpc.exportFile(place, target)),
    makeBackup: (target, choice) => requested(rpc.makeBackup(target, choice)),
    restoreBackup: (path, typed) => requested(rpc.restoreBackup(path, typed)),
    setBackupFolder: (parent, choice) => requested(rpc.setBackupFolder(parent, choice)),
    setReceipts: (settings) => rpc.setReceipts(settings),
    setFiles: (settings) => rpc.setFiles(settings),
    close,
  };
}

/** The answer of the worker; a failure if it ends. */
function requested<T>(answer: Promise<Answer<T>>): Promise<Answer<T>> {
  return answer.catch(() => failed('engine_stopped'));
}

function procedureNamed(name: string) {
  return Object.hasOwn(engineProcedures, name)
    ? engineProcedures[name as keyof typeof engineProcedures]
    : null;
}

function failed(code: 'input_malformed' | 'engine_stopped'): Answer<never> {
  return { ok: false, failure: new Failure(code).data };
}
