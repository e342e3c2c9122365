/**
 * Blobs as the store keeps them: whose they are, how long, and which parts are there. The bytes lie elsewhere
 * (src/relay/blobs). Times are milliseconds since 1970, sizes bytes.
 */
import type { BlobLimits, BlobRefusal, KnownBlob } from '../rules/blobs.ts';
import type { AccountKey } from './records.ts';

/** The store's own number of a blob. Never used again for another, also if that has the same id. */
export type BlobKey = number;

export interface StoredPart {
  /** From 0. */
  part: number;
  /** SHA-256. */
  digest: Uint8Array;
  /** How the store of bytes calls it. */
  tag: string;
}

export interface BlobRecord extends KnownBlob {
  key: BlobKey;
  /** How the store of bytes calls the blob: a name of its own, which says nothing of the id. */
  object: string;
  /** How it calls the upload; null until that has begun there. */
  upload: string | null;
  /** Ascending. */
  parts: StoredPart[];
}

export interface BlobToBegin {
  id: string;
  account: AccountKey;
  size: number;
  /** A name that was never used. */
  object: string;
  now: number;
  limits: BlobLimits;
}

export type BeginOutcome =
  | { status: 'begun' | 'resumed'; blob: BlobRecord }
  | { status: 'refused'; refusal: BlobRefusal };

/** `passed over`: another copy of the same bytes was recorded before; this one's tag counts for nothing. */
export type PartOutcome = { status: 'stored' | 'passed over' } | { status: 'refused'; refusal: BlobRefusal };

/** `expiresAt`: when the claim of the caller ends. */
export type ClaimOutcome =
  | { status: 'claimed'; size: number; expiresAt: number }
  | { status: 'refused'; refusal: BlobRefusal };

/** Bytes that nobody has a claim to any more. */
export interface BytesToDrop {
  key: number;
  object: string;
  upload: string | null;
}

/** What the store knows of an object: that it is there, and one of its parts if it has any. */
export interface KnownBytes {
  object: string;
  /** Of a part; null if none was recorded. */
  tag: string | null;
  /** Whether the expiry job drops all of the object soon. */
  isToDrop: boolean;
}

/** The part of the store that keeps what is known of blobs. What may be done, src/relay/rules/blobs.ts says. */
export interface BlobRecordStore {
  /** A blob as one account sees it, whether or not its time is over; null if there is none. */
  findBlob(id: string, account: AccountKey): Promise<BlobRecord | null>;
  beginBlob(blob: BlobToBegin): Promise<BeginOutcome>;
  /** Keeps how the store of bytes calls the upload. @returns the name that counts, the first; null if the blob is gone */
  nameUpload(blob: BlobKey, upload: string): Promise<string | null>;
  /** Keeps that a part is there. The first one counts; one with the same tag again is stored, too. */
  recordPart(blob: BlobKey, account: AccountKey, part: StoredPart, now: number): Promise<PartOutcome>;
  /** Makes a blob readable whose bytes are all there. Again: nothing changes. */
  finishBlob(blob: BlobKey, account: AccountKey, now: number): Promise<ClaimOutcome>;
  adoptBlob(id: string, account: AccountKey, now: number, limits: BlobLimits): Promise<ClaimOutcome>;
  /** Drops the claim of an account, if it has one. */
  dropClaim(id: string, account: AccountKey, now: number): Promise<void>;

  /** Removes a small batch of claims whose time is over. @returns whether there may be more */
  expireClaims(now: number): Promise<boolean>;
  /** Bytes that may be dropped by now, in the order of their keys, after one of them. */
  findBytesToDrop(now: number, after: number, limit: number): Promise<BytesToDrop[]>;
  /** Objects whose names begin so, with a row for each part that is recorded. */
  findKnownBytes(prefix: string): Promise<KnownBytes[]>;
  /** Forgets bytes that were dropped. */
  forgetBytes(key: number): Promise<void>;
  /** What all blobs count for. */
  storedBlobBytes(): Promise<number>;
}
