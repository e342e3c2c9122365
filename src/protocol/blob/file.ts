/**
 * `file`: the reference of a message to an attached file (docs/protocol.md, 'Attachments'). Apart from key, digest
 * and size, all fields are unproven claims of the sender.
 */
import { z } from 'zod';
import { Bytes, BytesUpTo, Text } from '../primitives.ts';
import { MAX_FILE_BYTES } from './layout.ts';

/** The longest small picture inside a message, in bytes. */
export const MAX_THUMBNAIL_BYTES = 8192;
const MAX_PIXELS = 0xffff_ffff;

const pixels = z.number().int().min(1).max(MAX_PIXELS);

/** Additional fields are kept and ignored. */
export const AttachedFile = z.looseObject({
  /** The key of the file. The blob's id and key are derived from it. */
  key: Bytes(32),
  /** SHA-256 over the SHA-256 of the parts of the blob. */
  digest: Bytes(32),
  /** Length of the file, in bytes. */
  size: z.number().int().min(0).max(MAX_FILE_BYTES),
  mediaType: Text(127),
  name: Text(255),
  width: pixels.optional(),
  height: pixels.optional(),
  durationMs: z.number().int().min(0).max(0xffff_ffff).optional(),
  /** A description of the picture for people who cannot see it. */
  alt: Text(500).optional(),
  /** Recorded in the app, and shown as a voice message. */
  voice: z.boolean().optional(),
  /** 64 loudnesses from 0 to 255, for a voice message. */
  waveform: Bytes(64).optional(),
  blurhash: Text(64).optional(),
  /** WebP or JPEG. */
  thumbnail: BytesUpTo(MAX_THUMBNAIL_BYTES).optional(),
});
export type AttachedFile = z.infer<typeof AttachedFile>;

/** The name for storing a file: the part after the last slash or backslash. Null for a name that consists of dots. */
export function baseNameOf(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? null : last;
}
