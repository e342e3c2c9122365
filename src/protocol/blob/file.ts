/**
 * `file`: how a message names an attached file (docs/protocol.md, 'Attachments'). All but key, digest and size is what the
 * sender says of it, and proves nothing.
 */
import { z } from 'zod';
import { Bytes, BytesUpTo, Text } from '../primitives.ts';
import { MOST_FILE_BYTES } from './layout.ts';

/** The longest small picture inside a message, in bytes. */
export const MOST_THUMBNAIL_BYTES = 8192;
const MOST_PIXELS = 0xffff_ffff;

const pixels = z.number().int().min(1).max(MOST_PIXELS);

/** Fields beyond these are kept and ignored. */
export const AttachedFile = z.looseObject({
  /** The key of the file, from which id and key of the blob follow. */
  key: Bytes(32),
  /** SHA-256 over the SHA-256 of the parts of the blob. */
  digest: Bytes(32),
  /** Of the file, in bytes. */
  size: z.number().int().min(0).max(MOST_FILE_BYTES),
  mediaType: Text(127),
  name: Text(255),
  width: pixels.optional(),
  height: pixels.optional(),
  durationMs: z.number().int().min(0).max(0xffff_ffff).optional(),
  /** What is to be seen, for those who do not see it. */
  alt: Text(500).optional(),
  /** Spoken into the app, and shown as such. */
  voice: z.boolean().optional(),
  /** 64 loudnesses from 0 to 255, for a voice message. */
  waveform: Bytes(64).optional(),
  blurhash: Text(64).optional(),
  /** WebP or JPEG. */
  thumbnail: BytesUpTo(MOST_THUMBNAIL_BYTES).optional(),
});
export type AttachedFile = z.infer<typeof AttachedFile>;

/**
 * The name that a file may be stored under: what stands after the last slash of either kind. A name of nothing but dots
 * has none.
 */
export function baseNameOf(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? null : last;
}
