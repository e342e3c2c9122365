import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes at a place. A single write may end early without an error, on a disk that becomes full: then the next one fails.
 * @param position in bytes
 * @throws errors of the system
 */
export async function writeAll(
  handle: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
