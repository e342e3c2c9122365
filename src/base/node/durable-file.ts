/** Atomic file replacement: a crash or a power cut leaves the old file or the new one. Runs on Node. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces a complete file, with mode 0600: temporary file, sync, rename, sync of the folder. */
export function writeDurably(path: string, contents: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, contents, { mode: 0o600, flush: true });
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/**
 * Removes temporary files of {@link writeDurably} that a killed process left, such as those of a secret. Not while another process may
 * write the same file.
 */
export function removeUnfinished(path: string): void {
  const folder = dirname(path);
  const begin = `${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(begin) && /^\d+\.tmp$/.test(name.slice(begin.length)))
      rmSync(join(folder, name), { force: true });
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open a folder; NTFS journals the rename.
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Renames a file whose contents are on the disk already: rename, sync of the folder. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolderDurably(dirname(to));
}

/** Codes of network file systems that cannot sync a folder. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'ENOSYS']);

/** {@link syncFolder} for a folder anywhere, also on a network drive. */
export async function syncFolderDurably(path: string): Promise<void> {
  if (process.platform === 'win32') return; // As above.
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNSUPPORTED.has(error.code))) throw error;
  } finally {
    await folder.close();
  }
}

/** Reason of a system error: its code, such as ENOENT, or else its message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
