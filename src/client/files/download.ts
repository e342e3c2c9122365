/**
 * Downloads a file: as plain bytes, or as its sealed blob, which a later call can continue. Each chunk is opened on
 * arrival. The file gets its name when the whole is proven; readers of a sealed blob may read its opened chunks before.
 */
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { renameDurably } from '../../base/node/durable-file.ts';
import { BlobError } from '../../protocol/blob/chunks.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { RelayApi } from '../api.ts';
import { Failure, RelayUnreachable } from '../errors.ts';
import { type ChunkReaders, Fetching, type Run } from './fetching.ts';
import { Patience, STALL, type TransferOptions } from './transfer.ts';

const PRIVATE = 0o600;
/** Windows cannot shorten a file that is open for appending. */
const CONTINUED = constants.O_RDWR | constants.O_CREAT;
/** A file with a wrong digest is downloaded a second time. */
const MAX_TRIES = 2;

interface BlobOptions extends TransferOptions {
  /** Readers of the chunks in `${target}.partial`. */
  readers?: ChunkReaders;
}

/**
 * @param file as the message names it
 * @param target path of the file, mode 0600, replaced once the download is complete and proven. Choose the name: the
 * message's is an unproven claim
 * @throws Failure 'file_not_as_sent', 'file_too_slow'; RelayRefusal 'not_found' if the relay has deleted it;
 * RelayUnreachable
 */
export async function fetchFile(
  api: RelayApi,
  file: AttachedFile,
  target: string,
  options: TransferOptions = {},
): Promise<void> {
  const partial = `${target}.${encodeBase64Url(randomBytes(9))}.partial`;
  try {
    await tryTwice(() => fetchInto(api, file, partial, options));
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Downloads the sealed blob of a file. An aborted or failed download stays as `${target}.partial`, and the next call
 * verifies and continues it.
 * @param target path of the blob, mode 0600, replaced once the download is complete and proven
 * @throws as {@link fetchFile}
 */
export async function fetchBlob(
  api: RelayApi,
  file: AttachedFile,
  target: string,
  options: BlobOptions = {},
): Promise<void> {
  const partial = `${target}.partial`;
  await tryTwice(() => fetchInto(api, file, partial, { ...options, isSealed: true }));
  await renameDurably(partial, target);
}

async function tryTwice(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      if (tries === MAX_TRIES) throw new Failure('file_not_as_sent');
    }
  }
}

/** @throws BlobError if it is another file */
async function fetchInto(
  api: RelayApi,
  file: AttachedFile,
  path: string,
  { signal, onProgress, readers, isSealed = false }: BlobOptions & { isSealed?: boolean },
): Promise<void> {
  readers?.restart();
  const handle = await open(path, isSealed ? CONTINUED : 'w', PRIVATE);
  let isWrong = false;
  try {
    const fetching = new Fetching(file, handle, isSealed, { onProgress, readers });
    await fetching.readBegin(signal);
    const patience = new Patience(fetching.length, signal);
    while (!fetching.isWhole) {
      const before = fetching.received;
      try {
        await fetchRun(api, fetching, patience, { signal, readers });
        patience.progress();
      } catch (error) {
        if (fetching.received > before) patience.progress();
        await patience.after(error);
      }
      // Between connections: reading much from a slow disk would look like a silent relay.
      await fetching.digestWritten(signal);
    }
    fetching.finish();
    await handle.sync();
  } catch (error) {
    isWrong = error instanceof BlobError;
    if (isWrong) readers?.restart();
    throw error;
  } finally {
    await handle.close();
    // A retry starts from the beginning.
    if (isWrong) await rm(path, { force: true });
  }
}

/** One connection, for the next run of missing chunks. A reader that waits for another place ends it. */
async function fetchRun(
  api: RelayApi,
  fetching: Fetching,
  patience: Patience,
  { signal, readers }: { signal: AbortSignal | undefined; readers: ChunkReaders | undefined },
): Promise<void> {
  const left = new AbortController();
  // Without the next piece: a connection without traffic has none.
  using _ = readers?.onWait(() => fetching.isWantedElsewhere && left.abort());
  const either = AbortSignal.any([left.signal, ...(signal ? [signal] : [])]);
  try {
    await receiveRun(api, fetching, patience, either);
  } catch (error) {
    signal?.throwIfAborted();
    if (!left.signal.aborted || error instanceof BlobError) throw error;
  }
}

function receiveRun(
  api: RelayApi,
  fetching: Fetching,
  patience: Patience,
  signal: AbortSignal,
): Promise<void> {
  const { id, length } = fetching;
  const run = fetching.nextRun();
  const headers: Record<string, string> = isAll(run, length)
    ? {}
    : { range: `bytes=${run.from}-${run.to === length ? '' : run.to - 1}` };
  return api.octets('getBlob', { params: { id }, headers, signal, stall: STALL }, async (response, alive) => {
    requireAnswer(response, run, length);
    fetching.restart();
    for await (const piece of response.body ?? []) {
      alive();
      patience.requireTime();
      await fetching.add(piece);
      // Leaving the loop ends the connection.
      if (fetching.isWantedElsewhere) return;
    }
    if (!fetching.isRunDone) throw new RelayUnreachable('relay_hung_up');
  });
}

const isAll = ({ from, to }: Run, length: number) => from === 0 && to === length;

/** @throws BlobError if the blob has another length, RelayUnreachable for another range than requested */
function requireAnswer({ status, headers }: Response, run: Run, length: number): void {
  const announced = headers.get('content-length');
  if (isAll(run, length)) {
    if (status !== 200) throw new RelayUnreachable('relay_wrong_answer');
    if (announced !== null && Number(announced) !== length) throw new BlobError({ wrong: 'length' });
    return;
  }
  const range = `bytes ${run.from}-${run.to - 1}/${length}`;
  if (status !== 206 || headers.get('content-range') !== range) {
    throw new RelayUnreachable('relay_wrong_answer');
  }
}
