/** Films with the metadata of cameras, and their form as sent. */
import { readFileSync } from 'node:fs';
import { cleanMedia } from '../../../../../src/renderer/chat/writing/files/clean-media.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';

/** A film of `ffmpeg`, with place, camera and title of `ffmpeg` and `exiftool`. Those of MP4 and MOV are turned by 90 degrees. */
export const filmOf = (name: string): Bytes =>
  new Uint8Array(readFileSync(new URL(`../../../../support/films/${name}`, import.meta.url)));

/** A film without its metadata; null if it stays as it is. */
export async function cleanBytes(bytes: Bytes): Promise<Bytes | null> {
  const clean = await cleanMedia(new Blob([bytes]));
  return clean && new Uint8Array(await clean.arrayBuffer());
}

/** The bytes as characters, to search in. */
export const textOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('latin1');
