/** Opens a backup by its path, or the newest one in a folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, failedWith } from '../../base/failure.ts';
import { backupFoldersIn, manifestNames, timeOf } from './folder-names.ts';
import type { BackupHeader, Manifest } from './form.ts';
import { type BackupSecrets, openBackupKey } from './keys.ts';
import { BackupFile } from './reader.ts';

interface Opened {
  file: BackupFile;
  key: Uint8Array;
  manifest: Manifest;
  /** Number of newer backups that cannot be opened. */
  skipped: number;
}

/** Different headers of a folder that are tried: one for each computer that writes there. */
const MOST_HEADERS = 100;

type Secrets = BackupSecrets | { key: Uint8Array };

/** @throws Failure backup_secret_wrong and those of reading */
export async function openNewest(path: string, secrets: Secrets): Promise<Opened> {
  const keyOf = keysBy(secrets);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return { ...(await openOne(path, keyOf)), skipped: 0 };
  let problem: unknown = new Failure('backup_folder_empty');
  for (const [skipped, each] of (await manifestsIn(path)).entries()) {
    try {
      return { ...(await openOne(each, keyOf)), skipped };
    } catch (error) {
      // A folder may have backups of other people, too.
      if (skipped === 0 || failedWith(error, 'backup_secret_wrong')) problem = error;
    }
  }
  throw problem;
}

async function openOne(
  path: string,
  keyOf: (header: BackupHeader) => Promise<Uint8Array | null>,
): Promise<Omit<Opened, 'skipped'>> {
  const file = await BackupFile.open(path);
  try {
    const key = await keyOf(file.header);
    if (!key) throw new Failure('backup_secret_wrong');
    return { file, key, manifest: await file.unlock(key) };
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
    if (!known.has(name) && known.size === MOST_HEADERS) return Promise.resolve(null);
    const key = known.get(name) ?? openBackupKey(header, secrets);
    known.set(name, key);
    return key;
  };
}

/** Paths of the manifests in a folder, and in the folders of backups in it, those of the folder with the newest one first. */
async function manifestsIn(path: string): Promise<string[]> {
  try {
    const folders = [path, ...(await backupFoldersIn(path)).map((name) => join(path, name))];
    const found: { paths: string[]; newest: number }[] = [];
    for (const folder of folders) {
      const names = await manifestNames(folder);
      const newest = timeOf(names[0] ?? '') ?? 0;
      found.push({ paths: names.map((name) => join(folder, name)), newest });
    }
    return found.toSorted((one, other) => other.newest - one.newest).flatMap(({ paths }) => paths);
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('backup_unreadable');
  }
}
