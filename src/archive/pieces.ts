/** Reads files on the disk in pieces of the size of a block. */
import { open } from 'node:fs/promises';
import type { BlockMemories } from './block-memory.ts';
import { BLOCK_BYTES } from './form.ts';

type Handle = Awaited<ReturnType<typeof open>>;

/**
 * Pieces of a file. The next one is read while the caller works on one, so it is valid until the next call.
 * @param memories for no other use meanwhile
 * @throws ENOENT if the file is not there; other errors of the system
 */
export async function* piecesOf(path: string, memories: BlockMemories): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    const readAhead = (offset: number) => {
      const piece = readPiece(handle, offset, memories.next(BLOCK_BYTES));
      piece.catch(() => undefined);
      return piece;
    };
    let ahead = readAhead(0);
    for (let offset = 0; ; offset += BLOCK_BYTES) {
      const piece = await ahead;
      if (piece.length === BLOCK_BYTES) ahead = readAhead(offset + BLOCK_BYTES);
      if (piece.length > 0) yield piece;
      if (piece.length < BLOCK_BYTES) return;
    }
  } finally {
    await handle.close();
  }
}

/** Bytes from an offset on: fewer than there is memory for at the end of the file only. */
async function readPiece(handle: Handle, offset: number, into: Buffer): Promise<Buffer> {
  for (let done = 0; ; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, offset + done);
    done += bytesRead;
    if (bytesRead === 0 || done === into.length) return into.subarray(0, done);
  }
}
