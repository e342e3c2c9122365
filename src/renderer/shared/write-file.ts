/** Writing the bytes of a file to the host, which seals them on arrival. */
import type { FailureData } from '../../base/failure.ts';
import { FILE_PIECE_BYTES } from '../../bridge/file-bounds.ts';
import { callBridge } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { Unreadable } from './unreadable.ts';

const BROKEN: FailureData = { code: 'connection_broke', parameters: {} };

interface WriteOptions {
  signal?: AbortSignal;
  onWritten?: (bytes: number) => void;
}

/**
 * Writes a file in pieces.
 * @param prepared by `files.begin` or `pictures.begin`
 * @returns its id
 * @throws BridgeFailure, Unreadable; the reason of the signal
 */
export async function writeFile(
  { id, path }: { id: string; path: string },
  blob: Blob,
  { signal, onWritten }: WriteOptions = {},
): Promise<string> {
  try {
    await writePieces(path, blob, { ...(signal && { signal }), ...(onWritten && { onWritten }) });
    return id;
  } catch (error) {
    await callBridge('files.drop', { ids: [id] }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes the pieces of a file to an address.
 * @throws BridgeFailure, Unreadable; the reason of the signal
 */
export async function writePieces(
  path: string,
  blob: Blob,
  { signal, onWritten }: WriteOptions = {},
): Promise<void> {
  for (let offset = 0; offset < blob.size; offset += FILE_PIECE_BYTES) {
    signal?.throwIfAborted();
    const piece = blob.slice(offset, offset + FILE_PIECE_BYTES);
    await requireReadable(piece.slice(0, 1));
    // The browser reads the piece from the disk: bytes would stay in the page's memory until a late collection.
    const sent = fetch(`${path}?offset=${offset}`, { method: 'PUT', body: piece, ...(signal && { signal }) });
    const answer = await sent.catch(async () => {
      signal?.throwIfAborted();
      // The browser does not report that it could not read the file.
      await requireReadable(piece);
      throw new BridgeFailure(BROKEN);
    });
    if (answer.status !== 204) throw await failureOf(answer);
    signal?.throwIfAborted();
    onWritten?.(piece.size);
  }
}

/** @throws Unreadable */
async function requireReadable(piece: Blob): Promise<void> {
  const bytes = await piece.arrayBuffer().catch(() => null);
  if (bytes?.byteLength !== piece.size) throw new Unreadable();
}

async function failureOf(answer: Response): Promise<Error> {
  return new BridgeFailure(await answer.json().catch(() => BROKEN));
}
