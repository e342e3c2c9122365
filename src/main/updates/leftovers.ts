/**
 * Deletes downloads that cannot be installed: interrupted ones, those without a description, and versions that are not newer than the
 * running one. electron-updater deletes them only before or after another download.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { versionIn } from './manifest.ts';

/** electron-updater's description of a complete download. */
const DESCRIPTION = 'update-info.json';

/** The part of electron-updater's AppUpdater for its folder. */
export interface CachingUpdater {
  currentVersion: { compare(other: string): number };
  getOrCreateDownloadHelper(): Promise<{ cacheDirForPendingUpdate: string }>;
}

/** Never rejects: the next start tries again. Not during a download. */
export async function removeLeftovers(updater: CachingUpdater): Promise<void> {
  try {
    const { cacheDirForPendingUpdate: folder } = await updater.getOrCreateDownloadHelper();
    const names = await readdir(folder);
    const complete = await describedFile(folder);
    const version = complete === null ? null : versionIn(complete);
    const isUsable = version !== null && updater.currentVersion.compare(version) < 0;
    const kept = isUsable ? [complete, DESCRIPTION] : [];
    const others = names.filter((name) => !kept.includes(name));
    // Windows does not delete an installer that is running.
    await Promise.allSettled(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  } catch {
    // There is no folder.
  }
}

/** Name of the complete download; null for none. */
async function describedFile(folder: string): Promise<string | null> {
  try {
    const { fileName } = JSON.parse(await readFile(join(folder, DESCRIPTION), 'utf8'));
    return (await stat(join(folder, fileName))).isFile() ? fileName : null;
  } catch {
    return null;
  }
}
