/** Seals the parts of a history as files: the blobs that go to the relay. */
import { newFileKey } from '../../protocol/blob/keys.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';

/** Bytes of one call of the file thread. */
const WRITE_BYTES = 1024 * 1024;

/** Bytes of a part, or a piece of a file as it is on the disk. */
export type PartContent = Uint8Array | { fileId: number; offset: number; bytes: number };

const lengthOf = (content: PartContent) => (content instanceof Uint8Array ? content.length : content.bytes);

/**
 * Seals a part under a key of its own.
 * @returns the number of its file, which is prepared
 * @throws Failure disk_full; file_missing if a file was removed meanwhile
 */
export async function sealPart(
  { files }: Pick<Context, 'files'>,
  thread: FileThread,
  contents: readonly PartContent[],
): Promise<number> {
  const size = contents.reduce((sum, content) => sum + lengthOf(content), 0);
  const key = newFileKey();
  const id = files.prepare(key, size);
  try {
    await thread.call((functions) => functions.begin({ id, key, size }));
    let at = 0;
    for (const content of contents) {
      if (content instanceof Uint8Array) await writeBytes(thread, id, at, content);
      else await thread.call((functions) => functions.writeStored(id, at, content));
      at += lengthOf(content);
    }
    const { digest, mediaType } = await thread.call((functions) => functions.finish(id));
    files.setSealed(id, digest, mediaType);
    return id;
  } catch (error) {
    files.removePrepared([id]);
    files.reportRemoved();
    throw error;
  }
}

async function writeBytes(thread: FileThread, id: number, start: number, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += WRITE_BYTES) {
    const piece = bytes.subarray(offset, offset + WRITE_BYTES);
    await thread.call((functions) => functions.write(id, start + offset, piece));
  }
}
