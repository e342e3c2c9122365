/**
 * Where the bytes of blobs lie: a port, with a directory or a bucket behind it. What is known of them, whose they are and
 * which parts are there, the relay's store keeps (src/relay/store/blob-records.ts).
 *
 * Names of objects are the relay's own: 32 hexadecimal digits, never a caller's text and never used again. A part has
 * PART_BYTES bytes, the last one the rest.
 */
import type { Readable } from 'node:stream';
import type { Range } from '../../protocol/blob/layout.ts';
import type { KnownBytes } from '../store/blob-records.ts';

/** The bytes cannot be stored or read now: the disk is full, the bucket does not answer. The message is for the log. */
export class BytesUnavailable extends Error {
  override readonly name = 'BytesUnavailable';
  readonly code: string;

  /** @param code of the system, or of the bucket: ENOSPC, NoSuchBucket. Nothing else is kept: messages name files */
  constructor(code: string) {
    super(`the bytes of blobs cannot be stored or read: ${code}`);
    this.code = code;
  }
}

/** Bytes that should be there are not. */
export class BytesMissing extends Error {
  override readonly name = 'BytesMissing';
}

/** A blob whose parts are told. */
export interface StoredObject {
  object: string;
  upload: string;
  /** Of the whole blob, in bytes. */
  size: number;
  /** What {@link BlobBytes.putPart} gave for each part, in their order. */
  tags: readonly string[];
}

/** A part that is handed in. */
export interface PartToPut {
  object: string;
  upload: string;
  /** From 0. */
  part: number;
  /** In bytes: so many come, or `body` fails. */
  length: number;
  /** SHA-256 that they have: `body` fails at its end if not. */
  digest: Uint8Array;
  body: AsyncIterable<Buffer>;
  /** Aborted when it takes too long, or the caller is gone. */
  signal: AbortSignal;
}

export interface Sweep {
  /** All that is known of objects whose names begin so. */
  findKnown: (prefix: string) => Promise<readonly KnownBytes[]>;
  /** Only what was last written before this is removed, in milliseconds since 1970. */
  before: number;
  /** False as soon as it has to stop. */
  mayGoOn: () => boolean;
}

/** All of these reject with {@link BytesUnavailable} where the bytes cannot be stored or read. */
export interface BlobBytes {
  /** Begins an upload. @returns its name, for the other calls */
  begin(object: string): Promise<string>;
  /**
   * Stores a part as it comes, durably. A part may come twice, also at the same time.
   * @returns its tag, by which it is found again: nothing of another call changes what that names
   * @throws what `body` fails with: then nothing counts
   */
  putPart(part: PartToPut): Promise<string>;
  /** Drops a part that was stored and that the store did not record. Again: nothing happens. */
  dropPart(part: { object: string; tag: string }): Promise<void>;
  /** Makes the blob of its parts. Again: nothing changes. */
  complete(blob: StoredObject): Promise<void>;
  /**
   * A range of a blob that is complete, as it is asked for.
   * @throws BytesMissing; the stream fails if that is seen later
   */
  read(blob: StoredObject, range: Range, signal: AbortSignal): Promise<Readable>;
  /** Drops all of a blob, whatever there is. Again: nothing happens. @param upload null if none is known */
  drop(object: string, upload: string | null): Promise<void>;
  /**
   * Removes what is not known, because a crash left it. Nothing is removed where nothing is known of all that lies there:
   * then it belongs to another database.
   */
  sweep(options: Sweep): Promise<void>;
  close(): void;
}
