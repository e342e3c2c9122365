/** Opens a backup by its path, or the newest one in a folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, failedWith } from '../base/failure.ts';
import { backupFoldersIn, manifestNames, timeOf } from './folder-names.ts';
import type { BackupHeader, Manifest } from './form.ts';
import { type BackupSecrets, openBackupKey } from './keys.ts';
import { BackupFile } from './reader.ts';

export interface OpenedFile {
  file: BackupFile;
  key: Uint8Array;
  manifest: Manifest;
  /** Number of newer backups that cannot be opened. */
  skipped: number;
}

/** Different headers of a folder that are tried: one for each computer that writes there. */
const MAX_HEADERS = 100;

type Secrets = BackupSecrets | { key: Uint8Array };

/**
 * @param address of the account whose backup it must be; null for any
 * @throws Failure backup_secret_wrong, backup_of_other, backup_folder_empty and those of reading
 */
export async function openNewest(
  path: string,
  secrets: Secrets,
  address: string | null,
): Promise<OpenedFile> {
  const keyOf = keysBy(secrets);
  const disk = await diskOfFolder(path);
  if (disk === null) return { ...(await openOne(path, keyOf, address)), skipped: 0 };
  let problem: unknown = null;
  let skipped = 0;
  for (const each of await manifestsIn(path)) {
    try {
      return { ...(await openOne(each, keyOf, address)), skipped };
    } catch (error) {
      // A folder may have backups of other people and accounts, too.
      if (problem === null || failedWith(error, 'backup_secret_wrong')) problem = error;
      if (!failedWith(error, 'backup_of_other')) skipped += 1;
    }
  }
  if (problem !== null) throw problem;
  // A folder that is removed while it is read has no names, and no error. After an unmount, an empty one is in its place.
  throw new Failure((await diskOfFolder(path)) === disk ? 'backup_folder_empty' : 'backup_unreadable');
}

/**
 * Checks without a secret that there is a backup: before a person is asked for one.
 * @throws Failure backup_folder_empty and those of reading
 */
export async function requireBackup(path: string): Promise<void> {
  if ((await diskOfFolder(path)) === null) return (await BackupFile.open(path)).close();
  if ((await manifestsIn(path)).length === 0) throw new Failure('backup_folder_empty');
}

/** Number of the file system that a folder is on; null if there is no folder. */
function diskOfFolder(path: string): Promise<number | null> {
  return stat(path).then(
    (found) => (found.isDirectory() ? found.dev : null),
    () => null,
  );
}

async function openOne(
  path: string,
  keyOf: (header: BackupHeader) => Promise<Uint8Array | null>,
  address: string | null,
): Promise<Omit<OpenedFile, 'skipped'>> {
  const file = await BackupFile.open(path);
  try {
    const key = await keyOf(file.header);
    if (!key) throw new Failure('backup_secret_wrong');
    const manifest = await file.unlock(key);
    if (address !== null && manifest.address !== address) throw new Failure('backup_of_other');
    return { file, key, manifest };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Keys by headers. The derivation from a passphrase is slow: the backups of a folder share their header. */
function keysBy(secrets: Secrets): (header: BackupHeader) => Promise<Uint8Array | null> {
  if ('key' in secrets) return async () => secrets.key;
  const known = new Map<string, Promise<Uint8Array | null>>();
  return (header) => {
    const name = JSON.stringify(header);
    if (!known.has(name) && known.size === MAX_HEADERS) return Promise.resolve(null);
    const key = known.get(name) ?? openBackupKey(header, secrets);
    known.set(name, key);
    return key;
  };
}

/**
 * Paths of the manifests in a folder and in its folders of backups. Those of the folder with the newest
 * manifest are first.
 */
async function manifestsIn(path: string): Promise<string[]> {
  const found: { paths: string[]; newest: number }[] = [];
  let isUnreadable = false;
  /** A folder may be that of another person, which cannot be read, or has too many files. */
  const passOver = (error: unknown): string[] => {
    isUnreadable ||= !failedWith(error, 'backup_folder_changed');
    return [];
  };
  const folders = (await backupFoldersIn(path).catch(passOver)).map((name) => join(path, name));
  for (const folder of [path, ...folders]) {
    const names = await manifestNames(folder).catch(passOver);
    const newest = timeOf(names[0] ?? '') ?? 0;
    found.push({ paths: names.map((name) => join(folder, name)), newest });
  }
  const paths = found.toSorted((one, other) => other.newest - one.newest).flatMap((each) => each.paths);
  if (paths.length === 0 && isUnreadable) throw new Failure('backup_unreadable');
  return paths;
}
