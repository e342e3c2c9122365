/**
 * Leaves no file of a failed download. electron-updater empties its folder after a failure, but a short file may have failed before
 * it is opened on the disk, and then appears after that.
 */
import { access } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two looks. */
const INTERVAL = 10;
/** Looks at a disk that does not open the file: five seconds. */
const MOST_LOOKS = 500;

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
      if (isOtherFile(error)) await appearance(destination);
      throw error;
    }
  };
}

/** Reports whether a downloaded file is not the one of the manifest. */
export function isOtherFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
}

async function appearance(path: string): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await setTimeout(INTERVAL);
  }
}
