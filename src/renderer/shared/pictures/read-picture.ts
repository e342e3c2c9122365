/** Pictures of the engine: their address, after their size is checked. */
import type { FileAddress } from '../../../bridge/files.ts';
import type { Bytes } from './bytes.ts';
import { HEAD_BYTES, isDecodable, type PictureHead, pictureHead } from './picture-head.ts';

export interface ShownPicture {
  path: string;
  size: number;
  mediaType: string;
  /** Null if the file is not a picture, or too large for a decoder. */
  head: PictureHead | null;
}

/** The length that is enough for most pictures, in bytes. */
const FIRST_BYTES = 64 * 1024;

export async function readPicture({ path, size, mediaType }: FileAddress): Promise<ShownPicture> {
  const isPicture = mediaType.startsWith('image/');
  const head =
    isPicture &&
    (pictureHead(await beginning(path, FIRST_BYTES)) ?? pictureHead(await beginning(path, HEAD_BYTES)));
  return { path, size, mediaType, head: head && isDecodable(head) ? head : null };
}

/** The first bytes of a file, at most `most`. */
async function beginning(path: string, most: number): Promise<Bytes> {
  const answer = await fetch(path, { headers: { range: `bytes=0-${most - 1}` } });
  const reader = answer.ok ? answer.body?.getReader() : undefined;
  const bytes = new Uint8Array(most);
  let length = 0;
  while (reader && length < most) {
    const { value, done } = await reader.read();
    if (done) break;
    const part = value.subarray(0, most - length);
    bytes.set(part, length);
    length += part.length;
  }
  await reader?.cancel();
  return bytes.subarray(0, length);
}
