/** Films with the metadata of cameras, and their form as sent. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
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

/** Checks that cut and changed copies of a film are cleaned at the same length, or not at all. */
export async function expectSameLength(film: Bytes): Promise<void> {
  const change = fc.array(fc.tuple(fc.nat(film.length - 1), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(change, fc.nat(film.length), async (changes, length) => {
      const copy = film.slice(0, changes.length % 2 === 0 ? film.length : length);
      for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
      const clean = await cleanBytes(copy);
      expect(clean?.length ?? copy.length).toBe(copy.length);
    }),
  );
}

/** Counts the reads of a file, and the bytes that are read. */
export class CountedFile extends Blob {
  reads = 0;
  read = 0;
  override slice(from?: number, to?: number): Blob {
    const part = super.slice(from, to);
    return Object.assign(part, {
      arrayBuffer: () => {
        this.reads++;
        this.read += part.size;
        return Blob.prototype.arrayBuffer.call(part);
      },
    });
  }
}
