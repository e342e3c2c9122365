/**
 * The file thread of an engine: seals, opens, uploads and downloads files, so that neither messages nor the interface wait
 * for them.
 */
import { open, rename, rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { Failure, type FailureData, failedWith, failureFrom, RelayUnreachable } from '../../base/failure.ts';
import { logTo } from '../../base/log.ts';
import { isDiskFull } from '../../base/node/disk-full.ts';
import { RelayApi } from '../../client/api.ts';
import { fetchBlob } from '../../client/files/download.ts';
import { isWorthRetry, type TransferOptions } from '../../client/files/transfer.ts';
import { uploadFile } from '../../client/files/upload.ts';
import { RelayHttp } from '../../client/http.ts';
import type { Credential } from '../../client/session.ts';
import { waitAfter } from '../../client/wait-after.ts';
import { leaveBy } from '../../client/way-out.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { CHUNK_BYTES } from '../../protocol/blob/layout.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { answerOf, failureOf } from '../answer.ts';
import { backupFunctions } from '../archive/thread.ts';
import { proxyIn } from '../proxy-answer.ts';
import { Arrivals } from './arrivals.ts';
import {
  type FileFunctions,
  type FileListeners,
  type FileRelay,
  MAX_READ_BYTES,
  type SealedFile,
  type TransferAnswer,
} from './functions.ts';
import { placePiece } from './pieces.ts';
import { ProgressReports } from './progress.ts';
import { FileStore, Sealing } from './store.ts';
import { UnfinishedCopies } from './unfinished-copies.ts';

const port = parentPort;
if (!port) throw new Error('files/worker.ts runs in a worker thread');

const { folder } = workerData as { folder: string };
const store = new FileStore(folder);
const unfinishedCopies = new UnfinishedCopies(folder);
const sealings = new Map<number, Sealing>();
/** Plain copies that are being written. */
const copies = new Set<Promise<unknown>>();
/** True before the end of the thread. */
let isClosing = false;
/** Files that are made of pieces at the moment. */
const pieced = new Map<number, Promise<unknown>>();
const arrivals = new Arrivals();
/** The reason for interrupting downloads that continue later. */
const PAUSED = new Failure('file_stopped');
/** Running transfers, and their ends. */
const transfers = new Map<number, { abort: AbortController; ended: Promise<void> }>();

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function sealingOf(id: number): Sealing {
  const sealing = sealings.get(id);
  if (!sealing) throw new Failure('file_unprepared');
  return sealing;
}

/** @throws Failure file_unsaved; the disk being full has its own */
function unsaved(error: unknown): never {
  throw isDiskFull(error) ? error : new Failure('file_unsaved');
}

async function abandon(id: number): Promise<void> {
  await sealings.get(id)?.abort();
  sealings.delete(id);
  store.releaseRoom(id);
  await store.remove([id]);
}

/** The reference that the transfers of src/client/files use. Name and type do not matter there. */
function attached({ key, digest, size }: SealedFile): AttachedFile {
  return { key: encodeBase64Url(key), digest: encodeBase64Url(digest), size, mediaType: '-', name: '-' };
}

/** A failure of the engine's thread that may pass: its class does not cross threads. */
function transient(failure: FailureData): RelayUnreachable {
  return new RelayUnreachable(...([failure.code, failure.parameters] as unknown as ['relay_unreachable']));
}

class EngineCredential implements Credential {
  readonly address: string;
  #discards = false;

  constructor(address: string) {
    this.address = address;
  }

  async token(): Promise<string> {
    const answered = await engine.token(this.#discards);
    this.#discards = false;
    if (answered.ok) return answered.value;
    const { failure, isTransient } = answered;
    throw isTransient ? transient(failure) : failureFrom(failure);
  }

  discard(): void {
    this.#discards = true;
  }
}

async function transfer<T>(
  { id }: SealedFile,
  { url, address }: FileRelay,
  attempts: number,
  work: (api: RelayApi, options: TransferOptions) => Promise<T>,
): Promise<TransferAnswer<T>> {
  const abort = new AbortController();
  const end = Promise.withResolvers<void>();
  transfers.set(id, { abort, ended: end.promise });
  const http = new RelayHttp(url);
  const reports = new ProgressReports((done, total) => void engine.progress(id, done, total));
  const onProgress = (done: number, total: number) => reports.add(done, total);
  try {
    const api = new RelayApi(http, new EngineCredential(address));
    return { ok: true, value: await work(api, { signal: abort.signal, onProgress }) };
  } catch (error) {
    if (abort.signal.reason === PAUSED) return { ok: false, failure: PAUSED.data, wait: 0 };
    const wait = isWorthRetry(error) ? waitAfter(error, attempts + 1) : null;
    return {
      ok: false,
      failure: failureOf(abort.signal.aborted ? new Failure('file_stopped') : error),
      wait,
    };
  } finally {
    reports.end();
    http.close();
    transfers.delete(id);
    end.resolve();
  }
}

/** A stopped download would write its last bytes, or rename its file, after the removal. */
async function stop(id: number, drops = false): Promise<void> {
  const running = transfers.get(id);
  running?.abort.abort();
  arrivals.end(id, new Failure('file_missing').data);
  await running?.ended;
  if (drops) store.dropUnfinished(id);
}

/** Ends the readers of a file that was completed after the engine's thread looked: no download does. */
async function endIfComplete(id: number): Promise<void> {
  const isHere = (await store.storedLength(id)) !== null;
  if (isHere && !transfers.has(id)) arrivals.end(id, null);
}

async function readArriving(file: SealedFile, offset: number, length: number): Promise<Uint8Array> {
  const { id } = file;
  const chunk = Math.floor(offset / CHUNK_BYTES);
  let count = 0;
  // Again if another attempt of the download began meanwhile: it counts its chunks anew.
  do {
    // At once: a stop during the look at the disk ends this reader, too.
    await Promise.all([arrivals.until(id, chunk), endIfComplete(id)]);
    count = arrivals.countFrom(id, chunk, MAX_READ_BYTES / CHUNK_BYTES);
  } while (count === 0 && arrivals.isArriving(id));
  if (count === 0) return store.read(file, offset, length);
  return store.readArriving(file, offset, Math.min(length, (chunk + count) * CHUNK_BYTES - offset));
}

async function writePlain(file: SealedFile, target: string): Promise<null> {
  const partial = notedCopy(target);
  try {
    await writeInto(partial, file, target);
  } finally {
    unfinishedCopies.end(partial);
  }
  return null;
}

function notedCopy(target: string): string {
  try {
    return unfinishedCopies.begin(target);
  } catch (error) {
    return unsaved(error);
  }
}

async function writeInto(partial: string, file: SealedFile, target: string): Promise<void> {
  const handle = await open(partial, 'wx', 0o600).catch(unsaved);
  try {
    for (let offset = 0; offset < file.size; offset += MAX_READ_BYTES) {
      if (isClosing) throw new Failure('closing');
      const bytes = await store.read(file, offset, MAX_READ_BYTES);
      await handle.writeFile(bytes).catch(unsaved);
    }
    await handle.sync().catch(unsaved);
    await handle.close();
    await rename(partial, target).catch(unsaved);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

const backups = backupFunctions(store, unfinishedCopies, (bytes) => void engine.verified(bytes));

const functions: FileFunctions = {
  ...backups,
  begin: ({ id, key, size }) =>
    answerOf(async () => {
      await store.takeRoom(id, size);
      try {
        sealings.set(id, await Sealing.begin(key, size, store.path(id)));
      } catch (error) {
        store.releaseRoom(id);
        throw error;
      }
      return null;
    }),
  write: (id, offset, bytes) =>
    answerOf(async () => {
      try {
        await sealingOf(id).write(offset, bytes);
      } catch (error) {
        await abandon(id);
        throw error;
      }
      return null;
    }),
  writeStored: (id, at, { fileId, offset, bytes }) =>
    answerOf(async () => {
      try {
        const sealing = sealingOf(id);
        for (let done = 0; done < bytes; done += MAX_READ_BYTES) {
          const length = Math.min(MAX_READ_BYTES, bytes - done);
          await sealing.write(at + done, await store.readStored(fileId, offset + done, length));
        }
      } catch (error) {
        await abandon(id);
        throw error;
      }
      return null;
    }),
  lengths: (ids) => answerOf(() => Promise.all(ids.map((id) => store.storedLength(id)))),
  requireRoom: (bytes) =>
    answerOf(async () => {
      await store.requireRoom(bytes);
      return null;
    }),
  placePiece: (from, file, piece) =>
    answerOf(async () => {
      // A download of the file has the same place on the disk.
      if (transfers.has(file.id) || pieced.has(file.id)) return { mediaType: null };
      const work = placePiece(store, from, file, piece);
      pieced.set(file.id, work);
      try {
        return { mediaType: await work };
      } finally {
        pieced.delete(file.id);
      }
    }),
  finish: (id) =>
    answerOf(async () => {
      try {
        const result = await sealingOf(id).finish();
        sealings.delete(id);
        store.releaseRoom(id);
        return result;
      } catch (error) {
        await abandon(id);
        throw error;
      }
    }),
  copy: (from, { id, key }) =>
    answerOf(async () => {
      await store.takeRoom(id, from.size);
      let sealing: Sealing | null = null;
      try {
        sealing = await Sealing.begin(key, from.size, store.path(id));
        for (let offset = 0; offset < from.size; offset += MAX_READ_BYTES)
          await sealing.write(offset, await store.read(from, offset, MAX_READ_BYTES));
        return await sealing.finish();
      } catch (error) {
        await sealing?.abort();
        await store.remove([id]);
        throw error;
      } finally {
        store.releaseRoom(id);
      }
    }),
  read: (file, offset, length) => answerOf(() => store.read(file, offset, Math.min(length, MAX_READ_BYTES))),
  readArriving: (file, offset, length) =>
    answerOf(() => readArriving(file, offset, Math.min(length, MAX_READ_BYTES))),
  async export(file, target) {
    const copy = answerOf(() => writePlain(file, target));
    copies.add(copy);
    try {
      return await copy;
    } finally {
      copies.delete(copy);
    }
  },
  removeUnfinishedCopies: () => unfinishedCopies.removeUnfinished(),
  upload: (file, relay, attempts) =>
    transfer(file, relay, attempts, async (api, options) => {
      try {
        await uploadFile(api, attached(file), store.path(file.id), options);
      } catch (error) {
        throw isMissing(error) ? new Failure('file_missing') : error;
      }
      return null;
    }),
  async download(file, relay, attempts) {
    const answer = await transfer(file, relay, attempts, async (api, options) => {
      await pieced.get(file.id)?.catch(() => undefined);
      await store.takeRoom(file.id, file.size);
      try {
        const readers = arrivals.readersOf(file.id);
        await fetchBlob(api, attached(file), store.path(file.id), { ...options, readers });
      } catch (error) {
        // Nothing is left to continue it with.
        if (failedWith(error, 'not_found')) await store.remove([file.id]);
        throw error;
      } finally {
        store.releaseRoom(file.id);
      }
      return store.mediaType(file);
    });
    // Readers wait for another attempt.
    if (answer.ok) arrivals.end(file.id, null);
    else if (answer.wait === null) arrivals.end(file.id, answer.failure);
    return answer;
  },
  stop,
  async pause(ids) {
    for (const id of ids) transfers.get(id)?.abort.abort(PAUSED);
  },
  async remove(ids) {
    await Promise.all(ids.flatMap((id) => [stop(id), pieced.get(id)?.catch(() => undefined)]));
    for (const id of ids) await abandon(id);
  },
  removeAllBut: (ids) => store.removeAllBut(ids),
  async close() {
    isClosing = true;
    await Promise.all([...[...transfers.keys()].map((id) => stop(id)), ...copies, backups.endBackup()]);
  },
};

const engine = createBirpc<FileListeners, FileFunctions>(functions, {
  post: (message) => port.postMessage(message),
  on: (listener) => port.on('message', listener),
  eventNames: ['progress', 'verified', 'log'],
  // A transfer has its own time limits.
  timeout: -1,
});

logTo((record) => void engine.log(record));
leaveBy({ findProxy: async (origin) => proxyIn(await engine.proxyFor(origin)), trustsSystem: true });
