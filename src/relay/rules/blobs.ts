/**
 * The rules of blobs: permissions, sizes, lifetimes. Pure functions: a store reads the necessary data, calls a rule and
 * applies its decision, all in one transaction. Sizes are bytes, times milliseconds since 1970.
 */

import { BLOB_LIFE } from '../../protocol/blob/layout.ts';

/** The lifetime of a claim to a finished blob, from the time it was finished or adopted. */
export const FINISHED_LIFE = BLOB_LIFE;
/** The lifetime of an upload, from its beginning. */
export const UNFINISHED_LIFE = 24 * 3_600_000;
/**
 * Time for which the bytes of a deleted blob remain, so that no running call loses or leaks any: longer than a part
 * may need to arrive and to be stored.
 */
export const DROP_DELAY = 10 * 60_000;
/** The smallest counted size, so that no account has too many blobs. */
const LEAST_CHARGE = 65_536;
/** Unfinished uploads of one account. */
const MAX_UNFINISHED = 64;

/** The relay's limits. */
export interface BlobLimits {
  /** One blob. */
  blobBytes: number;
  /** All blobs claimed by one account. */
  accountBlobBytes: number;
  /** All blobs at the relay. */
  storedBlobBytes: number;
}

/** Current usage, of one account and of the relay. */
export interface BlobUsage {
  accountBytes: number;
  /** Unfinished uploads of the account. */
  unfinished: number;
  storedBytes: number;
}

/** A stored blob, as seen by one account. */
export interface KnownBlob {
  size: number;
  finished: boolean;
  /** The end of its last claim. */
  expiresAt: number;
  /** The end of the account's claim; null if it has none. */
  claimedUntil: number | null;
}

/** The reason for a refusal: a code of src/protocol/problems.ts, with its reason where there are several. */
export type BlobRefusal =
  | { code: 'not_found' }
  | { code: 'blob_conflict'; reason: 'owner' | 'size' | 'bytes' }
  | { code: 'too_large' }
  | { code: 'blob_quota'; reason: 'account' | 'unfinished' | 'stored' };

/** A rule's decision: the next step, or the refusal. */
export type Verdict<Deed extends string> = { deed: Deed } | { deed: 'refuse'; refusal: BlobRefusal };

function refuse(refusal: BlobRefusal): { deed: 'refuse'; refusal: BlobRefusal } {
  return { deed: 'refuse', refusal };
}

/** The counted size of a blob of this size. */
export function chargeOf(size: number): number {
  return Math.max(size, LEAST_CHARGE);
}

/** True if a blob exists, finished or not. */
function isLive(blob: KnownBlob | null, now: number): blob is KnownBlob {
  return blob !== null && blob.expiresAt > now;
}

function isOwned({ claimedUntil }: KnownBlob, now: number): boolean {
  return claimedUntil !== null && claimedUntil > now;
}

/** True if everyone who knows its id may read it. */
export function isReadable(blob: KnownBlob | null, now: number): blob is KnownBlob {
  return isLive(blob, now) && blob.finished;
}

/** Begins or continues an upload. An expired one is replaced by the new one. */
export function judgeBegin(
  blob: KnownBlob | null,
  { size, now }: { size: number; now: number },
  usage: BlobUsage,
  limits: BlobLimits,
): Verdict<'begin' | 'resume'> {
  if (isLive(blob, now)) {
    if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
    return blob.size === size ? { deed: 'resume' } : refuse({ code: 'blob_conflict', reason: 'size' });
  }
  if (size > limits.blobBytes) return refuse({ code: 'too_large' });
  if (usage.unfinished >= MAX_UNFINISHED) return refuse({ code: 'blob_quota', reason: 'unfinished' });
  const full = roomFor(size, usage, limits);
  if (full !== null) return refuse(full);
  if (usage.storedBytes + chargeOf(size) > limits.storedBlobBytes) {
    return refuse({ code: 'blob_quota', reason: 'stored' });
  }
  return { deed: 'begin' };
}

function roomFor(size: number, usage: BlobUsage, limits: BlobLimits): BlobRefusal | null {
  const isRoom = usage.accountBytes + chargeOf(size) <= limits.accountBlobBytes;
  return isRoom ? null : { code: 'blob_quota', reason: 'account' };
}

/**
 * Accepts a part.
 * @param stored digest of the part stored already; null if there is none
 * @param digest of the new part
 */
export function judgePart(
  blob: KnownBlob | null,
  stored: Uint8Array | null,
  digest: Uint8Array,
  now: number,
): Verdict<'store' | 'keep'> {
  if (!isLive(blob, now)) return refuse({ code: 'not_found' });
  if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
  if (stored === null) return { deed: 'store' };
  const isSame = stored.length === digest.length && stored.every((byte, index) => byte === digest[index]);
  return isSame ? { deed: 'keep' } : refuse({ code: 'blob_conflict', reason: 'bytes' });
}

/** Finishes an upload. The caller has checked that all parts exist. */
export function judgeFinish(blob: KnownBlob | null, now: number): Verdict<'finish' | 'keep'> {
  if (!isLive(blob, now)) return refuse({ code: 'not_found' });
  if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
  return { deed: blob.finished ? 'keep' : 'finish' };
}

/** The numbers of the missing parts, ascending. */
export function missingParts(stored: readonly number[], count: number): number[] {
  const there = new Set(stored);
  return Array.from({ length: count }, (_, part) => part).filter((part) => !there.has(part));
}

/** An account requests a claim of its own, or more time. */
export function judgeAdopt(
  blob: KnownBlob | null,
  now: number,
  usage: BlobUsage,
  limits: BlobLimits,
): Verdict<'claim' | 'extend'> {
  if (!isReadable(blob, now)) return refuse({ code: 'not_found' });
  // An expired claim that was not swept yet still counts.
  if (blob.claimedUntil !== null) return { deed: 'extend' };
  const full = roomFor(blob.size, usage, limits);
  return full === null ? { deed: 'claim' } : refuse(full);
}
