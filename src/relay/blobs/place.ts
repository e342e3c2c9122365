/**
 * Where an operator lets the bytes of blobs lie.
 */
import { join } from 'node:path';
import type { BlobBytes } from './bytes.ts';
import { openDirectory } from './directory.ts';

/** A folder, on a local disk. */
export interface BlobPlace {
  folder: string;
}

/** @param dataDirectory of the relay: the place is in there unless said */
export async function openBlobBytes(place: BlobPlace | undefined, dataDirectory: string): Promise<BlobBytes> {
  return openDirectory(place?.folder ?? join(dataDirectory, 'blobs'));
}
