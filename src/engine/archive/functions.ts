/** Calls of the engine's thread to its file thread for backups. One backup or restore runs at a time. */

import type { BackupFolder, NeededRanges } from '../../archive/folder-writer.ts';
import type { FileRecord } from '../../archive/history-records.ts';
import type { BackupSecrets } from '../../archive/keys.ts';
import type { BackupFacts, FinishedBackup, MessagePart } from '../../archive/writer.ts';
import type { Answer } from '../../bridge/failure.ts';

/** A backup that is open for a restore. */
export interface OpenedBackup extends BackupFacts {
  /** Of its file, or of its manifest in a folder. */
  path: string;
  /** Number of newer backups in the folder that cannot be opened. */
  skipped: number;
  /** Of this backup: each one of a folder has its own. */
  digest: string;
  /** 32 bytes, to open it again without the secret. */
  key: Uint8Array;
  /** Number of blocks. */
  people: number;
  history: number;
  files: FileRecord[];
  fileBytes: number;
  /** Of its blocks. */
  bytes: number;
}

/** Messages of one block or more. */
export interface MessageBlocks {
  /** Records as lines of JSON, in UTF-8. */
  lines: Uint8Array;
  /** Number of blocks. */
  blocks: number;
}

export interface BackupFunctions {
  /** @param target path, replaced when the backup is complete and verified @throws Failure file_unsaved, backup_no_room */
  beginBackup(target: string, secrets: BackupSecrets): Promise<Answer<null>>;
  /** Makes a folder for automatic backups in a folder of the person. @throws Failure file_unsaved, backup_no_room */
  newBackupFolder(parent: string, secrets: BackupSecrets): Promise<Answer<BackupFolder>>;
  /**
   * Begins an incremental backup.
   * @param last digest of the last manifest that this computer wrote there; null for none
   * @throws Failure backup_folder_away, backup_folder_unwritable, backup_folder_changed, backup_no_room
   */
  beginFolderBackup(folder: BackupFolder, last: string | null): Promise<Answer<NeededRanges>>;
  /** @param text records as lines of JSON, in UTF-8 */
  backUpPeople(text: Uint8Array): Promise<Answer<null>>;
  /** @param text records as lines of JSON, in UTF-8 */
  backUpMessages(text: Uint8Array, part: MessagePart): Promise<Answer<null>>;
  /** @param bytes on the disk @returns false if they are not there: the backup is made without the file */
  backUpFile(id: number, file: FileRecord, bytes: number): Promise<Answer<boolean>>;
  /** Verifies the backup, and gives it its name. */
  finishBackup(facts: BackupFacts): Promise<Answer<FinishedBackup>>;

  /**
   * @param path of a backup, or of a folder with backups: the newest one that can be opened
   * @param secrets or the key of an earlier opening
   * @param address of the account whose backup it must be
   * @throws Failure backup_secret_wrong, backup_of_other and those of reading
   */
  openBackup(
    path: string,
    secrets: BackupSecrets | { key: Uint8Array },
    address: string,
  ): Promise<Answer<OpenedBackup>>;
  /** Reads and verifies everything. @throws Failure backup_damaged */
  verifyBackup(): Promise<Answer<null>>;
  /** Records of a block of people, groups and settings, as lines of JSON in UTF-8. */
  readPeople(index: number): Promise<Answer<Uint8Array>>;
  /**
   * Messages of several blocks, chat by chat (./by-chat.ts).
   * @param before number of the block after them
   */
  readMessages(before: number): Promise<Answer<MessageBlocks>>;
  /**
   * Writes the bytes of a file to the disk of the cache.
   * @param index of the file in the backup
   * @param id of the file on the disk
   * @returns its type by its first bytes
   */
  restoreFile(index: number, id: number): Promise<Answer<{ mediaType: string }>>;

  /** Ends the backup or restore that is running, and removes an incomplete file. */
  endBackup(): Promise<void>;
}
