/**
 * Deletes the file of a refused download, also if it is opened after the refusal: electron-updater empties its folder at once, and a
 * short file may be complete before the disk has opened it.
 */
import { access } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Interval between two checks, in milliseconds. */
const INTERVAL = 10;
/** Number of checks: five seconds in all. */
const MOST_CHECKS = 500;

/** The part of electron-updater's ElectronHttpExecutor that stores files. */
export interface DownloadingExecutor {
  download(url: URL, destination: string, options: object): Promise<string>;
}

/** Changes the executor in place: the failure of a download with other contents waits for its file. */
export function awaitFailedFiles(executor: DownloadingExecutor): void {
  const download = executor.download.bind(executor);
  executor.download = async (url, destination, options) => {
    try {
      return await download(url, destination, options);
    } catch (error) {
      if (isOtherFile(error)) await waitForFile(destination);
      throw error;
    }
  };
}

/** Reports whether a downloaded file is not the one of the manifest. */
export function isOtherFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
}

async function waitForFile(path: string): Promise<void> {
  for (let check = 0; check < MOST_CHECKS; check++) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await setTimeout(INTERVAL);
  }
}
