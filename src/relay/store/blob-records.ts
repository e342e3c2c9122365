/**
 * Blobs as stored: their owner, lifetime and parts. The bytes are stored elsewhere (src/relay/blobs). Times are
 * milliseconds since 1970, sizes bytes.
 */
import type { BlobLimits, BlobRefusal, KnownBlob } from '../rules/blobs.ts';
import type { AccountKey } from './records.ts';

/** The store's own number of a blob. Never used again, not even for a blob with the same id. */
export type BlobKey = number;

export interface StoredPart {
  /** From 0. */
  part: number;
  /** SHA-256. */
  digest: Uint8Array;
  /** The part's tag in the store of bytes. */
  tag: string;
}

export interface BlobRecord extends KnownBlob {
  key: BlobKey;
  /** The blob's name in the store of bytes: independent of the id. */
  object: string;
  /** The upload's name in the store of bytes; null until the upload has begun there. */
  upload: string | null;
  /** Ascending. */
  parts: StoredPart[];
}

export interface BlobToBegin {
  id: string;
  account: AccountKey;
  size: number;
  /** A new name that was never used. */
  object: string;
  now: number;
  limits: BlobLimits;
}

export type BeginOutcome =
  | { status: 'begun' | 'resumed'; blob: BlobRecord }
  | { status: 'refused'; refusal: BlobRefusal };

/** `passed over`: another copy of the same bytes was recorded first; the tag of this one is ignored. */
export type PartOutcome = { status: 'stored' | 'passed over' } | { status: 'refused'; refusal: BlobRefusal };

/** `expiresAt`: the end of the caller's claim. */
export type ClaimOutcome =
  | { status: 'claimed'; size: number; expiresAt: number }
  | { status: 'refused'; refusal: BlobRefusal };

/** Bytes without a claim. */
export interface BytesToDrop {
  key: number;
  object: string;
  upload: string | null;
}

/** The records about an object: its existence, and one of its parts if it has any. */
export interface KnownBytes {
  object: string;
  /** The tag of a part; null if none was recorded. */
  tag: string | null;
  /** True if the expiry job soon deletes all of the object. */
  isToDrop: boolean;
}

/** The part of the store with the records of blobs. The rules are in src/relay/rules/blobs.ts. */
export interface BlobRecordStore {
  /** A blob as seen by one account, expired or not; null if there is none. */
  findBlob(id: string, account: AccountKey): Promise<BlobRecord | null>;
  beginBlob(blob: BlobToBegin): Promise<BeginOutcome>;
  /**
   * Records the upload's name in the store of bytes. @returns the valid name, which is the first one; null if the
   * blob was deleted
   */
  nameUpload(blob: BlobKey, upload: string): Promise<string | null>;
  /** Records a part. The first one counts; the same tag again also counts as stored. */
  recordPart(blob: BlobKey, account: AccountKey, part: StoredPart, now: number): Promise<PartOutcome>;
  /** Makes a complete blob readable. A second call changes nothing. */
  finishBlob(blob: BlobKey, account: AccountKey, now: number): Promise<ClaimOutcome>;
  adoptBlob(id: string, account: AccountKey, now: number, limits: BlobLimits): Promise<ClaimOutcome>;
  /** Removes the claim of an account, if it has one. */
  dropClaim(id: string, account: AccountKey, now: number): Promise<void>;

  /** Removes a small batch of expired claims. @returns true if there may be more */
  expireClaims(now: number): Promise<boolean>;
  /** Bytes that may be deleted now, in the order of their keys, after one of them. */
  findBytesToDrop(now: number, after: number, limit: number): Promise<BytesToDrop[]>;
  /** Objects whose names begin with a prefix, with a row for each recorded part. */
  findKnownBytes(prefix: string): Promise<KnownBytes[]>;
  /** Deletes the records of deleted bytes. */
  forgetBytes(key: number): Promise<void>;
  /** The total size of all blobs. */
  storedBlobBytes(): Promise<number>;
}
