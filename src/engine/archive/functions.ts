/** Calls of the engine's thread to its file thread for backups. One backup or restore runs at a time. */
import type { Answer } from '../../bridge/failure.ts';
import type { FileRecord } from '../history-records.ts';
import type { BackupSecrets } from './keys.ts';
import type { BackupFacts } from './writer.ts';

/** A backup that is open for a restore. */
export interface OpenedBackup extends BackupFacts {
  id: string;
  /** 32 bytes, to open it again without the secret. */
  key: Uint8Array;
  /** Number of blocks. */
  people: number;
  history: number;
  files: FileRecord[];
  fileBytes: number;
  /** Of the file. */
  bytes: number;
}

export interface BackupFunctions {
  /** @param target path, replaced when the backup is complete and verified @throws Failure file_unsaved */
  beginBackup(target: string, secrets: BackupSecrets): Promise<Answer<null>>;
  /** @param text records as lines of JSON */
  backUpRecords(list: 'people' | 'history', text: string): Promise<Answer<null>>;
  /** @returns number of bytes; null if the file is not on the disk */
  backUpFile(id: number, file: FileRecord): Promise<Answer<number | null>>;
  /** Verifies the backup, and gives it its name. @returns its length */
  finishBackup(facts: BackupFacts): Promise<Answer<number>>;

  /** @param secrets or the key of an earlier opening @throws Failure backup_secret_wrong and those of reading */
  openBackup(path: string, secrets: BackupSecrets | { key: Uint8Array }): Promise<Answer<OpenedBackup>>;
  /** Reads and verifies everything. @throws Failure backup_damaged */
  verifyBackup(): Promise<Answer<null>>;
  /** Records of a block, as lines of JSON. */
  readRecords(list: 'people' | 'history', index: number): Promise<Answer<string>>;
  /** Writes the bytes of a file to the disk of the cache. @param id of the file there */
  restoreFile(index: number, id: number): Promise<Answer<null>>;

  /** Ends the backup or restore that is running, and removes an incomplete file. */
  endBackup(): Promise<void>;
}
