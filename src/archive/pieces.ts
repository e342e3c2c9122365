/** Reads files on the disk in pieces. */
import { open } from 'node:fs/promises';
import type { BlockMemories } from './block-memory.ts';
import { BLOCK_BYTES } from './form.ts';

type Handle = Awaited<ReturnType<typeof open>>;

/** A file that is not there, is shorter than expected, or is on a damaged part of the disk: the rest of a backup does not need it. */
export class SourceError extends Error {}

/** One damaged sector must not prevent all backups. */
const isDamage = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EIO';

/** A file on the disk, of a known length. It may become shorter while it is read. */
export class SourceFile implements AsyncDisposable {
  readonly #handle: Handle;

  private constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** @throws SourceError; other errors of the system */
  static async open(path: string): Promise<SourceFile> {
    const handle = await open(path, 'r').catch((cause: unknown) => {
      const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
      throw isMissing ? new SourceError('not there', { cause }) : cause;
    });
    return new SourceFile(handle);
  }

  /** Reads until memory is full. @throws SourceError; errors of the system */
  async read(offset: number, into: Buffer): Promise<Buffer> {
    for (let done = 0; done < into.length; ) {
      const { bytesRead } = await this.#handle
        .read(into, done, into.length - done, offset + done)
        .catch((cause: unknown) => {
          throw isDamage(cause) ? new SourceError('not readable', { cause }) : cause;
        });
      if (bytesRead === 0) throw new SourceError('shorter than expected');
      done += bytesRead;
    }
    return into;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * Offsets and lengths of the pieces of a file.
 * @param bytes length of the file
 * @param most length of a piece
 */
export function* placesOf(bytes: number, most: number): Generator<{ offset: number; length: number }> {
  for (let offset = 0; offset < bytes; offset += most)
    yield { offset, length: Math.min(most, bytes - offset) };
}

/**
 * Pieces of a file. The next one is read while the caller works on one, so it is valid until the next call.
 * @param bytes length of the file
 * @param memories for no other use meanwhile
 * @throws SourceError; errors of the system
 */
export async function* piecesOf(
  path: string,
  bytes: number,
  memories: BlockMemories,
): AsyncGenerator<Buffer> {
  await using source = await SourceFile.open(path);
  const places = placesOf(bytes, BLOCK_BYTES);
  const readAhead = () => {
    const { value: place } = places.next();
    const piece = place && source.read(place.offset, memories.next(place.length));
    piece?.catch(() => undefined);
    return piece;
  };
  let ahead = readAhead();
  try {
    while (ahead) {
      const piece = await ahead;
      ahead = readAhead();
      yield piece;
    }
  } finally {
    // The file is closed after its last read.
    await ahead?.catch(() => undefined);
  }
}
