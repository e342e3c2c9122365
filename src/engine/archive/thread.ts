/** Backups in the file thread: sealing, writing, reading and verifying. */
import { open, rm } from 'node:fs/promises';
import { FolderWriter, newBackupFolder } from '../../archive/folder-writer.ts';
import type { Manifest } from '../../archive/form.ts';
import type { FileRecord } from '../../archive/history-records.ts';
import { newBackupKey } from '../../archive/keys.ts';
import { openNewest } from '../../archive/open-newest.ts';
import type { BackupFile } from '../../archive/reader.ts';
import { SerialQueue } from '../../archive/serial-queue.ts';
import { type BackupTarget, BackupWriter } from '../../archive/writer.ts';
import { Failure, failedWith } from '../../base/failure.ts';
import { isDiskFull } from '../../base/node/disk-full.ts';
import { renameDurably } from '../../base/node/durable-file.ts';
import { UNKNOWN_TYPE } from '../../protocol/blob/media-type.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { answerOf } from '../answer.ts';
import { linesByChat } from './by-chat.ts';
import type { BackupFunctions } from './functions.ts';

/** Bytes between two reports of progress. */
const REPORT_EVERY = 8 * 1024 * 1024;
/**
 * Bytes of messages that are sorted by their chats. With more, messages that are next to each other in the database are stored at
 * more different times; with less, each chat has fewer at a time: both change more pages.
 */
const SORTED_BYTES = 768 * 1024;

/** The sealed files of the cache on the disk. */
export interface SealedFiles {
  path(id: number): string;
  /** Takes room for a file of this size. @throws Failure disk_full */
  takeRoom(id: number, size: number): Promise<void>;
  releaseRoom(id: number): void;
  /** Type of a file by its first bytes. @throws Failure file_not_as_sent if they do not open */
  mediaType(file: { id: number; key: Uint8Array; digest: Uint8Array; size: number }): Promise<string>;
}

/** Notes about copies in folders of the person, by which the next start removes those of a killed program. */
export interface NotedCopies {
  /** Notes a new temporary path in the folder of a target. */
  begin(target: string): string;
  /** Forgets a path whose copy is complete or removed. */
  end(path: string): void;
}

interface Reading {
  file: BackupFile;
  manifest: Manifest;
  /** Number of the first block of each file. */
  firstPieces: number[];
}

/** @param onVerified called with the number of verified bytes */
export function backupFunctions(
  store: SealedFiles,
  copies: NotedCopies,
  onVerified: (bytes: number) => void,
): BackupFunctions {
  let writer: BackupTarget | null = null;
  /** Temporary path of a backup in one file. */
  let partial: string | null = null;
  let reading: Reading | null = null;
  /** Failure of the last backup, also for its other calls at the same time. */
  let failure: unknown = null;
  /** Rises with each end: work that began before it stops. */
  let run = 0;
  /** A caller of `end` waits for the ends of others, too: a stop and the failure that it causes both call it. */
  const ends = new SerialQueue();

  /** Ends everything before another backup. */
  const clear = async () => {
    await end();
    failure = null;
  };
  const end = () => {
    run += 1;
    const [writing, open_, noted] = [writer, reading, partial];
    [writer, reading, partial] = [null, null, null];
    return ends.run(async () => {
      await writing?.abort();
      if (noted !== null) copies.end(noted);
      await open_?.file.close();
    });
  };
  const written = (): BackupTarget => {
    if (!writer) throw failure ?? new Failure('backup_stopped');
    return writer;
  };
  const read = (): Reading => {
    if (!reading) throw new Failure('backup_stopped');
    return reading;
  };
  /** Reports progress, and stops ended work. */
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
  /** Does work of a backup. Its failure ends the backup. */
  const saving = async <T>(backup: BackupTarget, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (writer !== backup) throw failure ?? new Failure('backup_stopped');
      const first = placeFailure(error);
      failure = first;
      await end();
      throw first;
    }
  };

  /** The type of a file by its first bytes. One that does not open is stored as well: reading it requests it again. */
  const typeOf = (id: number, { key, digest, size }: FileRecord) =>
    store
      .mediaType({ id, key: decodeBase64Url(key), digest: decodeBase64Url(digest), size })
      .catch((error: unknown) => {
        if (failedWith(error, 'file_not_as_sent')) return UNKNOWN_TYPE;
        throw error;
      });

  return {
    beginBackup: (target, secrets) =>
      answerOf(async () => {
        await clear();
        const { key, header } = await newBackupKey(secrets);
        let noted: string | null = null;
        try {
          noted = copies.begin(target);
          writer = await BackupWriter.begin(target, noted, key, header);
        } catch (error) {
          if (noted !== null) copies.end(noted);
          throw placeFailure(error);
        }
        partial = noted;
        return null;
      }),
    newBackupFolder: (parent, secrets) =>
      answerOf(() =>
        newBackupFolder(parent, secrets).catch((error: unknown) => {
          throw placeFailure(error);
        }),
      ),
    beginFolderBackup: (folder, last) =>
      answerOf(async () => {
        await clear();
        const folderWriter = await FolderWriter.begin(folder, last);
        writer = folderWriter;
        return folderWriter.needed;
      }),
    backUpPeople: (text) =>
      answerOf(async () => {
        const current = written();
        await saving(current, () => current.addPeople(text));
        return null;
      }),
    backUpMessages: (text, part) =>
      answerOf(async () => {
        const current = written();
        await saving(current, () => current.addMessages(text, part));
        return null;
      }),
    backUpFile: (id, file, bytes) =>
      answerOf(() => {
        const current = written();
        return saving(current, () => current.addFile(store.path(id), file, bytes));
      }),
    finishBackup: (facts) =>
      answerOf(async () => {
        const current = written();
        const finished = await saving(current, () => current.finish(facts, reporter()));
        if (partial !== null) copies.end(partial);
        [writer, partial] = [null, null];
        return finished;
      }),
    openBackup: (path, secrets, address) =>
      answerOf(async () => {
        await end();
        const { file, key, manifest, skipped } = await openNewest(path, secrets, address);
        const { at, lastArrival, people, history, files, fileBytes } = manifest;
        let first = people.length + history.length;
        const firstPieces = files.map(({ pieces }) => {
          first += pieces.length;
          return first - pieces.length;
        });
        reading = { file, manifest, firstPieces };
        return {
          ...{
            path: file.path,
            skipped,
            digest: file.digest,
            key,
            address,
            at,
            lastArrival,
            fileBytes,
            bytes: file.blockBytes,
          },
          ...{ people: people.length, history: history.length, files: files.map((each) => each.file) },
        };
      }),
    verifyBackup: () =>
      answerOf(async () => {
        await read().file.verify(reporter());
        return null;
      }),
    readPeople: (index) => answerOf(() => read().file.read(index)),
    readMessages: (before) =>
      answerOf(async () => {
        const { file, manifest } = read();
        const blocks: Buffer[] = [];
        for (let [index, bytes] = [before, 0]; index > 0 && bytes < SORTED_BYTES; ) {
          index -= 1;
          const block = await file.read(manifest.people.length + index);
          blocks.unshift(block);
          bytes += block.length;
        }
        return { lines: linesByChat(blocks), blocks: blocks.length };
      }),
    restoreFile: (index, id) =>
      answerOf(async () => {
        const { file, manifest, firstPieces } = read();
        const restored = manifest.files[index];
        if (!restored) throw new RangeError('the backup has no such file');
        const { file: record, pieces } = restored;
        const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
        await store.takeRoom(id, bytes);
        const partial = `${store.path(id)}.partial`;
        const handle = await open(partial, 'w', 0o600).catch((error: unknown) => {
          store.releaseRoom(id);
          throw error;
        });
        try {
          for await (const piece of file.readAll(firstPieces[index] ?? 0, pieces.length))
            await handle.writeFile(piece);
          await handle.sync();
        } catch (error) {
          await rm(partial, { force: true });
          throw failedWith(error, 'backup_damaged') || isDiskFull(error)
            ? error
            : new Failure('backup_unreadable');
        } finally {
          await handle.close();
          store.releaseRoom(id);
        }
        await renameDurably(partial, store.path(id));
        return { mediaType: await typeOf(id, record) };
      }),
    endBackup: clear,
  };
}

/** The failure of an error of the system in the place of a backup, often not on this computer. */
function placeFailure(error: unknown): unknown {
  if (isDiskFull(error)) return new Failure('backup_no_room');
  // The new backup, when it is verified: the sentences for a restore would ask for another copy of it.
  if (failedWith(error, 'backup_unreadable', 'backup_damaged', 'backup_unknown', 'backup_newer'))
    return new Failure('file_unsaved');
  return error instanceof Error && 'syscall' in error ? new Failure('file_unsaved') : error;
}
