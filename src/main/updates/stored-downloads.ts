/**
 * Stores electron-updater's downloads, and closes the file of a failed one before the failure is reported: electron-updater then
 * deletes it. It would neither close the file of an interrupted download, nor wait for one that the disk has not opened yet.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../base/failure.ts';

interface Download {
  destination: string;
  /** `sha512`: of the manifest, in Base64. */
  options: { sha512?: string };
  /** The first call counts. */
  callback: (error: Error | null) => void;
  /** Null for the one of electron-updater. */
  responseHandler: ((response: Readable) => void) | null;
}

/** The part of electron-updater's ElectronHttpExecutor that stores files. */
export interface DownloadingExecutor {
  doDownload(request: object, download: Download, redirects: number): void;
}

/** Changes the executor in place. */
export function storeDownloads(executor: DownloadingExecutor): void {
  const start = executor.doDownload.bind(executor);
  executor.doDownload = (request, download, redirects) =>
    // A redirected download has its handler.
    start(request, download.responseHandler ? download : stored(download), redirects);
}

function stored(download: Download): Download {
  const { destination, options, callback } = download;
  const stop = new AbortController();
  let isStoring = false;
  let failure: Error | null = null;
  return {
    ...download,
    callback: (error) => {
      failure ??= error;
      if (isStoring) stop.abort();
      else callback(error);
    },
    responseHandler: (response) => {
      isStoring = true;
      store(response, destination, options.sha512, stop.signal).then(
        () => callback(null),
        (error) => callback(failure ?? error),
      );
    },
  };
}

/**
 * Returns and throws when the file is closed.
 * @throws Failure update_other_file for other contents; the error of the connection or the disk
 */
async function store(
  response: Readable,
  destination: string,
  sha512: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream(destination);
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  try {
    await pipeline(response, checked(sha512), file, { signal });
  } finally {
    await closed;
  }
}

/** Passes the bytes on, and fails at their end if they have another hash. */
function checked(sha512: string | undefined): Transform {
  const hash = createHash('sha512');
  return new Transform({
    transform(bytes, _encoding, next) {
      hash.update(bytes);
      next(null, bytes);
    },
    flush(next) {
      next(hash.digest('base64') === sha512 ? null : new Failure('update_other_file'));
    },
  });
}
