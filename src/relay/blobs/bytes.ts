/**
 * Storage for the bytes of blobs: a port, with a directory or a bucket behind it. The records of blobs, with their
 * owners and parts, are in the relay's store (src/relay/store/blob-records.ts).
 *
 * Names of objects are the relay's own: 32 hexadecimal digits, never a caller's text and never reused. A part has
 * PART_BYTES bytes, the last one the rest.
 */
import type { Readable } from 'node:stream';
import type { Range } from '../../protocol/blob/layout.ts';
import type { KnownBytes } from '../store/blob-records.ts';

/**
 * The bytes cannot be stored or read now: the disk is full, or the bucket does not answer. The message is for the
 * log.
 */
export class BytesUnavailable extends Error {
  override readonly name = 'BytesUnavailable';
  readonly code: string;

  /**
   * @param code of the system, or of the bucket: ENOSPC, NoSuchBucket. Nothing else is stored: messages name files
   */
  constructor(code: string) {
    super(`the bytes of blobs cannot be stored or read: ${code}`);
    this.code = code;
  }
}

/** Recorded bytes are missing. */
export class BytesMissing extends Error {
  override readonly name = 'BytesMissing';
}

/** A blob with known parts. */
export interface StoredObject {
  object: string;
  upload: string;
  /** Of the whole blob, in bytes. */
  size: number;
  /** The results of {@link BlobBytes.putPart} for each part, in order. */
  tags: readonly string[];
}

/** An uploaded part. */
export interface PartToPut {
  object: string;
  upload: string;
  /** From 0. */
  part: number;
  /** In bytes: the exact length, or `body` fails. */
  length: number;
  /** SHA-256 of the bytes: `body` fails at its end if they differ. */
  digest: Uint8Array;
  body: AsyncIterable<Buffer>;
  /** Aborted after the time limit, or when the caller disconnects. */
  signal: AbortSignal;
}

export interface Sweep {
  /** All records of objects whose names begin with a prefix. */
  findKnown: (prefix: string) => Promise<readonly KnownBytes[]>;
  /** Only bytes written before this are deleted, in milliseconds since 1970. */
  before: number;
  /** False as soon as it must stop. */
  mayContinue: () => boolean;
}

/** All of these reject with {@link BytesUnavailable} where the bytes cannot be stored or read. */
export interface BlobBytes {
  /** Begins an upload. @returns its name, for the other calls */
  begin(object: string): Promise<string>;
  /**
   * Stores a part as it arrives, durably. A part may arrive twice, also at the same time.
   * @returns its tag, which identifies it: no other call changes the bytes behind a tag
   * @throws errors of `body`: then nothing counts
   */
  putPart(part: PartToPut): Promise<string>;
  /** Deletes a stored part that the store did not record. A second call does nothing. */
  dropPart(part: { object: string; tag: string }): Promise<void>;
  /** Assembles the blob from its parts. A second call changes nothing. */
  complete(blob: StoredObject): Promise<void>;
  /**
   * A range of a complete blob, as a stream.
   * @throws BytesMissing; the stream fails if the bytes prove missing later
   */
  read(blob: StoredObject, range: Range, signal: AbortSignal): Promise<Readable>;
  /** Deletes all of a blob. A second call does nothing. @param upload null if none is known */
  drop(object: string, upload: string | null): Promise<void>;
  /**
   * Deletes unknown bytes that a crash left. If all bytes there are unknown, they belong to another database, and
   * nothing is deleted.
   */
  sweep(options: Sweep): Promise<void>;
  close(): void;
}
