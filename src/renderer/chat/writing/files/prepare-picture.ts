/**
 * Pictures for sending: redrawn, so that the place, the camera and older thumbnails in the file are removed.
 * Animations keep their frames, and lose these parts byte by byte.
 */
import type { FileToSend } from '../../../../bridge/files.ts';
import { decoded, drawn } from '../../../shared/pictures/drawn.ts';
import {
  HEAD_BYTES,
  isDecodable,
  type PictureHead,
  pictureHead,
} from '../../../shared/pictures/picture-head.ts';
import { withoutMetadata } from './strip-metadata.ts';
import { blurhashOf, thumbnailOf } from './thumbnail.ts';

const JPEG_QUALITY = 0.9;
/** Limit of an animation, which is read as a whole, in bytes. Longer ones are sent as files. */
const MAX_ANIMATION_BYTES = 32 * 1024 * 1024;
/** Limit of a picture that is sent as a file without its metadata, and is read as a whole, in bytes. */
const MAX_CLEAN_BYTES = 64 * 1024 * 1024;
/** Longest side of the preview in the tray, in pixels: twice its size on the screen. */
const PREVIEW_SIDE = 112;

/** A file ready for writing, with its description. */
export interface Prepared {
  blob: Blob;
  name: string;
  described: Omit<FileToSend, 'id' | 'name'>;
}

/** True for a picture that is sent redrawn, usually with fewer bytes. */
export function isRedrawn(head: PictureHead): boolean {
  return isDecodable(head) && !head.isAnimated;
}

export async function readHead(file: Blob): Promise<PictureHead | null> {
  return pictureHead(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
}

/** A small version for the tray. Null if the picture is too large, or the browser cannot decode it. */
export async function previewOf(file: Blob, head: PictureHead): Promise<Blob | null> {
  if (!isDecodable(head) || (head.isAnimated && file.size > MAX_ANIMATION_BYTES)) return null;
  const bitmap = await decoded(file);
  if (!bitmap) return null;
  const preview = await drawn(bitmap, PREVIEW_SIDE).convertToBlob();
  bitmap.close();
  return preview;
}

/**
 * @param most limit of its thumbnail, in bytes
 * @returns null if the picture is broken
 */
export async function preparePicture(file: File, head: PictureHead, most: number): Promise<Prepared | null> {
  const bitmap = await decoded(file);
  if (!bitmap) return null;
  try {
    const blob = await cleanBlob(file, head, bitmap);
    if (!blob) return null;
    const thumbnail = await thumbnailOf(bitmap, most);
    return {
      blob,
      name: head.format === 'heif' ? asJpegName(file.name) : file.name,
      described: {
        mediaType: blob.type,
        width: bitmap.width,
        height: bitmap.height,
        blurhash: blurhashOf(bitmap),
        ...(thumbnail !== null && { thumbnail }),
      },
    };
  } finally {
    bitmap.close();
  }
}

/** The bytes of a picture that is not shown, without its metadata; null if they cannot be followed, or are too many. */
export async function cleanFile(file: File, head: PictureHead): Promise<Blob | null> {
  if (file.size > MAX_CLEAN_BYTES) return null;
  const clean = withoutMetadata(new Uint8Array(await file.arrayBuffer()), head.format);
  return clean && new Blob([clean]);
}

async function cleanBlob(file: File, head: PictureHead, bitmap: ImageBitmap): Promise<Blob | null> {
  if (head.isAnimated) {
    const clean = withoutMetadata(new Uint8Array(await file.arrayBuffer()), head.format);
    return clean && new Blob([clean], { type: `image/${head.format}` });
  }
  // A browser that makes no WebP makes a PNG in its place.
  const type = head.format === 'heif' ? 'image/jpeg' : `image/${head.format}`;
  const side = Math.max(bitmap.width, bitmap.height);
  const canvas = drawn(bitmap, side, type === 'image/jpeg');
  return canvas.convertToBlob({ type, quality: JPEG_QUALITY });
}

function asJpegName(name: string): string {
  return `${name.replace(/\.\w{1,5}$/, '')}.jpg`;
}
