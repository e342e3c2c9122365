import { matroskaWithoutMetadata } from './strip-matroska.ts';
import { mp4WithoutMetadata } from './strip-mp4.ts';

/**
 * A film or sound without its metadata, of the same length.
 * @returns null for another file, and if a part of it is unknown
 * @throws DOMException if the file cannot be read
 */
export async function cleanMedia(file: Blob): Promise<Blob | null> {
  return (await mp4WithoutMetadata(file)) ?? (await matroskaWithoutMetadata(file));
}
