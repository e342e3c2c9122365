/** Calls between the engine's thread and its file thread. Plain data in both directions. */
import type { FailureData } from '../../base/failure.ts';
import type { LogRecord } from '../../base/log-record.ts';
import type { Answer } from '../../bridge/failure.ts';
import type { BackupFunctions } from '../archive/functions.ts';

/** A stored file: its number names it on the disk. */
export interface SealedFile {
  id: number;
  /** 32 bytes. */
  key: Uint8Array;
  /** Of its blob, 32 bytes. */
  digest: Uint8Array;
  /** In bytes. */
  size: number;
}

/** Bytes of a file as it is stored on the disk. */
export interface StoredPiece {
  fileId: number;
  offset: number;
  bytes: number;
}

/** Bytes at a place in one file, for a place in the stored form of another. */
export interface PlacedPiece {
  at: number;
  offset: number;
  bytes: number;
}

/** The relay of the account, and its owner. */
export interface FileRelay {
  url: string;
  /** Wire address. */
  address: string;
}

export interface SealedResult {
  digest: Uint8Array;
  /** By its first bytes. */
  mediaType: string;
}

/** The end of an upload or download. */
export type TransferAnswer<T> =
  | { ok: true; value: T }
  /** @property wait milliseconds before another attempt; null if it would fail again */
  | { ok: false; failure: FailureData; wait: number | null };

/** @property isTransient true if the same request may succeed later */
export type TokenAnswer =
  | { ok: true; value: string }
  | { ok: false; failure: FailureData; isTransient: boolean };

/** Functions of the file thread. */
export interface FileFunctions extends BackupFunctions {
  /** Reserves room for a file, and begins its sealed form. */
  begin(file: { id: number; key: Uint8Array; size: number }): Promise<Answer<null>>;
  /** Seals the next bytes. @param offset number of bytes before them */
  write(id: number, offset: number, bytes: Uint8Array): Promise<Answer<null>>;
  /** Seals the next bytes, from a file on the disk as it is stored there. @param at number of bytes before them */
  writeStored(id: number, at: number, piece: StoredPiece): Promise<Answer<null>>;
  finish(id: number): Promise<Answer<SealedResult>>;
  /** Lengths of files as they are stored on the disk; null for one that is not there. */
  lengths(ids: readonly number[]): Promise<Answer<(number | null)[]>>;
  /** @throws Failure disk_full if the disk has no room for these bytes */
  requireRoom(bytes: number): Promise<Answer<null>>;
  /**
   * Writes a piece of a file that is in another one to its place. Pieces come in order; one without those before it is
   * passed over. The last one completes the file, if it has its digest.
   * @returns the type of a complete file by its first bytes; else null
   */
  placePiece(
    from: SealedFile,
    file: SealedFile,
    piece: PlacedPiece,
  ): Promise<Answer<{ mediaType: string | null }>>;
  /** Seals a stored file again, under another key. */
  copy(from: SealedFile, to: { id: number; key: Uint8Array }): Promise<Answer<SealedResult>>;
  /** Bytes of a file that is here. @param length at most {@link MAX_READ_BYTES} */
  read(file: SealedFile, offset: number, length: number): Promise<Answer<Uint8Array>>;
  /**
   * Verified bytes of a file that is being downloaded, at least one; waits for them.
   * @param length at most {@link MAX_READ_BYTES}
   * @throws Failure of the download, file_too_slow, file_missing
   */
  readArriving(file: SealedFile, offset: number, length: number): Promise<Answer<Uint8Array>>;
  /**
   * Writes a file that is here as plain bytes.
   * @param target path, replaced when it is complete
   * @throws Failure file_unsaved for a place that cannot be written
   */
  export(file: SealedFile, target: string): Promise<Answer<null>>;
  /** Removes plain copies that a killed program left. */
  removeUnfinishedCopies(): Promise<void>;
  /** @param attempts number of failures before */
  upload(file: SealedFile, relay: FileRelay, attempts: number): Promise<TransferAnswer<null>>;
  /** @returns its type by its first bytes */
  download(file: SealedFile, relay: FileRelay, attempts: number): Promise<TransferAnswer<string>>;
  /** Aborts a running upload or download. Resolves after its end. @param drops true to erase its unfinished file */
  stop(id: number, drops?: boolean): Promise<void>;
  /** Interrupts running downloads. They answer file_stopped without a wait, and their readers wait. */
  pause(ids: readonly number[]): Promise<void>;
  /** Erases files from the disk. */
  remove(ids: readonly number[]): Promise<void>;
  /** Erases all other files from the disk: they were left by a killed program. */
  removeAllBut(ids: readonly number[]): Promise<void>;
  /** Ends the running work before the thread ends: no incomplete plain copy stays. */
  close(): Promise<void>;
}

/** Functions of the engine's thread for the file thread. */
export interface FileListeners {
  /** A token of the account. @param discards true if the relay refused the last one */
  token(discards: boolean): Promise<TokenAnswer>;
  proxyFor(origin: string): Promise<Answer<string | null>>;
  progress(id: number, done: number, total: number): void;
  /** @param bytes of a backup that are verified */
  verified(bytes: number): void;
  log(record: LogRecord): void;
}

/** The most bytes in one answer of {@link FileFunctions.read}. */
export const MAX_READ_BYTES = 1024 * 1024;
