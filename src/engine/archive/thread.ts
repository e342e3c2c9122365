/** Backups in the file thread: sealing, writing, reading and verifying. */
import { open, rm } from 'node:fs/promises';
import { Failure, failedWith } from '../../base/failure.ts';
import { renameDurably } from '../../base/node/durable-file.ts';
import { answerOf, isDiskFull } from '../answer.ts';
import type { Manifest } from './form.ts';
import type { BackupFunctions } from './functions.ts';
import { newBackupKey, openBackupKey } from './keys.ts';
import { BackupFile } from './reader.ts';
import { BackupWriter } from './writer.ts';

/** Bytes between two reports of progress. */
const REPORT_EVERY = 8 * 1024 * 1024;

/** The sealed files of the cache on the disk. */
export interface SealedFiles {
  path(id: number): string;
  /** @throws Failure disk_full if there is no room for a file of this size */
  requireRoom(size: number): Promise<void>;
}

interface Reading {
  file: BackupFile;
  manifest: Manifest;
  /** Number of the first block of each file. */
  firstPieces: number[];
}

/** @param onVerified called with the number of verified bytes */
export function backupFunctions(store: SealedFiles, onVerified: (bytes: number) => void): BackupFunctions {
  let writer: BackupWriter | null = null;
  let reading: Reading | null = null;
  /** Rises with each end: what began before it stops. */
  let run = 0;

  const end = async () => {
    run += 1;
    const [writing, open_] = [writer, reading];
    [writer, reading] = [null, null];
    await writing?.abort();
    await open_?.file.close();
  };
  const written = (): BackupWriter => {
    if (!writer) throw new Failure('backup_stopped');
    return writer;
  };
  const read = (): Reading => {
    if (!reading) throw new Failure('backup_stopped');
    return reading;
  };
  /** Reports progress, and stops what was ended. */
  const reporter = () => {
    const begun = run;
    let reported = 0;
    return (bytes: number) => {
      if (run !== begun) throw new Failure('backup_stopped');
      if (bytes - reported < REPORT_EVERY) return;
      reported = bytes;
      onVerified(bytes);
    };
  };
  const saving = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isStopped = writer === null;
      await end();
      if (isStopped) throw new Failure('backup_stopped');
      const isSystem = error instanceof Error && 'syscall' in error && !isDiskFull(error);
      throw isSystem ? new Failure('file_unsaved') : error;
    }
  };

  return {
    beginBackup: (target, secrets) =>
      answerOf(async () => {
        await end();
        const { key, header } = await newBackupKey(secrets);
        writer = await BackupWriter.begin(target, key, header).catch((error: unknown) => {
          throw isDiskFull(error) ? error : new Failure('file_unsaved');
        });
        return null;
      }),
    backUpRecords: (list, text) =>
      answerOf(async () => {
        const current = written();
        await saving(() => current.addRecords(list, text));
        return null;
      }),
    backUpFile: (id, file) =>
      answerOf(async () => {
        const current = written();
        // Removed from the disk meanwhile, or lost.
        const isThere = await open(store.path(id), 'r').then(
          (handle) => handle.close().then(() => true),
          () => false,
        );
        return isThere ? saving(() => current.addFile(store.path(id), file)) : null;
      }),
    finishBackup: (facts) =>
      answerOf(async () => {
        const current = written();
        const bytes = await saving(() => current.finish(facts, reporter()));
        writer = null;
        return bytes;
      }),
    openBackup: (path, secrets) =>
      answerOf(async () => {
        await end();
        const file = await BackupFile.open(path);
        try {
          const key = 'key' in secrets ? secrets.key : await openBackupKey(file.header, secrets);
          if (!key) throw new Failure('backup_secret_wrong');
          const manifest = await file.unlock(key);
          const { id, address, at, lastArrival, messages, people, history, files, fileBytes } = manifest;
          let first = people.length + history.length;
          const firstPieces = files.map(({ pieces }) => {
            first += pieces.length;
            return first - pieces.length;
          });
          reading = { file, manifest, firstPieces };
          return {
            ...{ id, key, address, at, lastArrival, messages, fileBytes, bytes: file.size },
            ...{ people: people.length, history: history.length, files: files.map((each) => each.file) },
          };
        } catch (error) {
          await file.close();
          throw error;
        }
      }),
    verifyBackup: () =>
      answerOf(async () => {
        await read().file.verify(reporter());
        return null;
      }),
    readRecords: (list, index) =>
      answerOf(async () => {
        const { file, manifest } = read();
        const contents = await file.read(list === 'people' ? index : manifest.people.length + index);
        return contents.toString('utf8');
      }),
    restoreFile: (index, id) =>
      answerOf(async () => {
        const { file, manifest, firstPieces } = read();
        const pieces = manifest.files[index]?.pieces ?? [];
        const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
        await store.requireRoom(bytes);
        const partial = `${store.path(id)}.partial`;
        const handle = await open(partial, 'w', 0o600);
        try {
          for (let piece = 0; piece < pieces.length; piece++)
            await handle.writeFile(await file.read((firstPieces[index] ?? 0) + piece));
          await handle.sync();
        } catch (error) {
          await rm(partial, { force: true });
          throw failedWith(error, 'backup_damaged') || isDiskFull(error)
            ? error
            : new Failure('backup_unreadable');
        } finally {
          await handle.close();
        }
        await renameDurably(partial, store.path(id));
        return null;
      }),
    endBackup: end,
  };
}
